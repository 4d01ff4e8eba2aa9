import { type RawBuilder, sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import { idArray, jsonArray, plainArray, textArray } from '#kit/db/arrays.ts'
import { expectRows } from '#kit/db/conflict.ts'
import { lockNames, nameOfUser } from '#kit/db/locks.ts'
import { Write } from '#kit/db/write.ts'
import { newId } from '#lib/id.ts'
import { BALANCE_MAX } from './rules.ts'
import type {
  AccountChange,
  AccountKind,
  KeptAccount,
  NewTransfer,
  ProgramKind,
  VersionedAccount,
} from './schema.ts'

/**
 * Locks kept accounts, lowest id first: the one order that every use case follows. Absent ones,
 * another tenant's and those without a balance are left out. Lock at once all that a transaction
 * needs: two calls may wait for each other.
 */
export const lockAccounts = (tx: Tx, ids: readonly string[]): Promise<KeptAccount[]> =>
  selectLocked(tx, ids, sql`for no key update`)

/**
 * The same without those that another transaction has locked: for sweeps, whose portions are of any
 * accounts. None of them waits for the lock of another (D-933).
 */
export const lockFreeAccounts = (tx: Tx, ids: readonly string[]): Promise<KeptAccount[]> =>
  selectLocked(tx, ids, sql`for no key update skip locked`)

async function selectLocked(
  { db, tenant_id }: Tx,
  ids: readonly string[],
  locking: RawBuilder<unknown>,
): Promise<KeptAccount[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<KeptAccount>`
    select id, kind, currency, status, user_id, card_product_id, balance, held, floor, version
    from accounts
    where tenant_id = ${tenant_id} and id = any (${plainArray(ids)}::uuid[]) and balance is not null
    order by id
    ${locking}`.execute(db)
  return rows
}

/**
 * Writes accounts and raises their versions. The statement fails (kit/db/conflict.ts) if one has
 * another version than the one it was read with, or does not exist, because a movement would be
 * lost. `counters` is the JSON of those that change, by accounts that are written.
 */
export function updateAccounts(
  tx: Tx,
  accounts: readonly VersionedAccount[],
  counters: ReadonlyMap<string, string> = NO_COUNTERS,
): Write {
  if (accounts.length === 0) return Write.of(tx.db)
  // Sorted by their ids, as in every statement that locks accounts.
  const sorted = accounts.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const ids = sql`${idArray(sorted.map(({ id }) => id))}::uuid[]`
  const values = (of: (account: VersionedAccount) => bigint) =>
    sql`(${plainArray(sorted.map(of))}::bigint[])`
  const isCounted = counters.size > 0
  // Most tenants have no limits: none of it is made then.
  const counted = () => {
    const texts = jsonArray(sorted.map(({ id }) => counters.get(id) ?? null))
    return sql`, coalesce((select ${texts})[at], a.counters)`
  }
  // The values by the place of the id, not by a join: PostgreSQL can only use the primary key.
  const updated = sql`
    update accounts a set version = a.version + 1, modified = ${tx.now},
      (balance, held, floor${isCounted ? sql`, counters` : sql``}) = (
        select ${values((one) => one.balance)}[at], ${values((one) => one.held)}[at],
          ${values((one) => one.floor)}[at]
          ${isCounted ? counted() : sql``}
        from array_position(${ids}, a.id) as at)
    where a.tenant_id = ${tx.tenant_id} and a.id = any (${ids})
      and a.version = ${values((one) => one.version)}[array_position(${ids}, a.id)]
    returning 1`
  return Write.of(tx.db, expectRows(updated, accounts.length))
}

const NO_COUNTERS: ReadonlyMap<string, string> = new Map()

/**
 * Changes balances by the moved amounts and raises the versions. The statement fails
 * (kit/db/conflict.ts) if an account has another version than the known one. Without a known
 * version it fails if the account lacks what a movement takes, with those before it. It also fails
 * if a balance would pass 15 digits.
 */
export function updateMovedAccounts(tx: Tx, changes: readonly AccountChange[]): Write {
  if (changes.length === 0) return Write.of(tx.db)
  // Sorted by their ids, as in every statement that locks accounts.
  const sorted = changes.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const ids = plainArray(sorted.map(({ id }) => id))
  const updated = sql`
    update accounts a set balance = a.balance + s.moved,
      floor = coalesce(s.floor, a.floor), version = a.version + 1, modified = ${tx.now}
    from unnest(${ids}::uuid[], ${plainArray(sorted.map(({ moved }) => moved))}::bigint[],
      ${plainArray(sorted.map(({ needed }) => needed))}::bigint[],
      ${plainArray(sorted.map(({ raised }) => raised))}::bigint[],
      ${plainArray(sorted.map(({ known }) => known?.floor ?? null))}::bigint[],
      ${plainArray(sorted.map(({ known }) => known?.version ?? null))}::bigint[])
      as s (id, moved, needed, raised, floor, version)
    where a.tenant_id = ${tx.tenant_id} and a.id = s.id and a.id = any (${ids}::uuid[])
      and (a.version = s.version or (s.version is null and a.balance - a.held >= s.needed
        and a.balance + s.raised <= ${BALANCE_MAX}::bigint))
    returning 1`
  return Write.of(tx.db, expectRows(updated, changes.length))
}

export function insertTransfers(tx: Tx, transfers: readonly NewTransfer[]): Write {
  if (transfers.length === 0) return Write.of(tx.db)
  const ids = transfers.map(({ id }) => id ?? newId())
  const transactions = transfers.map(({ transaction_id }) => transaction_id ?? null)
  const inserted = sql`
    insert into transfers (tenant_id, created, id, kind, debit_account_id, credit_account_id,
      currency, amount, transaction_id, notes)
    select anchor.tenant_id, ${tx.now}::timestamptz, given.*
    from tenant_anchors anchor cross join unnest(${plainArray(ids)}::uuid[],
      ${plainArray(transfers.map(({ kind }) => kind))}::text[],
      ${plainArray(transfers.map(({ debit_account_id }) => debit_account_id))}::uuid[],
      ${plainArray(transfers.map(({ credit_account_id }) => credit_account_id))}::uuid[],
      ${plainArray(transfers.map(({ currency }) => currency))}::text[],
      ${plainArray(transfers.map(({ amount }) => amount))}::bigint[],
      ${plainArray(transactions)}::uuid[],
      ${textArray(transfers.map(({ notes }) => notes ?? null))}::text[]) as given
    where anchor.tenant_id = ${tx.tenant_id}`
  return Write.of(tx.db, inserted)
}

/** Serialises the opening of a user's accounts, so that only one becomes the default. */
export const lockOpenings = (tx: Tx, user_ids: readonly string[]): Promise<void> =>
  lockNames(tx, user_ids.map(nameOfUser))

/** A movement of a card transaction, with the kinds of its two accounts. */
export type PostedTransfer = {
  id: string
  kind: string
  debit_account_id: string
  debit_kind: AccountKind
  credit_account_id: string
  credit_kind: AccountKind
  currency: string
  amount: bigint
  created: Date
}

/** Oldest first. A transaction has a few: a clearing, reversals, charges and differences of it. */
export async function listTransfersOf(
  { db, tenant_id }: Context,
  transaction_id: string,
): Promise<PostedTransfer[]> {
  const { rows } = await sql<PostedTransfer>`
    select t.id, t.kind, t.debit_account_id, d.kind as debit_kind, t.credit_account_id,
      c.kind as credit_kind, t.currency, t.amount, t.created
    from transfers t
    join accounts d on d.tenant_id = t.tenant_id and d.id = t.debit_account_id
    join accounts c on c.tenant_id = t.tenant_id and c.id = t.credit_account_id
    where t.tenant_id = ${tenant_id} and t.transaction_id = ${transaction_id}
    order by t.created, t.id`.execute(db)
  return rows
}

type CardAccount = { id: string; currency: string; user_id: string; card_product_id: string }

export async function insertCardAccounts(
  { db, tenant_id, now }: Tx,
  accounts: readonly CardAccount[],
): Promise<void> {
  await sql`
    insert into accounts (tenant_id, id, kind, currency, status, user_id, card_product_id, balance,
      default_account, created, modified)
    select anchor.tenant_id, o.id, 'CARD', o.currency, 'ACTIVE', o.user_id, o.card_product_id, 0,
      row_number() over (partition by o.user_id, o.currency order by o.at) = 1
        and not exists (select from accounts a where a.tenant_id = ${tenant_id}
          and a.user_id = o.user_id and a.currency = o.currency),
      ${now}::timestamptz, ${now}::timestamptz
    from tenant_anchors anchor
    cross join unnest(${plainArray(accounts.map(({ id }) => id))}::uuid[],
      ${plainArray(accounts.map(({ currency }) => currency))}::text[],
      ${plainArray(accounts.map(({ user_id }) => user_id))}::uuid[],
      ${plainArray(accounts.map(({ card_product_id }) => card_product_id))}::uuid[])
      with ordinality as o (id, currency, user_id, card_product_id, at)
    where anchor.tenant_id = ${tenant_id}`.execute(db)
}

/** Answers whether a card account without a user had this id. */
export async function updateAccountUser(
  { db, tenant_id, now }: Tx,
  id: string,
  user_id: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update accounts a set user_id = ${user_id}, modified = ${now}, version = a.version + 1,
      default_account = not exists (select from accounts where tenant_id = ${tenant_id}
        and user_id = ${user_id} and currency = a.currency)
    where tenant_id = ${tenant_id} and id = ${id} and kind = 'CARD' and user_id is null`.execute(db)
  return numAffectedRows === 1n
}

/** Makes the program's own accounts of a currency if they are missing. */
export async function insertProgramAccounts(
  { db, tenant_id, now }: Tx,
  accounts: readonly { id: string; kind: ProgramKind; currency: string }[],
): Promise<void> {
  await db
    .insertInto('accounts')
    .values(
      accounts.map((account) => ({
        ...account,
        tenant_id,
        status: 'ACTIVE' as const,
        balance: account.kind === 'FUNDING' ? 0n : null,
        created: now,
        modified: now,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

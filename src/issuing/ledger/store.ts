import { sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import { instantArray, plainArray, textArray } from '#kit/db/arrays.ts'
import { newId } from '#lib/id.ts'
import type { AccountState, HoldState, KeptAccount, NewTransfer, ProgramKind } from './schema.ts'

/**
 * Locks kept accounts, lowest id first: the one order that every use case follows. Absent ones,
 * another tenant's and those without a balance are left out. Lock at once all that a transaction
 * needs: two calls may wait for each other.
 */
export async function lockAccounts(
  { db, tenant_id }: Tx,
  ids: readonly string[],
): Promise<KeptAccount[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<KeptAccount>`
    select id, kind, currency, status, user_id, card_product_id, balance, held, floor from accounts
    where tenant_id = ${tenant_id} and id = any (${plainArray(ids)}::uuid[]) and balance is not null
    order by id
    for no key update`.execute(db)
  return rows
}

/** Fails when an account does not exist: what moved would be lost. */
export async function updateAccounts(tx: Tx, accounts: readonly AccountState[]): Promise<void> {
  if (accounts.length === 0) return
  const { numAffectedRows } = await sql`
    update accounts a set balance = s.balance, held = s.held, floor = s.floor, modified = ${tx.now}
    from unnest(${plainArray(accounts.map(({ id }) => id))}::uuid[],
      ${plainArray(accounts.map(({ balance }) => balance))}::bigint[],
      ${plainArray(accounts.map(({ held }) => held))}::bigint[],
      ${plainArray(accounts.map(({ floor }) => floor))}::bigint[]) as s (id, balance, held, floor)
    where a.tenant_id = ${tx.tenant_id} and a.id = s.id
      and a.id = any (${plainArray(accounts.map(({ id }) => id))}::uuid[])`.execute(tx.db)
  if (numAffectedRows !== BigInt(accounts.length)) throw new Error('an account is missing')
}

/** Answers the ids of the transfers, in the order of the input. */
export async function insertTransfers(
  tx: Tx,
  transfers: readonly NewTransfer[],
  ids = transfers.map(() => newId()),
): Promise<string[]> {
  if (transfers.length === 0) return []
  const transactions = transfers.map(({ transaction_id }) => transaction_id ?? null)
  await sql`
    insert into transfers (tenant_id, created, id, kind, debit_account_id, credit_account_id,
      currency, amount, transaction_id, notes)
    select ${tx.tenant_id}::uuid, ${tx.now}::timestamptz, *
    from unnest(${plainArray(ids)}::uuid[],
      ${plainArray(transfers.map(({ kind }) => kind))}::text[],
      ${plainArray(transfers.map(({ debit_account_id }) => debit_account_id))}::uuid[],
      ${plainArray(transfers.map(({ credit_account_id }) => credit_account_id))}::uuid[],
      ${plainArray(transfers.map(({ currency }) => currency))}::text[],
      ${plainArray(transfers.map(({ amount }) => amount))}::bigint[],
      ${plainArray(transactions)}::uuid[],
      ${textArray(transfers.map(({ notes }) => notes ?? null))}::text[])`.execute(tx.db)
  return ids
}

export async function insertHolds(tx: Tx, holds: readonly HoldState[]): Promise<void> {
  if (holds.length === 0) return
  await sql`
    insert into holds (tenant_id, created, id, account_id, contra_account_id, currency, amount,
      expires)
    select ${tx.tenant_id}::uuid, ${tx.now}::timestamptz, *
    from unnest(${plainArray(holds.map(({ id }) => id))}::uuid[],
      ${plainArray(holds.map(({ account_id }) => account_id))}::uuid[],
      ${plainArray(holds.map(({ contra_account_id }) => contra_account_id))}::uuid[],
      ${plainArray(holds.map(({ currency }) => currency))}::text[],
      ${plainArray(holds.map(({ amount }) => amount))}::bigint[],
      ${instantArray(holds.map(({ expires }) => expires))}::timestamptz[])`.execute(tx.db)
}

/** Fails when a hold does not exist. */
export async function updateHolds(tx: Tx, holds: readonly HoldState[]): Promise<void> {
  if (holds.length === 0) return
  const { numAffectedRows } = await sql`
    update holds h set amount = s.amount, expires = s.expires
    from unnest(${plainArray(holds.map(({ id }) => id))}::uuid[],
      ${plainArray(holds.map(({ amount }) => amount))}::bigint[],
      ${instantArray(holds.map(({ expires }) => expires))}::timestamptz[])
      as s (id, amount, expires)
    where h.tenant_id = ${tx.tenant_id} and h.id = s.id
      and h.id = any (${plainArray(holds.map(({ id }) => id))}::uuid[])`.execute(tx.db)
  if (numAffectedRows !== BigInt(holds.length)) throw new Error('a hold is missing')
}

/** Serialises the opening of one user's accounts, so that only one becomes the default. */
export async function lockOpenings({ db, tenant_id }: Tx, user_id: string): Promise<void> {
  const name = `accounts:${tenant_id}:${user_id.toLowerCase()}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db)
}

export type FundingAccount = { id: string; currency: string; balance: bigint }
type CardAccount = { id: string; currency: string; user_id: string; card_product_id: string }

export async function insertCardAccount(
  { db, tenant_id, now }: Tx,
  account: CardAccount,
): Promise<void> {
  await db
    .insertInto('accounts')
    .values({
      ...account,
      tenant_id,
      kind: 'CARD',
      status: 'ACTIVE',
      balance: 0n,
      default_account: sql<boolean>`not exists (select from accounts where tenant_id = ${tenant_id}
        and user_id = ${account.user_id} and currency = ${account.currency})`,
      created: now,
      modified: now,
    })
    .execute()
}

/** Answers whether a card account without a user had this id. */
export async function updateAccountUser(
  { db, tenant_id, now }: Tx,
  id: string,
  user_id: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update accounts a set user_id = ${user_id}, modified = ${now},
      default_account = not exists (select from accounts where tenant_id = ${tenant_id}
        and user_id = ${user_id} and currency = a.currency)
    where tenant_id = ${tenant_id} and id = ${id} and kind = 'CARD' and user_id is null`.execute(db)
  return numAffectedRows === 1n
}

/** Makes the program's own accounts of a currency where they are missing. */
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

/** What the program funding accounts of the tenant hold, by the alphabet of their currencies. */
export async function listFunding({ db, tenant_id }: Context): Promise<FundingAccount[]> {
  const { rows } = await sql<FundingAccount>`
    select id, currency, balance from accounts
    where tenant_id = ${tenant_id} and kind = 'FUNDING'
    order by currency`.execute(db)
  return rows
}

export type ProgramAccount = FundingAccount & { kind: ProgramKind }

/** The program's own accounts with the sums of their entries, in minor units. */
export async function listProgramAccounts({ db, tenant_id }: Context): Promise<ProgramAccount[]> {
  const { rows } = await sql<Omit<ProgramAccount, 'balance'> & { balance: string }>`
    select a.id, a.kind, a.currency, coalesce(sum(e.amount), 0) as balance
    from accounts a
    left join entries e on e.tenant_id = a.tenant_id and e.account_id = a.id
    where a.tenant_id = ${tenant_id} and a.kind <> 'CARD'
    group by a.id, a.kind, a.currency
    order by a.currency, a.kind`.execute(db)
  return rows.map(({ balance, ...account }) => ({ ...account, balance: BigInt(balance) }))
}

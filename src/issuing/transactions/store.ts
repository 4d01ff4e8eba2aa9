import { type RawBuilder, sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import { idArray, instantArray, jsonArray, plainArray, textArray } from '#kit/db/arrays.ts'
import { expectRows } from '#kit/db/conflict.ts'
import { Write } from '#kit/db/write.ts'
import type { PageRange } from '#kit/http/lists.ts'
import type { StoredTrace, TransactionRow } from './rules.ts'
import type { TransactionStatus, TransactionType } from './schema.ts'
import { detailsOf, readTransaction, type StoredTransaction } from './stored.ts'
import { type PackedTrace, unpackTrace } from './usual_checks.ts'

export type TransactionFilter = {
  card_id?: string
  account_id?: string
  user_id?: string
  status?: TransactionStatus
  transaction_type?: TransactionType
  status_code?: string
  currency?: string
  /** Minor units, and the currencies in which they are the amount that is looked for. */
  amounts?: readonly { minor: bigint; currencies: readonly string[] }[]
  rrn?: string
  reference_transaction_id?: string
  from?: Date | string
  to?: Date | string
  /** Ids between these belong to the period; their partitions alone are read. */
  ids?: { first?: string; end?: string }
}

/**
 * Pages are read with one of these as a literal: only then PostgreSQL keeps one plan for all of
 * them (D-408): to plan over the partitions of some years takes milliseconds. There are few,
 * since each is a prepared statement; the largest is the longest page and one row more.
 */
const LIMITS = [11, 51, 101, 201]

/**
 * Newest first: ids are made in the order of time, so they alone order the list. The lists of an
 * account and of a user are those of their cards, merged, so that one index serves all of them. So
 * are those that refer to a transaction: they are of its card (D-310, D-942).
 */
export async function listTransactionRows(
  ctx: Context,
  filter: TransactionFilter,
  range: PageRange,
): Promise<TransactionRow[]> {
  const { card_id, account_id, user_id, reference_transaction_id: original } = filter
  const limit = sql.lit(LIMITS.find((step) => step >= range.limit) ?? range.limit)
  const narrow = sql.join(conditionsOf(filter, range), sql` and `)
  const ofCards = (owner: RawBuilder<unknown>) => sql<StoredTransaction>`
    select t.* from cards c cross join lateral (
      select t.* from transactions t
      where t.tenant_id = ${ctx.tenant_id} and t.card_id = c.id and ${narrow}
      order by t.id desc limit ${limit}) t
    where c.tenant_id = ${ctx.tenant_id} and ${owner}
    order by t.id desc limit ${limit}`
  // Nothing is moved into what is behind `offset 0`, so that the index on the reference is used.
  const source = filter.rrn
    ? sql`(select * from transactions where tenant_id = ${ctx.tenant_id}
        and rrn collate "C" = ${filter.rrn} and card_id is not null offset 0)`
    : sql`transactions`
  const all = sql<StoredTransaction>`
    select t.* from ${source} t
    where t.tenant_id = ${ctx.tenant_id} and ${narrow}
    order by t.id desc limit ${limit}`
  const owners: RawBuilder<unknown>[] = []
  if (card_id) owners.push(sql`c.id = ${card_id}`)
  if (account_id) owners.push(sql`c.account_id = ${account_id}`)
  if (user_id) owners.push(sql`c.user_id = ${user_id}`)
  if (original) {
    owners.push(sql`c.id = (select o.card_id from transactions o
      where o.tenant_id = ${ctx.tenant_id} and o.id = ${original})`)
  }
  const query = owners.length > 0 ? ofCards(sql.join(owners, sql` and `)) : all
  const { rows } = await query.execute(ctx.db)
  return rows.slice(0, range.limit).map(readTransaction)
}

function conditionsOf(filter: TransactionFilter, { after }: PageRange): RawBuilder<unknown>[] {
  const { status, transaction_type, status_code, currency, amounts, rrn, from, to, ids } = filter
  const conditions: RawBuilder<unknown>[] = [sql`true`]
  if (transaction_type) conditions.push(sql`t.transaction_type = ${transaction_type}`)
  if (status_code) conditions.push(sql`t.status_code = ${status_code}`)
  if (currency) conditions.push(sql`t.currency = ${currency}`)
  if (amounts) {
    const each = amounts.map(
      ({ minor, currencies }) =>
        sql`t.amount = ${minor}::bigint and t.currency = any (${plainArray(currencies)}::text[])`,
    )
    conditions.push(sql`(${sql.join(each, sql` or `)})`)
  }
  if (rrn) conditions.push(sql`t.rrn collate "C" = ${rrn}`)
  if (ids?.first) conditions.push(sql`t.id >= ${ids.first}::uuid`)
  if (ids?.end) conditions.push(sql`t.id < ${ids.end}::uuid`)
  if (status) conditions.push(sql`t.status = ${status}`)
  if (from) conditions.push(sql`t.created >= ${new Date(from)}`)
  if (to) conditions.push(sql`t.created < ${new Date(to)}`)
  if (after) conditions.push(sql`t.id < ${after.id}`)
  // This condition comes last, because it reads the JSON of a row.
  const { reference_transaction_id: original } = filter
  if (original) conditions.push(sql`t.details ->> 'reference_transaction_id' = ${original}`)
  return conditions
}

/** Decisions of a tenant, oldest first: ids are made in the order of time. */
export type DecisionRange = {
  /** The card, or the account or user of the cards, to read; absent for all. */
  owner?: { column: 'id' | 'account_id' | 'user_id'; id: string }
  /** Ids between these two, themselves left out. */
  after: string
  until: string
  from: Date
  to: Date
  limit: number
}

/** Reads by the key, or by the cards, so that a portion costs the same wherever it begins. */
export async function listDecisionRows(
  { db, tenant_id }: Context,
  { owner, after, until, from, to, limit }: DecisionRange,
): Promise<TransactionRow[]> {
  const narrow = sql`t.tenant_id = ${tenant_id} and t.id > ${after} and t.id < ${until}
    and t.created >= ${from} and t.created < ${to}`
  const query = owner
    ? sql<StoredTransaction>`
        select t.* from cards c cross join lateral (
          select t.* from transactions t where ${narrow} and t.card_id = c.id
          order by t.id limit ${limit}) t
        where c.tenant_id = ${tenant_id} and c.${sql.ref(owner.column)} = ${owner.id}
        order by t.id limit ${limit}`
    : sql<StoredTransaction>`
        select t.* from transactions t where ${narrow} and t.card_id is not null
        order by t.id limit ${limit}`
  const { rows } = await query.execute(db)
  return rows.map(readTransaction)
}

export async function findTransactionRow(
  { db, tenant_id }: Context,
  id: string,
): Promise<TransactionRow | undefined> {
  const { rows } = await sql<StoredTransaction>`
    select * from transactions where tenant_id = ${tenant_id} and id = ${id}`.execute(db)
  return rows.map(readTransaction)[0]
}

export async function listTransactionsByIds(
  { db, tenant_id }: Context,
  ids: readonly string[],
): Promise<TransactionRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<StoredTransaction>`
    select * from transactions
    where tenant_id = ${tenant_id} and id = any (${plainArray(ids)}::uuid[])`.execute(db)
  return rows.map(readTransaction)
}

export async function findTrace(
  { db, tenant_id }: Context,
  id: string,
): Promise<{ status_code: string; trace: StoredTrace } | undefined> {
  const { rows } = await sql<{ status_code: string; trace: PackedTrace }>`
    select status_code, details -> 'trace' as trace from transactions
    where tenant_id = ${tenant_id} and id = ${id}`.execute(db)
  return rows.map(({ status_code, trace }) => ({ status_code, trace: unpackTrace(trace) }))[0]
}

/** One statement for any number of rows: each column travels as one array. */
export function insertTransactions(tx: Tx, created: readonly TransactionRow[]): Write {
  if (created.length === 0) return Write.of(tx.db)
  const plain = <Name extends PlainColumn>(name: Name) =>
    plainArray(created.map((row) => row[name]))
  const ids = (name: 'id' | 'card_id' | 'account_id') => idArray(created.map((row) => row[name]))
  const inserted = sql`
    insert into transactions (tenant_id, created, id, card_id, account_id, transaction_type, status,
      status_code, amount, currency, held, hold_expires, cleared_amount, refunded_amount, rrn,
      message_key, withdrawn, sequence, details)
    select anchor.tenant_id, ${tx.now}::timestamptz, unnest(${ids('id')}::uuid[]),
      unnest(${ids('card_id')}::uuid[]), unnest(${ids('account_id')}::uuid[]),
      unnest(${plain('transaction_type')}::text[]), unnest(${plain('status')}::text[]),
      unnest(${plain('status_code')}::text[]), unnest(${plain('amount')}::bigint[]),
      unnest(${plain('currency')}::text[]), unnest(${plain('held')}::bigint[]),
      unnest(${instantArray(created.map((row) => row.hold_expires))}::timestamptz[]),
      unnest(${plain('cleared_amount')}::bigint[]), unnest(${plain('refunded_amount')}::bigint[]),
      unnest(${textArray(created.map((row) => row.rrn))}::text[]),
      unnest(${textArray(created.map(({ message }) => message?.key ?? null))}::text[]),
      unnest(${plain('withdrawn')}::boolean[]),
      unnest(${plainArray(created.map(({ events }) => events.length))}::int[]),
      unnest(${jsonArray(created.map(detailsOf))})
    from tenant_anchors anchor where anchor.tenant_id = ${tx.tenant_id}`
  return Write.of(tx.db, inserted)
}

/** Columns whose values never need quoting: ids, amounts, own constants and ISO codes. */
type PlainColumn =
  | 'id'
  | 'card_id'
  | 'account_id'
  | 'transaction_type'
  | 'status'
  | 'status_code'
  | 'amount'
  | 'currency'
  | 'held'
  | 'cleared_amount'
  | 'refunded_amount'
  | 'withdrawn'

/** A changed transaction, and how many changes it had when it was read. */
export type ChangedTransaction = { row: TransactionRow; read_sequence: number }

/**
 * Writes what may change of a transaction after its creation. The statement fails
 * (kit/db/conflict.ts) if one of them was changed since it was read.
 */
export function updateTransactions(tx: Tx, changed: readonly ChangedTransaction[]): Write {
  if (changed.length === 0) return Write.of(tx.db)
  const rows = changed.map(({ row }) => row)
  const plain = <Name extends PlainColumn>(name: Name) => plainArray(rows.map((row) => row[name]))
  const ids = sql`${plain('id')}::uuid[]`
  // The values by the place of the id, not by a join: PostgreSQL can only use the primary key.
  const updated = sql`
    update transactions t set (status, status_code, amount, held, hold_expires, cleared_amount,
      refunded_amount, withdrawn, sequence, details) = (
        select (${plain('status')}::text[])[at], (${plain('status_code')}::text[])[at],
          (${plain('amount')}::bigint[])[at], (${plain('held')}::bigint[])[at],
          (${instantArray(rows.map((row) => row.hold_expires))}::timestamptz[])[at],
          (${plain('cleared_amount')}::bigint[])[at], (${plain('refunded_amount')}::bigint[])[at],
          t.withdrawn or (${plain('withdrawn')}::boolean[])[at],
          (${plainArray(rows.map(({ events }) => events.length))}::int[])[at],
          (select ${jsonArray(rows.map(detailsOf))})[at]
        from array_position(${ids}, t.id) as at)
    where t.tenant_id = ${tx.tenant_id} and t.id = any (${ids})
      and t.sequence = (${plainArray(changed.map(({ read_sequence }) => read_sequence))}::int[])[
        array_position(${ids}, t.id)]
    returning 1`
  return Write.of(tx.db, expectRows(updated, changed.length))
}

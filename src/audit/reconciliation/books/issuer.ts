/**
 * Book (c): the issuer's transactions that came from the acquirer, and the movements of its ledger.
 */

import { type RawBuilder, sql } from 'kysely'
import { idArray, textArray } from '#kit/db/arrays.ts'
import type { Db } from '#kit/db/database.ts'
import { firstIdAt } from '#lib/id.ts'
import { ACQUIRER_ID } from '#merchant/acquirer/acquirer.ts'
import type { Day } from '../rules/day.ts'
import type { IssuerTransaction, Posting } from '../rules/model.ts'
import { type Books, type Place, PORTION } from './own.ts'
import { listTenantsWith } from './whose.ts'

const sender = sql`split_part(t.message_key, '|', 4)`
const hasEffect = sql`t.status <> 'DECLINED' and t.transaction_type in ('PURCHASE', 'REFUND')`

/**
 * Transactions whose first message came from the acquirer (DE32), by the line or in its file, and
 * that took effect.
 */
export const isOfAcquirer = (tenant_id: string) => sql`(${sender} = ${sql.lit(ACQUIRER_ID)}
    or (${sender} = 'FILE' and exists (select from clearing_records r
      where r.tenant_id = ${tenant_id} and r.transaction_id = t.id
        and r.content ->> 'DE32' = ${sql.lit(ACQUIRER_ID)})))
  and ${hasEffect}`

/** The reason why a list names a transaction: itself, or a clearing of the day. */
export type Trigger = Place & { transaction_id: string; rrn: string }

type Ids = { first: string; end: string }

/** Transactions of the day. `ids` are between those that can be of it: an index has no time. */
export async function listByDecisions(
  { db, tenant_id, day }: Books,
  ids: Ids,
  { id }: Place,
): Promise<Trigger[]> {
  const after = id > ids.first ? id : ids.first
  const { rows } = await sql<Trigger>`
    select t.created::text as at, t.id, t.id as transaction_id, t.rrn
    from transactions t
    where t.tenant_id = ${tenant_id} and t.id > ${after}::uuid and t.id < ${ids.end}::uuid
      and t.created >= ${day.from} and t.created < ${day.to}
      and t.rrn is not null and ${isOfAcquirer(tenant_id)}
    order by t.id limit ${PORTION}`.execute(db)
  return rows
}

/** Clearings of the day that an account of the card network got, of transactions of other days. */
export async function listByClearings(
  { db, tenant_id, day }: Books,
  account_id: string,
  { at, id }: Place,
): Promise<Trigger[]> {
  const { rows } = await sql<Trigger>`
    select f.created::text as at, f.id, t.id as transaction_id, t.rrn
    from transfers f
    join transactions t on t.tenant_id = ${tenant_id} and t.id = f.transaction_id
    where f.tenant_id = ${tenant_id} and f.credit_account_id = ${account_id}
      and f.created >= ${day.from} and f.created < ${day.to}
      and (f.created, f.id) > (${at}::timestamptz, ${id}::uuid)
      and f.kind = 'CLEARING' and t.rrn is not null and ${isOfAcquirer(tenant_id)}
      and not (t.created >= ${day.from} and t.created < ${day.to})
    order by f.created, f.id limit ${PORTION}`.execute(db)
  return rows
}

/** The accounts of the card network, one for each currency. */
export async function listSettlementAccounts({ db, tenant_id }: Books): Promise<string[]> {
  const rows = await db
    .selectFrom('accounts')
    .select('id')
    .where('tenant_id', '=', tenant_id)
    .where('kind', '=', 'SETTLEMENT')
    .orderBy('currency')
    .execute()
  return rows.map(({ id }) => id)
}

type Row = Omit<IssuerTransaction, 'postings' | 'posted_amount'> & {
  /**
   * The events of a transaction in another currency than the account's, with amounts of its own.
   */
  changes: readonly Change[] | null
  /** The amount that is cleared of it in its own currency. */
  own_cleared: bigint | null
}
/**
 * \`after\`: the sum cleared after it, in the account's currency; the last one has that of the row.
 */
type Change = {
  type: string
  amount: string
  created: string
  after?: { cleared_amount: string }
  twin?: true
}

const columns = sql`
  t.tenant_id, t.id, t.rrn, t.transaction_type as type, t.status, t.currency, t.amount, t.held,
  t.cleared_amount, t.created, t.details #>> '{merchant,id}' as acceptor,
  concat(split_part(t.message_key, '|', 2), '|', split_part(t.message_key, '|', 3)) as key,
  coalesce((t.details #>> '{events,0,amount}')::bigint, t.amount) as authorized,
  case when t.details -> 'foreign' is not null then t.details -> 'events' end as changes,
  (t.details #>> '{foreign,cleared}')::bigint as own_cleared`

/** The condition uses the index of retrieval references. */
const hasReference = (rrns: readonly string[]): RawBuilder<boolean> =>
  sql`t.card_id is not null and t.rrn collate "C" = any(${textArray(rrns)}::text[])`

/** The transactions of the tenant with these retrieval references, oldest first. */
export async function listTransactions(
  { db, tenant_id }: Pick<Books, 'db' | 'tenant_id'>,
  rrns: readonly string[],
): Promise<IssuerTransaction[]> {
  if (rrns.length === 0) return []
  const { rows } = await sql<Row>`
    select ${columns} from transactions t
    where t.tenant_id = ${tenant_id} and ${hasReference(rrns)} and ${isOfAcquirer(tenant_id)}
    order by t.id`.execute(db)
  return withPostings(db, tenant_id, rows)
}

/** The tenants among all that may have transactions of the acquirer with these references. */
export const listIssuersOf = (db: Db, rrns: readonly string[]): Promise<string[]> =>
  listTenantsWith(
    db,
    'transactions',
    sql`${hasReference(rrns)} and ${sender} in (${sql.lit(ACQUIRER_ID)}, 'FILE') and ${hasEffect}`,
  )

type Transfer = Posting & { transaction_id: string; kind: string }

async function withPostings(
  db: Db,
  tenant_id: string,
  rows: readonly Row[],
): Promise<IssuerTransaction[]> {
  const ids = rows.map(({ id }) => id)
  const transfers = await sql<Transfer>`
    select f.id, f.transaction_id, f.kind, f.amount, f.created
    from transfers f
    where f.tenant_id = ${tenant_id} and f.transaction_id = any(${idArray(ids)}::uuid[])
      and f.kind not in ('FX_DIFFERENCE', 'CHARGE', 'CHARGE_REVERSAL')
      and not starts_with(f.kind, 'DISPUTE_')
    order by f.created, f.id`.execute(db)
  const byTransaction = Map.groupBy(transfers.rows, ({ transaction_id }) => transaction_id)
  return rows.map((row) => withMoved(row, byTransaction.get(row.id) ?? []))
}

/** A posting that was reversed in full is none. */
function withMoved(
  { changes, own_cleared, ...row }: Row,
  transfers: readonly Transfer[],
): IssuerTransaction {
  const posted = transfers.filter(({ kind }) => kind !== 'REVERSAL')
  const signed = transfers.map(({ kind, amount }) => (kind === 'REVERSAL' ? -amount : amount))
  const posted_amount = signed.reduce((sum, amount) => sum + amount, 0n)
  const postings = changes
    ? clearedParts(row, changes, posted)
    : posted.map(({ id, amount, created }) => ({ id, created, amount }))
  const isNone = (own_cleared ?? posted_amount) === 0n
  return { ...row, posted_amount, postings: isNone ? [] : postings }
}

/**
 * The clearings of a transaction in another currency than the account's, each with its transfer. A
 * part that comes to nothing in the currency of the account has none (D-961).
 */
function clearedParts(
  { id, cleared_amount }: Pick<IssuerTransaction, 'id' | 'cleared_amount'>,
  changes: readonly Change[],
  posted: readonly Transfer[],
): Posting[] {
  const transfers = posted.values()
  return changes.flatMap(({ type, amount, created, after, twin }, at): Posting[] => {
    if (type !== 'CLEARED' || twin) return []
    const before = BigInt(changes[at - 1]?.after?.cleared_amount ?? 0)
    const moves = BigInt(after?.cleared_amount ?? cleared_amount) !== before
    const own = { id, created: new Date(created), amount: BigInt(amount) }
    const transfer = moves ? transfers.next().value : undefined
    return [transfer ? { ...own, id: transfer.id, created: transfer.created } : own]
  })
}

/** Processes make ids by their own clocks, of which none is so far off. */
const SLACK_MS = 3_600_000

/** Ids that transactions of a day can have (D-622): a tenant's clock is `ahead` of real time. */
export const idsOf = ({ from, to }: Day, ahead_ms: number): Ids => ({
  first: firstIdAt(Math.max(0, from.getTime() - ahead_ms - SLACK_MS)),
  end: firstIdAt(Math.max(0, to.getTime() + SLACK_MS)),
})

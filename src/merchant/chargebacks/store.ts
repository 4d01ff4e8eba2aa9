/** The SQL of chargebacks and of what they take from the merchant. */

import { sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import { idArray } from '#kit/db/arrays.ts'
import { type PageRange, selectRange } from '#kit/http/lists.ts'
import { dueBy, dueKind } from '#kit/jobs/due_work.ts'
import type { ChargebackRow, ChargebacksQuery } from './schema.ts'

/** The deadlines of merchants. */
export const chargebacksDue = dueKind({
  name: 'chargebacks',
  table: 'chargebacks',
  due: 'respond_by',
})
/** Entries that are to be paid out (merchant/payouts). */
export const entriesDue = dueKind({
  name: 'payouts of chargebacks',
  table: 'chargeback_entries',
  due: 'payable',
})

export type DisputedOrder = {
  id: string
  merchant_id: string
  reference: string
  currency: string
  captured: bigint
  refunded: bigint
}

/** The order, locked: captures, refunds and chargebacks of it wait. */
export async function lockDisputedOrder(
  { db, tenant_id }: Tx,
  of: { merchant_id: string; reference: string } | { id: string },
): Promise<DisputedOrder | undefined> {
  const which =
    'id' in of
      ? sql`id = ${of.id}`
      : sql`merchant_id = ${of.merchant_id} and reference = ${of.reference}`
  const { rows } = await sql<DisputedOrder>`
    select id, merchant_id, reference, currency, captured, refunded from orders
    where tenant_id = ${tenant_id} and ${which} for no key update`.execute(db)
  return rows[0]
}

/** The amount of refunds of the order that are under way; minor units. */
export async function findRefunding({ db, tenant_id }: Tx, order_id: string): Promise<bigint> {
  const { rows } = await sql<{ refunding: bigint }>`
    select coalesce(sum(amount), 0)::bigint as refunding from order_operations
    where tenant_id = ${tenant_id} and order_id = ${order_id}
      and type = 'REFUND' and status = 'PENDING'`.execute(db)
  return rows[0]?.refunding ?? 0n
}

export async function insertChargeback(tx: Tx, row: ChargebackRow): Promise<void> {
  await dueBy(tx, chargebacksDue, row.respond_by)
  await tx.db
    .insertInto('chargebacks')
    .values({ ...row, evidence: JSON.stringify(row.evidence) })
    .execute()
}

export async function updateChargeback(tx: Tx, row: ChargebackRow): Promise<void> {
  const { status, evidence, amount, kept, respond_by, modified } = row
  await tx.db
    .updateTable('chargebacks')
    .set({ status, evidence: JSON.stringify(evidence), amount, kept, respond_by, modified })
    .where('tenant_id', '=', tx.tenant_id)
    .where('id', '=', row.id)
    .execute()
}

export type Entry = {
  id: string
  chargeback_id: string
  merchant_id: string
  currency: string
  type: 'CHARGEBACK' | 'CHARGEBACK_REVERSAL'
  amount: bigint
  fee: bigint
  payable: Date
}

export async function insertEntry(tx: Tx, entry: Entry): Promise<void> {
  await dueBy(tx, entriesDue, entry.payable)
  await tx.db
    .insertInto('chargeback_entries')
    .values({ tenant_id: tx.tenant_id, ...entry, booked: tx.now })
    .execute()
}

const ofTenant = ({ db, tenant_id }: Context) =>
  db.selectFrom('chargebacks').selectAll().where('tenant_id', '=', tenant_id)

export const findChargeback = (ctx: Context, id: string): Promise<ChargebackRow | undefined> =>
  ofTenant(ctx).where('id', '=', id).executeTakeFirst()

export const lockChargeback = (tx: Tx, id: string): Promise<ChargebackRow | undefined> =>
  ofTenant(tx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/** The one of a dispute of the same tenant that is not decided, if there is one. */
export const findOpenChargeback = (
  ctx: Context,
  dispute_id: string,
): Promise<ChargebackRow | undefined> =>
  findOfDispute(ctx, dispute_id, ['NEEDS_RESPONSE', 'UNDER_REVIEW'])

/** The one of a dispute of the same tenant that has its amount, if there is one. */
export const findTakingChargeback = (
  ctx: Context,
  dispute_id: string,
): Promise<ChargebackRow | undefined> =>
  findOfDispute(ctx, dispute_id, ['NEEDS_RESPONSE', 'UNDER_REVIEW', 'LOST', 'ACCEPTED'])

const findOfDispute = (
  ctx: Context,
  dispute_id: string,
  statuses: readonly ChargebackRow['status'][],
): Promise<ChargebackRow | undefined> =>
  ofTenant(ctx)
    .where('dispute_id', '=', dispute_id)
    .where('status', 'in', statuses)
    .orderBy('created', 'desc')
    .limit(1)
    .executeTakeFirst()

export function listChargebackRows(
  ctx: Context,
  { status, reference, reason, respond_before, sort_by }: ChargebacksQuery,
  range: PageRange,
): Promise<ChargebackRow[]> {
  const own = ofTenant(ctx)
    .where('merchant_id', '=', ctx.actor.id)
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'LOST'))
    .$if(reference !== undefined, (query) => query.where('reference', '=', reference ?? ''))
    .$if(reason !== undefined, (query) => query.where('reason', '=', reason ?? ''))
    .$if(respond_before !== undefined, (query) =>
      query.where('respond_by', '<', new Date(respond_before ?? 0)),
    )
  if (sort_by !== 'respond_by') return selectRange(own, range).execute()
  const waiting = own.where('respond_by', 'is not', null)
  return selectRange(waiting, range, { by: 'respond_by', direction: 'asc' }).execute()
}

export async function listDueChargebacks(
  { db, tenant_id, now }: Context,
  most: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('chargebacks')
    .select('id')
    .where('tenant_id', '=', tenant_id)
    .where('respond_by', '<=', now)
    .orderBy('respond_by')
    .limit(most)
    .execute()
  return rows.map(({ id }) => id)
}

type Payable = { merchant_id: string; currency: string; payable: Date }

/** A merchant, currency and day of which an entry is to be paid out; the longest due. */
export function findPayableEntry({ db, tenant_id, now }: Context): Promise<Payable | undefined> {
  return db
    .selectFrom('chargeback_entries')
    .select(['merchant_id', 'currency', sql<Date>`payable`.as('payable')])
    .where('tenant_id', '=', tenant_id)
    .where('payable', '<=', now)
    .orderBy('payable')
    .limit(1)
    .executeTakeFirst()
}

export type PayableEntry = Pick<Entry, 'id' | 'type' | 'amount' | 'fee'>

/** At most `limit` entries of them, locked. */
export function lockPayableEntries(
  { db, tenant_id }: Tx,
  { merchant_id, currency, payable }: Payable,
  limit: number,
): Promise<PayableEntry[]> {
  return db
    .selectFrom('chargeback_entries')
    .select(['id', 'type', 'amount', 'fee'])
    .where('tenant_id', '=', tenant_id)
    .where('payable', '=', payable)
    .where('merchant_id', '=', merchant_id)
    .where('currency', '=', currency)
    .orderBy('booked')
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .execute()
}

/** Puts locked entries into a payout. */
export async function updateEntriesPaidOut(
  { db, tenant_id }: Tx,
  payout_id: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update chargeback_entries set payout_id = ${payout_id}, payable = null
    where tenant_id = ${tenant_id} and id = any (${idArray(ids)}::uuid[])`.execute(db)
}

/** Minor units; `day` is YYYY-MM-DD in UTC. */
export type ChargedDay = {
  currency: string
  day: string
  chargebacks: number
  charged_back: bigint
  fees: bigint
}

/** The amounts that a merchant was charged back in a period, by currency and day. */
export async function listChargedDays(
  { db, tenant_id }: Context,
  merchant_id: string,
  { first, end }: { first: Date; end: Date },
): Promise<ChargedDay[]> {
  const { rows } = await sql<ChargedDay>`
    select currency, to_char(booked at time zone 'UTC', 'YYYY-MM-DD') as day,
      count(*) filter (where type = 'CHARGEBACK')::int as chargebacks,
      sum(case type when 'CHARGEBACK' then amount else -amount end)::bigint as charged_back,
      sum(fee)::bigint as fees
    from chargeback_entries
    where tenant_id = ${tenant_id} and merchant_id = ${merchant_id}
      and booked >= ${first} and booked < ${end}
    group by currency, day`.execute(db)
  return rows
}

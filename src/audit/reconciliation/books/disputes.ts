/** The chargebacks of shops with their payouts, and the disputes of the issuer (D-1371). */

import { sql } from 'kysely'
import { idArray } from '#kit/db/arrays.ts'
import type { Db } from '#kit/db/database.ts'
import type { Chargeback, ChargedDispute, ChargedEntry } from '../rules/chargebacks.ts'
import { isOfAcquirer, type Trigger } from './issuer.ts'
import { type Books, type Place, PORTION } from './own.ts'

type Charged = Place & { authorization_id: string }

/** Payments with a chargeback that may be of the day: made before its end, changed since then. */
export async function listByChargebacks(
  { db, tenant_id, day }: Books,
  merchant_id: string,
  { at, id }: Place,
): Promise<Charged[]> {
  const { rows } = await sql<Charged>`
    select c.created::text as at, c.id, o.authorization_id
    from chargebacks c
    join orders o on o.tenant_id = ${tenant_id} and o.id = c.order_id
    where c.tenant_id = ${tenant_id} and c.merchant_id = ${merchant_id}
      and c.created < ${day.to} and c.modified >= ${day.from}
      and (c.created, c.id) > (${at}::timestamptz, ${id}::uuid)
    order by c.created, c.id limit ${PORTION}`.execute(db)
  return rows
}

/** Transactions from the acquirer with a dispute that may be of the day and was charged back. */
export async function listByDisputes(
  { db, tenant_id, day }: Books,
  { at, id }: Place,
): Promise<Trigger[]> {
  const { rows } = await sql<Trigger>`
    select d.created::text as at, d.id, t.id as transaction_id, t.rrn
    from disputes d
    join transactions t on t.tenant_id = ${tenant_id} and t.id = d.transaction_id
    where d.tenant_id = ${tenant_id} and d.created < ${day.to} and d.modified >= ${day.from}
      and (d.created, d.id) > (${at}::timestamptz, ${id}::uuid)
      and ${isChargedBack} and t.rrn is not null and ${isOfAcquirer(tenant_id)}
    order by d.created, d.id limit ${PORTION}`.execute(db)
  return rows
}

const isChargedBack = sql`jsonb_path_exists(d.moves, '$[*] ? (@.step == "CHARGEBACK")')`

type Row = Omit<Chargeback, 'entries'> & { order_id: string }

/** The chargebacks of these orders, oldest first, by their orders. */
export async function listChargebacksOf(
  { db, tenant_id }: Books,
  orders: readonly string[],
): Promise<Map<string, Chargeback[]>> {
  if (orders.length === 0) return new Map()
  const { rows } = await sql<Row>`
    select c.id, c.order_id, c.dispute_id, c.status, c.amount, c.kept, c.fee, c.currency,
      c.created, c.modified
    from chargebacks c
    where c.tenant_id = ${tenant_id} and c.order_id = any(${idArray(orders)}::uuid[])
    order by c.created, c.id`.execute(db)
  const entries = await listEntriesOf(
    { db, tenant_id },
    rows.map(({ id }) => id),
  )
  const whole = rows.map((row) => ({ ...row, entries: entries.get(row.id) ?? [] }))
  return Map.groupBy(whole, ({ order_id }) => order_id)
}

async function listEntriesOf({ db, tenant_id }: Pick<Books, 'db' | 'tenant_id'>, ids: string[]) {
  const { rows } = await sql<ChargedEntry & { chargeback_id: string }>`
    select e.chargeback_id, e.type, e.amount, e.fee, e.booked, p.day as paid_day,
      e.payable is not null and exists (
        select from payouts x
        where x.tenant_id = ${tenant_id} and x.merchant_id = e.merchant_id
          and x.currency = e.currency
          and x.day >= to_char(e.booked at time zone 'UTC', 'YYYY-MM-DD')) as passed_over
    from chargeback_entries e
    left join payouts p on p.tenant_id = ${tenant_id} and p.id = e.payout_id
    where e.tenant_id = ${tenant_id} and e.chargeback_id = any(${idArray(ids)}::uuid[])
    order by e.booked, e.id`.execute(db)
  return Map.groupBy(rows, ({ chargeback_id }) => chargeback_id)
}

/** The disputes about these transactions that were charged back, oldest first. */
export async function listDisputesOf(
  db: Db,
  tenant_id: string,
  transaction_ids: readonly string[],
): Promise<ChargedDispute[]> {
  if (transaction_ids.length === 0) return []
  const { rows } = await sql<ChargedDispute>`
    select d.tenant_id, d.id, d.transaction_id, d.status, d.outcome, d.amount, d.recovered,
      d.currency, d.moves
    from disputes d
    where d.tenant_id = ${tenant_id} and ${isChargedBack}
      and d.transaction_id = any(${idArray(transaction_ids)}::uuid[])
    order by d.created, d.id`.execute(db)
  return rows
}

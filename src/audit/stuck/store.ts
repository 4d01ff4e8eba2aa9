/** Payments, captures and refunds without an outcome, of all tenants. */

import { sql } from 'kysely'
import { tenantNow } from '#kit/clock.ts'
import type { Context } from '#kit/context.ts'
import { type PageRange, selectRange } from '#kit/http/lists.ts'
import { hasStoredCard, isStuck } from '#merchant/acquirer/acquirer.ts'

export type WaitingRow = {
  /** The id of its message to the issuer. */
  id: string
  tenant_id: string
  merchant_id: string
  type: 'PAYMENT' | 'CAPTURE' | 'REFUND'
  checkout_id: string | null
  order_id: string | null
  operation_id: string | null
  reference: string
  currency: string
  amount: bigint
  rrn: string
  issuer: string | null
  /** Whether its card is stored, so that messages about it can be sent. */
  sendable: boolean
  stuck: boolean
  created: Date
  modified: Date
  clock_offset_ms: bigint
}

const waiting = sql<WaitingRow>`
  select m.id, w.tenant_id, w.merchant_id, w.type, w.checkout_id, w.order_id, w.operation_id,
    w.reference, w.currency, w.amount, m.fields ->> '37' as rrn, m.issuer,
    ${hasStoredCard} as sendable, ${isStuck(tenantNow)} as stuck, m.created, m.modified,
    t.clock_offset_ms
  from (
    select c.tenant_id, c.merchant_id, 'PAYMENT' as type, c.id as checkout_id,
      null::uuid as order_id, null::uuid as operation_id, c.reference, c.currency, c.amount,
      c.message_id
    from checkouts c where c.status = 'PAYING' and c.in_doubt
    union all
    select p.tenant_id, p.merchant_id, p.type, null, p.order_id, p.id, o.reference, p.currency,
      p.amount, p.message_id
    from order_operations p
    join orders o on o.tenant_id = p.tenant_id and o.id = p.order_id
    where p.status = 'PENDING' and p.in_doubt
  ) w
  join acquirer_messages m on m.tenant_id = w.tenant_id and m.id = w.message_id
  join tenants t on t.id = w.tenant_id`

const table = sql<WaitingRow>`(${waiting})`.as<'payments'>('payments')

/** The payments that come to no outcome by themselves. */
export async function listStuck(
  { db }: Context,
  { tenant_id, merchant_id }: { tenant_id?: string; merchant_id?: string },
  range: PageRange,
): Promise<WaitingRow[]> {
  const all = db.selectFrom(table).selectAll().where('stuck', '=', true)
  const ofTenant = tenant_id === undefined ? all : all.where('tenant_id', '=', tenant_id)
  const found =
    merchant_id === undefined ? ofTenant : ofTenant.where('merchant_id', '=', merchant_id)
  const rows = await selectRange(found, range).execute()
  return rows
}

/** Finds it by its message, its checkout or its operation. */
export async function findWaiting({ db }: Context, id: string): Promise<WaitingRow | undefined> {
  const { rows } = await sql<WaitingRow>`
    select * from (${waiting}) w
    where w.id = ${id} or w.checkout_id = ${id} or w.operation_id = ${id}`.execute(db)
  return rows[0]
}

/** Whether there is a payment, capture or refund of this id at all. */
export async function isKnown({ db }: Context, id: string): Promise<boolean> {
  const { rows } = await sql<{ known: boolean }>`
    select exists (select 1 from acquirer_messages where id = ${id} and mti <> '0420')
      or exists (select 1 from checkouts where id = ${id})
      or exists (select 1 from order_operations where id = ${id}) as known`.execute(db)
  return rows[0]?.known === true
}

/**
 * The sums that this program's issuer has of a retrieval reference, in the currency of the payment.
 */
export type Booked = { booked: bigint; returned: bigint; held: bigint }

export async function findBooked({ db }: Context, rrn: string): Promise<Booked> {
  const { rows } = await sql<Booked>`
    select coalesce(sum(c.cleared) filter (where x.transaction_type = 'PURCHASE'), 0)::bigint
        as booked,
      coalesce(sum(c.cleared) filter (where x.transaction_type = 'REFUND'), 0)::bigint as returned,
      coalesce(sum(x.held), 0)::bigint as held
    from tenants i
    join transactions x on x.tenant_id = i.id and x.rrn = ${rrn} and x.status <> 'DECLINED'
    cross join lateral (
      select coalesce((x.details #>> '{foreign,cleared}')::bigint, x.cleared_amount) as cleared
    ) c`.execute(db)
  return rows[0] ?? { booked: 0n, returned: 0n, held: 0n }
}

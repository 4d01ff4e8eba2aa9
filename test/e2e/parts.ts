/** State that tests of several captures of one order look at. */

import { sql } from 'kysely'
import type { Answer } from '#test/support/world.ts'
import type { Shop } from './shop.ts'

/** Minor units of a transaction of the issuer, and its events with their amounts. */
export type Booked = {
  status: string
  amount: bigint
  cleared_amount: bigint
  held: bigint
  events: string[]
}

export function callsOf(shop: Shop) {
  return {
    capture: (reference: string, body?: object, headers = {}): Promise<Answer> =>
      shop.call('POST', `/orders/${reference}/capture/`, body, headers),
    refund: (reference: string, total: string, currency = 'AED'): Promise<Answer> =>
      shop.call('POST', `/orders/${reference}/refund/`, { total, currency }),
    order: async (reference: string): Promise<Answer['body']> =>
      (await shop.call('GET', `/orders/${reference}/`)).body,
    /** Types of the messages of its payment, in order. */
    async messages(order_id: string): Promise<string[]> {
      const { rows } = await sql<{ mti: string }>`
        select m.mti from acquirer_messages m
        join orders o on o.tenant_id = ${shop.tenant.id}
          and o.authorization_id = m.authorization_id
        where m.tenant_id = ${shop.tenant.id} and o.id = ${order_id}
        order by m.created, m.id`.execute(shop.db)
      return rows.map(({ mti }) => mti)
    },
    /** The payment at the issuer. */
    async booked(order_id: string): Promise<Booked | undefined> {
      const { rows } = await sql<Booked>`
        select t.status, t.amount, t.cleared_amount, t.held, (
          select array_agg(concat(e.value ->> 'type', ' ', e.value ->> 'amount') order by e.at)
          from json_array_elements(t.details -> 'events') with ordinality e (value, at)) as events
        from orders o
        join acquirer_messages m on m.tenant_id = ${shop.tenant.id} and m.id = o.authorization_id
        join transactions t on t.tenant_id = ${shop.tenant.id}
          and t.rrn = m.fields ->> '37' and t.transaction_type = 'PURCHASE'
        where o.tenant_id = ${shop.tenant.id} and o.id = ${order_id}`.execute(shop.db)
      return rows[0]
    },
  }
}

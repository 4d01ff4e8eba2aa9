/** A customer of a shop who lets it keep a card. */

import assert from 'node:assert/strict'
import type { Answer } from '#test/support/world.ts'
import type { Customer, Shop } from './shop.ts'

export const orderOf = (reference: string) => ({ order: { customer: { reference } } })

/** Pays with the card on the page and agrees; returns the kept card as the merchant reads it. */
export async function keep(shop: Shop, card: Customer, customer: string): Promise<Answer['body']> {
  const { id } = await shop.checkout(orderOf(customer))
  const paid = await shop.submit(id, card, { kept_card: '', keep_card: 'en-1' })
  assert.equal(paid.status, 303, paid.text)
  const [newest] = await keptBy(shop, customer)
  assert.ok(newest)
  return newest
}

/** The kept cards of a customer, newest first. */
export async function keptBy(shop: Shop, customer: string): Promise<Answer['body'][]> {
  return (await shop.call('GET', `/kept-cards?customer=${encodeURIComponent(customer)}`)).body.data
}

/** The body of the form that pays with a kept card. */
export const withKept = (id: string, cvv2: string) => ({
  kept_card: id,
  card_number: '',
  expiry: '',
  cvv2,
})

/** The fields of the 0100 of an order. */
export async function authorizationOf(shop: Shop, order_id: string) {
  const { fields } = await shop.db
    .selectFrom('acquirer_messages as m')
    .innerJoin('orders as o', (join) =>
      join.onRef('o.tenant_id', '=', 'm.tenant_id').onRef('o.authorization_id', '=', 'm.id'),
    )
    .select('m.fields')
    .where('m.tenant_id', '=', shop.tenant.id)
    .where('o.id', '=', order_id)
    .executeTakeFirstOrThrow()
  return fields
}

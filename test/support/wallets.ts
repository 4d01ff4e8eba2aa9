/** Cards to put into wallets, with the data that their holder would give. */

import assert from 'node:assert/strict'
import { freshBin } from './belongings.ts'
import type { TestTenant, World } from './world.ts'

export type CardData = { card_number: string; expiry_date: string; cvv2: string }
export type Held = { id: string; data: CardData }

export type Told = { event: string; [member: string]: unknown }

/** Another CVV2, another month: never the right one. */
export const wrongCvv2 = ({ cvv2, ...data }: CardData): CardData => ({
  ...data,
  cvv2: String((Number(cvv2) + 1) % 1_000).padStart(3, '0'),
})
export const wrongExpiry = ({ expiry_date, ...data }: CardData): CardData => ({
  ...data,
  expiry_date: expiry_date.endsWith('-01') ? '2049-02' : '2049-01',
})

/** A tenant that is PCI compliant; `product` is one with cards that are ACTIVE at once. */
export async function openWallets(world: World, { api_key: key }: TestTenant = world.tenant) {
  const ask = (method: string, path: string, body?: object) =>
    world.request(method, `/v1/${path}`, body, { key })
  const made = async (method: string, path: string, body?: object) => {
    const answer = await ask(method, path, body)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const user = await made('POST', 'users', { first_name: 'Aisha', last_name: 'Khan' })
  const newProduct = (fields: object = {}) =>
    made('POST', 'cardproducts', {
      name: 'Travel',
      currency: 'AED',
      bin: freshBin(),
      initial_status_of_virtual_card: 'ACTIVE',
      ...fields,
    })
  const product = await newProduct()
  return {
    ask,
    user,
    product,
    newProduct,
    async card(fields: object = {}): Promise<Held> {
      const wanted = { user_id: user.id, card_product_id: product.id, card_type: 'VIRTUAL' }
      const { id } = await made('POST', 'cards', { ...wanted, ...fields })
      const { id: _id, ...data } = await made('GET', `cards/${id}:reveal`)
      return { id, data }
    },
    provision: (data: CardData, fields: object = {}) =>
      ask('POST', 'cards:provision', { ...data, wallet: 'APPLE', ...fields }),
    move: (id: string, status: string, status_reason_code: string) =>
      made('PUT', `cards/${id}:statuschange`, { status, status_reason_code }),
    advance: (advance: string) => made('PUT', 'simulate/clock', { advance }),
    /** What was reported of a card, in order; the feed shows it only a little later. */
    async eventsOf(card_id: string): Promise<Told[]> {
      const rows = await world.db
        .selectFrom('events')
        .select(['event', 'payload'])
        .where('object_id', '=', card_id)
        .orderBy('sequence')
        .execute()
      // The columns hold what `emit` wrote.
      return rows.map(({ event, payload }) => ({ ...(payload as object), event }))
    },
  }
}

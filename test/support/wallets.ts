/** Cards to put into wallets, with the data that their holder would give. */

import assert from 'node:assert/strict'
import { cardholder } from './cardholder.ts'
import { freshBin } from './contract/belongings.ts'
import { payloadsOf, type SentEvent } from './events.ts'
import type { Answer, TestTenant, World } from './world.ts'

const TRIES_MAX = 20

export type CardData = { card_number: string; expiry_date: string; cvv2: string }
export type Held = { id: string; data: CardData }

/** Another CVV2, another month: never the right one. */
export const wrongCvv2 = ({ cvv2, ...data }: CardData): CardData => ({
  ...data,
  cvv2: String((Number(cvv2) + 1) % 1_000).padStart(3, '0'),
})
export const wrongExpiry = ({ expiry_date, ...data }: CardData): CardData => ({
  ...data,
  expiry_date: expiry_date.endsWith('-01') ? '2049-02' : '2049-01',
})

/** A cardholder of a tenant that is PCI compliant, with the data of the cards. */
export async function openWallets(world: World, tenant: TestTenant = world.tenant) {
  const holder = await cardholder(world, tenant)
  const { ask } = holder
  return {
    ...holder,
    async newProduct(fields: object = {}) {
      const plain = { name: 'Travel', currency: 'AED', initial_status_of_virtual_card: 'ACTIVE' }
      const product = { ...plain, bin: freshBin(), ...fields }
      const { status, body, text } = await ask('POST', 'cardproducts', product)
      assert.equal(status, 200, text)
      return body
    },
    async card(fields: object = {}): Promise<Held> {
      const { id } = await holder.issue(fields)
      const { status, body, text } = await ask('GET', `cards/${id}:reveal`)
      assert.equal(status, 200, text)
      const { card_number, expiry_date, cvv2 } = body
      return { id, data: { card_number, expiry_date, cvv2 } }
    },
    /**
     * On a busy machine some requests wait too long for a connection (503); they are sent again.
     */
    async provision(data: CardData, fields: object = {}): Promise<Answer> {
      const body = { ...data, wallet: 'APPLE', ...fields }
      for (let tries = 1; ; tries++) {
        const answer = await ask('POST', 'cards:provision', body)
        if (answer.status !== 503 || tries === TRIES_MAX) return answer
      }
    },
    eventsOf: (card_id: string): Promise<SentEvent[]> => payloadsOf(world, card_id),
  }
}

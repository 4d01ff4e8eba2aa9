/** A tenant of the sandbox, made by a registration in its portal for one run of the suite. */

import assert from 'node:assert/strict'
import { Bezant } from '#client/index.ts'
import { BezantPortal } from '#client/portal.ts'
import { given } from './harness.ts'

export const baseUrl = given.base_url
const run = crypto.randomUUID()

export const login = { email: `${run}@bezant.example`, password: run }
const portal = new BezantPortal({ baseUrl })
const registered = await portal.registrations.create({ ...login, organization: `Suite ${run}` })
assert.ok('api_key' in registered)

export const tenant_id = registered.tenant.id
export const apiKey = registered.api_key
export const bezant = new Bezant({ baseUrl, apiKey })
export const operator = new Bezant({ baseUrl, token: given.operator_key })

export const openUser = (last_name: string) =>
  bezant.users.create({ first_name: 'Layla', last_name })
export const user = await openUser('Haddad')
const [product] = await bezant.cardProducts.list().all({ limit: 1 })
assert.ok(product)
const card_product_id = product.id
await bezant.cardProducts.update(card_product_id, { initial_status_of_virtual_card: 'ACTIVE' })

/** An active card of `user` with so many dirhams. */
export async function openCard(amount: number) {
  const order = { user_id: user.id, card_product_id, card_type: 'VIRTUAL' } as const
  const { id, account_id = '' } = await bezant.cards.create(order)
  await bezant.accounts.loadFunds(account_id, { currency: 'AED', amount })
  return { card_id: id, account_id }
}

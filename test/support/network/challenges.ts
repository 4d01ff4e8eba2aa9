/** A tenant whose cardholders are asked, by a server of its own or by mail. */

import assert from 'node:assert/strict'
import { asker, freshBin, newProduct } from '#test/support/contract/belongings.ts'
import type { Answer, TestTenant, World } from '#test/support/world.ts'

export const MERCHANT = { id: 'SHOP1', name: 'Date Palm Books' }
export const PAYMENT = { amount: 12.5, currency: 'AED', merchant: MERCHANT }

export async function openAsking(world: World, settings: object = {}, user: object = {}) {
  const tenant = await world.otherTenant(settings)
  const ask = asker(world, tenant.api_key)
  const person = { first_name: 'Layla', last_name: 'Haddad', ...user }
  const { id: user_id } = await ask('POST', '/v1/users', person)
  const product = { ...newProduct, bin: freshBin(), otp_3ds: true }
  const { id: card_product_id } = await ask('POST', '/v1/cardproducts', product)
  const of = { user_id, card_product_id, card_type: 'VIRTUAL' }
  const { id } = await ask('POST', '/v1/cards', of)
  const card_id = String(id)
  const call = (method: string, path: string, body?: object, at: Process = world) =>
    at.request(method, path, body, { key: tenant.api_key })
  const create = (more: object = {}) =>
    call('POST', '/v1/challenges', { card_id, ...PAYMENT, ...more })
  const act = (challenge: string, verb: string, body?: object, at?: Process) =>
    call('POST', `/v1/challenges/${challenge}:${verb}`, body, at)
  return { tenant, card_id, card_product_id: String(card_product_id), call, create, act }
}

export type Process = {
  request: (m: string, p: string, b?: unknown, o?: { key: string }) => Promise<Answer>
}
export type Asking = Awaited<ReturnType<typeof openAsking>> & { tenant: TestTenant }

/** The id of a challenge that was made. */
export function idOf({ status, text, body }: Answer): string {
  assert.equal(status, 200, text)
  return String(body.id)
}

export const wrongCode = (code: string, by = 1): string =>
  String((Number(code) + by) % 1_000_000).padStart(6, '0')

/** Status, code of the error and the tries that are left. */
export const refusalOf = ({ status, body }: Answer) => [status, body.code, body.tries_left]

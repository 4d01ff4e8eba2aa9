/** A member whose tenant has a card with money on its account. */

import assert from 'node:assert/strict'
import type { ConsoleStage } from './stage.ts'

const LOADED = 500

/** Signs up and makes the calls of First steps. Returns the e-mail. */
export async function makePayer(stage: ConsoleStage): Promise<string> {
  const { home } = stage
  const { page, context } = await stage.openPage()
  const address = await stage.signUp(page)
  const call = async (method: string, path: string, data?: object) => {
    const headers = { origin: home }
    const answer = await context.request.fetch(`${home}/v1${path}`, {
      ...{ method, headers },
      ...(data && { data }),
    })
    assert.ok(answer.ok(), `${method} ${path}: ${await answer.text()}`)
    return answer.json()
  }
  const { data: products } = await call('GET', '/cardproducts')
  const user = await call('POST', '/users', { first_name: 'Layla', last_name: 'Aziz' })
  const body = { user_id: user.id, card_product_id: products[0].id, card_type: 'VIRTUAL' }
  const card = await call('POST', '/cards', body)
  if (card.status !== 'ACTIVE') {
    const active = { status: 'ACTIVE', status_reason_code: 'A0' }
    await call('PUT', `/cards/${card.id}:statuschange`, active)
  }
  const { currency } = products[0]
  await call('POST', `/accounts/${card.account_id}:loadfunds`, { currency, amount: LOADED })
  await context.close()
  return address
}

/** Cards with money behind them, made through the API, for tests of what is paid with them. */

import assert from 'node:assert/strict'
import { zoneAtHour } from '#lib/time.ts'
import { freshBin } from './contract/belongings.ts'
import type { Answer, TestTenant, World } from './world.ts'

export type MadeCard = { card_id: string; account_id: string; user_id: string }

export type Issuer = {
  tenant: TestTenant
  /** A virtual card that may pay; `balance` in major units. `product` opens one of its own. */
  card: (balance?: number, product?: object) => Promise<MadeCard>
  /** Another card on the account of the first. */
  cardOn: (first: MadeCard) => Promise<MadeCard>
  call: World['request']
  /** The transaction of a simulated payment in AED, by its card; `amount` in major units. */
  pay: (card_id: string, amount: number, fields?: object) => Promise<Answer['body']>
  /** Runs in a time zone of the tenant in which it is this hour of the day. */
  atHour: <Result>(hour: number | undefined, run: () => Promise<Result>) => Promise<Result>
  /** Balance and what is held and available, in major units. */
  account: (id: string) => Promise<{ balance: number; held: number; available: number }>
}

/** Status of a card; by default the tenant is that of the world. */
type Wanted = { status?: 'ACTIVE' | 'INACTIVE'; key?: string }

/** A virtual card of a user and a product of its own, as it is revealed. */
export async function makeRevealedCard(world: World, { status = 'ACTIVE', key }: Wanted = {}) {
  const ask = async (method: string, path: string, body?: object) =>
    (await world.request(method, `/v1/${path}`, body, { key: key ?? world.tenant.api_key })).body
  const user = await ask('POST', 'users', { first_name: 'Aisha', last_name: 'Khan' })
  const product = await ask('POST', 'cardproducts', {
    name: 'Travel',
    currency: 'AED',
    bin: freshBin(),
    initial_status_of_virtual_card: status,
  })
  const input = { user_id: user.id, card_product_id: product.id, card_type: 'VIRTUAL' }
  const { id } = await ask('POST', 'cards', input)
  return ask('GET', `cards/${id}:reveal`)
}

/** The amount with which the program loads cards, in major units. */
const FUNDING = 1_000_000_000

export async function openIssuer(world: World, tenant = world.tenant): Promise<Issuer> {
  const call: World['request'] = async (method, path, body, options = {}) => {
    return world.request(method, path, body, { key: tenant.api_key, ...options })
  }
  const made = async (path: string, body: object) => {
    const answer = await call('POST', path, body)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const funding = { currency: 'AED', amount: FUNDING }
  const path = `/v1/operator/tenants/${tenant.id}/funding`
  const funded = await world.request('POST', path, funding, { key: world.operator_key })
  assert.equal(funded.status, 200, funded.text)
  const makeProduct = (fields: object) =>
    made('/v1/cardproducts', {
      name: 'Product',
      currency: 'AED',
      bin: freshBin(),
      initial_status_of_virtual_card: 'ACTIVE',
      ...fields,
    })
  const usual = await makeProduct({})
  const issue = async (body: object) => {
    const { id, account_id, user_id } = await made('/v1/cards', { card_type: 'VIRTUAL', ...body })
    return { card_id: id, account_id, user_id }
  }
  return {
    tenant,
    call,
    pay: (card_id, amount, fields = {}) =>
      made('/v1/simulate/authorizations', { card_id, amount, currency: 'AED', ...fields }),
    async card(balance = 0, product) {
      const user = await made('/v1/users', { first_name: 'Aisha', last_name: 'Khan' })
      const { id } = product ? await makeProduct(product) : usual
      const card = await issue({ user_id: user.id, card_product_id: id })
      const money = { currency: 'AED', amount: balance }
      if (balance > 0) await made(`/v1/accounts/${card.account_id}:loadfunds`, money)
      return card
    },
    async cardOn({ card_id, user_id, account_id }) {
      const { card_product_id } = (await call('GET', `/v1/cards/${card_id}`)).body
      return issue({ user_id, card_product_id, account_id })
    },
    async atHour(hour, run) {
      if (hour === undefined) return run()
      const set = async (time_zone: string | null) => {
        const answer = await call('PUT', '/v1/tenantsettings', { time_zone })
        assert.equal(answer.status, 200, answer.text)
      }
      const { now } = (await call('GET', '/v1/simulate/clock')).body
      await set(zoneAtHour(hour, new Date(now)))
      try {
        return await run()
      } finally {
        await set(null)
      }
    },
    async account(id) {
      const { balance, held_amount, available_balance } = (await call('GET', `/v1/accounts/${id}`))
        .body
      return { balance, held: held_amount, available: available_balance }
    },
  }
}

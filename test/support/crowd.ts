/**
 * Clients that use a platform while it is killed under them: each repeats a request with its key
 * until it is answered, and remembers what it was told, so that it can be held against the books.
 */

import assert from 'node:assert/strict'
import type { Chance } from './chances.ts'
import type { Insisted, Killable } from './killable.ts'
import { Acknowledgements, faultOfAnswer } from './oracle.ts'
import { FORM, newCheckout, pay } from './purchases.ts'

const KEY_HEADER = 'x-bezant-idempotency-key'
const RATE = { rate_limit_per_second: 100_000, rate_limit_burst: 100_000 }
const CURRENCY = 'AED'

export type Kind = 'load' | 'authorize' | 'clear' | 'refund' | 'order capture' | 'order refund'
/** What one key was told, with the object that it is about. */
export type Told = { kind: Kind; key: string; status: number; body: Body; about: string }
type Card = { id: string; account_id: string }
type OwnCard = Card & { status: string; moves: number }
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers member by member.
type Body = any

export type Crowd = {
  told: Told[]
  acknowledged: Acknowledgements
  /** Cards whose status only one client changes, as he believes them to be. */
  own_cards: OwnCard[]
  accounts: string[]
  cards: string[]
  /** References of orders that nobody has captured yet; whoever takes one captures it. */
  orders: string[]
  /** Posts under a new key until there is an answer, and remembers it. */
  post: (kind: Kind, url: string, about: string, bodyOf: (key: string) => object) => Promise<Body>
  requests: () => number
  cut: () => number
  /** Lets `count` clients work until `stop` is called; resolves when each has its last answer. */
  work: (count: number, chanceOf: (client: number) => Chance) => { stop: () => Promise<void> }
}

export async function gather(
  platform: Killable,
  { accounts, orders, own_cards }: { accounts: number; orders: number; own_cards: number },
): Promise<Crowd> {
  const { sandbox, insist } = platform
  const acknowledged = new Acknowledgements()
  const told: Told[] = []
  let [keys, requests, cut] = [0, 0, 0]

  type Asking = { key?: string; body?: object; token?: string; apikey?: string }
  async function ask(method: string, url: string, asking: Asking = {}): Promise<Insisted> {
    const { key, body, token, apikey = sandbox.tenant.api_key } = asking
    const keyHeader = token === undefined ? KEY_HEADER : 'idempotency-key'
    const headers = {
      ...(token === undefined ? { apikey } : { authorization: `Bearer ${token}` }),
      ...(key !== undefined && { [keyHeader]: key }),
    }
    const reply = await insist({ method, url, headers, body: body && JSON.stringify(body) })
    requests += 1
    cut += reply.cut
    const type = String(reply.headers['content-type'])
    assert.equal(faultOfAnswer({ ...reply, type }), undefined)
    return reply
  }
  async function made(method: string, url: string, asking: Asking = {}): Promise<Body> {
    const { status, text } = await ask(method, url, asking)
    assert.ok(status === 200 || status === 201, `${method} ${url}: ${status} ${text}`)
    return JSON.parse(text)
  }

  const operator = { apikey: sandbox.operator_key }
  const { id: tenant_id, card_product_id } = sandbox.tenant
  await made('PUT', `/v1/operator/tenants/${tenant_id}/settings`, { ...operator, body: RATE })
  await made('PUT', `/v1/cardproducts/${card_product_id}`, {
    body: { initial_status_of_virtual_card: 'ACTIVE' },
  })
  const { public_key, private_key } = sandbox.merchant
  const pair = { body: { public_key, private_key } }
  const { token } = await made('POST', '/api/v1.0/merchant/authentication', pair)
  const user = await made('POST', '/v1/users', {
    body: { first_name: 'Layla', last_name: 'Aziz' },
  })
  const newCard = (): Promise<Card & { status: string }> =>
    made('POST', '/v1/cards', {
      body: { user_id: user.id, card_product_id, card_type: 'VIRTUAL' },
    })
  const times = async <Value>(count: number, make: () => Promise<Value>): Promise<Value[]> => {
    const list: Value[] = []
    for (let at = 0; at < count; at++) list.push(await make())
    return list
  }
  const cards = await times(accounts, newCard)
  for (const { account_id } of cards) {
    const body = { currency: CURRENCY, amount: 10_000 }
    await made('POST', `/v1/accounts/${account_id}:loadfunds`, { body })
  }
  const own: OwnCard[] = (await times(own_cards, newCard)).map((card) => ({ ...card, moves: 0 }))
  const buyer = cards[0]
  assert.ok(buyer)
  const revealed = await made('GET', `/v1/cards/${buyer.id}:reveal`)
  const opened = await times(orders, async () => {
    const body = newCheckout()
    const { checkout_url } = await made('POST', '/api/v1.0/checkouts', { token, body })
    const browse = (url: string, form?: string) =>
      platform.clients.ask({
        method: form === undefined ? 'GET' : 'POST',
        url,
        headers: form === undefined ? {} : FORM,
        body: form,
      })
    await pay(browse, checkout_url, revealed)
    return body.reference
  })

  /** Posts under a new key and remembers the answer. */
  async function post(kind: Kind, url: string, about: string, bodyOf: (key: string) => object) {
    const key = `k${++keys}`
    const byMerchant = kind.startsWith('order')
    const asking = { key, body: bodyOf(key), ...(byMerchant && { token }) }
    const { status, text } = await ask('POST', url, asking)
    const body: Body = JSON.parse(text)
    told.push({ kind, key, status, body, about })
    const scope = byMerchant ? `merchant:${await merchantId()}:` : ''
    if (![400, 401, 403, 429].includes(status))
      acknowledged.note({ tenant_id, key: scope + key, status, text })
    return body
  }
  let merchant_id: string | undefined
  async function merchantId(): Promise<string> {
    merchant_id ??= String((await made('GET', '/v1/operator/merchants', operator)).data.at(-1).id)
    return merchant_id
  }

  async function moveCard(card: OwnCard): Promise<void> {
    const isActive = card.status === 'ACTIVE'
    const wanted = isActive
      ? { status: 'SUSPENDED', status_reason_code: 'S0' }
      : { status: 'ACTIVE', status_reason_code: 'A0' }
    const reply = await ask('PUT', `/v1/cards/${card.id}:statuschange`, { body: wanted })
    // An answer that was cut may have been the one; then the card stands where it was to go.
    const came = reply.cut > 0 && reply.status === 409
    assert.ok(reply.status === 200 || came, reply.text)
    const now = await made('GET', `/v1/cards/${card.id}`)
    assert.equal(now.status, wanted.status)
    card.status = wanted.status
    card.moves += 1
  }

  function client(chance: Chance, card: OwnCard | undefined) {
    const one = <Item>(items: readonly Item[]): Item | undefined =>
      items[Math.floor(chance() * items.length)]
    const amount = () => (1 + Math.floor(chance() * 500)) / 100
    const [held, cleared, captured]: [Body[], Body[], string[]] = [[], [], []]

    return async function act(): Promise<void> {
      const dice = chance()
      const { id: card_id = '', account_id = '' } = one(cards) ?? {}
      const money = { currency: CURRENCY, amount: amount() }
      if (dice < 0.1 && card) return moveCard(card)
      if (dice < 0.2 && held.length > 0) {
        const { id } = held.pop()
        cleared.push(await post('clear', `/v1/simulate/authorizations/${id}:clear`, id, () => ({})))
        return
      }
      if (dice < 0.27 && cleared.length > 0) {
        const { id, amount: all } = cleared.pop()
        const body = { transaction_id: id, currency: CURRENCY, amount: all }
        await post('refund', '/v1/simulate/refunds', id, (key) => ({
          ...body,
          merchant: { name: key },
        }))
        return
      }
      if (dice < 0.3 && captured.length > 0) {
        const reference = captured.pop() ?? ''
        const url = `/api/v1.0/orders/${reference}/refund/`
        await post('order refund', url, reference, () => ({ total: '10.00', currency: CURRENCY }))
        return
      }
      if (dice < 0.33 && opened.length > 0) {
        const reference = opened.pop() ?? ''
        const url = `/api/v1.0/orders/${reference}/capture/`
        const { status } = await post('order capture', url, reference, () => ({ total: '10.00' }))
        if (status === 'SUCCESS') captured.push(reference)
        return
      }
      if (dice < 0.65) {
        const url = `/v1/accounts/${account_id}:loadfunds`
        await post('load', url, account_id, (key) => ({ ...money, notes: key }))
        return
      }
      const made = await post('authorize', '/v1/simulate/authorizations', card_id, (key) => ({
        ...money,
        card_id,
        merchant: { name: key },
      }))
      if (made.status === 'PENDING') held.push(made)
    }
  }

  return {
    told,
    acknowledged,
    own_cards: own,
    accounts: cards.map(({ account_id }) => account_id),
    cards: cards.map(({ id }) => id),
    orders: opened,
    post,
    requests: () => requests,
    cut: () => cut,
    work(count, chanceOf) {
      let stopping = false
      const lanes = Array.from({ length: count }, async (_, at) => {
        const act = client(chanceOf(at), own[at])
        while (!stopping) await act()
      })
      const all = Promise.all(lanes)
      all.catch(() => {})
      return {
        async stop() {
          stopping = true
          await all
        },
      }
    },
  }
}

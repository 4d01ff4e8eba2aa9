/** Changes by the API after which no authorization of a card may be approved. */

import assert from 'node:assert/strict'
import { Secret } from '#lib/secret.ts'
import { purchase, type TestMessage } from './desk.ts'
import { type Issuer, type MadeCard, openIssuer } from './issuer.ts'
import { anotherPin, format4, oneNumber, preparePins } from './network/pins.ts'
import type { World } from './world.ts'

/** One subject of races: it is approved, changed, and what can be restored is restored. */
export type Revocable = {
  /** The tenant of its own if the change is to that; else undefined, for the given one. */
  tenant_id?: string
  message: () => TestMessage
  /** Answers whether the change has happened: another may have come before it. */
  revoke: () => Promise<boolean>
  restore: () => Promise<void>
}

type Make = (world: World, issuer: Issuer) => Promise<Revocable>

const BALANCE = 100_000
/** Minor units. */
const AMOUNT = 1n
const money = { currency: 'AED', amount: Number(AMOUNT) / 100 }

const caller =
  ({ call }: Issuer) =>
  async (method: string, path: string, body?: object) => {
    const answer = await call(method, `/v1/${path}`, body)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }

/** The same PUT with one body or the other. */
async function switched(
  issuer: Issuer,
  card: MadeCard,
  path: string,
  [off, on]: readonly [object, object],
  fields: Partial<TestMessage> = {},
): Promise<Revocable> {
  const ask = caller(issuer)
  return {
    message: () => purchase(card, AMOUNT, fields),
    async revoke() {
      await ask('PUT', path, off)
      return true
    },
    async restore() {
      await ask('PUT', path, on)
    },
  }
}

/** An object that ends for good is made anew for each race. */
async function ended(
  issuer: Issuer,
  make: () => Promise<{ path: string; body: object; message: () => TestMessage }>,
): Promise<Revocable> {
  let current = await make()
  return {
    message: () => current.message(),
    async revoke() {
      await caller(issuer)('PUT', current.path, current.body)
      return true
    },
    async restore() {
      current = await make()
    },
  }
}

const suspended = [
  { status: 'SUSPENDED', status_reason_code: 'S0' },
  { status: 'ACTIVE', status_reason_code: 'A0' },
] as const
const off = { ecommerce_non_3ds: false }
const on = { ecommerce_non_3ds: null }
const verification = { amount: 0n, processing_code: '330000', is_verification: true }

async function pinChanged(world: World, issuer: Issuer): Promise<Revocable> {
  const { card_id } = await issuer.card(BALANCE, oneNumber)
  const number = await preparePins(world, card_id, issuer.tenant.api_key)
  let stored = ''
  const change = async () => {
    let next = anotherPin()
    while (next === stored) next = anotherPin()
    await caller(issuer)('PUT', `cards/${card_id}:changepin`, { enc_pin: format4(next, number) })
    stored = next
  }
  await change()
  let known = stored
  const withPin = () => ({
    card: { pan: new Secret(number) },
    processing_code: '010000',
    pin_block: new Secret(format4(known, number)),
  })
  return {
    message: () => purchase({ card_id }, AMOUNT, withPin()),
    async revoke() {
      await change()
      return true
    },
    /** Wrong tries have blocked the PIN; a new one is not blocked. */
    async restore() {
      await change()
      known = stored
    },
  }
}

/** The last of the money: a decision and the unloading cannot both have it. */
async function unloaded(_world: World, issuer: Issuer): Promise<Revocable> {
  const card = await issuer.card(money.amount)
  const path = `/v1/accounts/${card.account_id}`
  return {
    message: () => purchase(card, AMOUNT),
    async revoke() {
      const { status } = await issuer.call('POST', `${path}:unloadfunds`, money)
      return status === 200
    },
    async restore() {
      await caller(issuer)('POST', `accounts/${card.account_id}:loadfunds`, money)
    },
  }
}

/** The list stays the same; its contents change. */
async function listChanged(issuer: Issuer, of: 'product' | 'authsettings'): Promise<Revocable> {
  const ask = caller(issuer)
  const card = await issuer.card(BALANCE, {})
  const { card_product_id } = await ask('GET', `cards/${card.card_id}`)
  const all = { name: 'Shops', merchants: [{ merchant_id: 'SHOP1', allow: true }] }
  const { id } = await ask('POST', 'allowedmerchants', all)
  const path = of === 'product' ? `cardproducts/${card_product_id}` : `cards/${card.card_id}/${of}`
  await ask('PUT', path, { allowed_merchants_id: id })
  const none = { merchants: [{ merchant_id: 'SHOP1', allow: false }] }
  return switched(issuer, card, `allowedmerchants/${id}`, [none, all])
}

async function stopped(_world: World, issuer: Issuer): Promise<Revocable> {
  const ask = caller(issuer)
  const card = await issuer.card(BALANCE)
  const path = `cards/${card.card_id}/stoporders`
  let order = ''
  return {
    message: () => purchase(card, AMOUNT, { recurring: true, entry_mode: 'CREDENTIAL_ON_FILE' }),
    async revoke() {
      order = (await ask('POST', path, { merchant_id: 'SHOP1' })).id
      return true
    },
    async restore() {
      await ask('DELETE', `${path}/${order}`)
    },
  }
}

async function tokenOf(issuer: Issuer, { card_id }: MadeCard) {
  const ask = caller(issuer)
  const { card_number, expiry_date, cvv2 } = await ask('GET', `cards/${card_id}:reveal`)
  const data = { card_number, expiry_date, cvv2, wallet: 'APPLE' }
  const { id } = await ask('POST', 'cards:provision', data)
  const { token_number } = await ask('GET', `tokens/${id}:reveal`)
  const message = () => purchase(undefined, AMOUNT, { card: { pan: new Secret(token_number) } })
  return { path: `tokens/${id}`, message }
}

/** Revocations by the change that they make. */
export const revocations: Readonly<Record<string, Make>> = {
  async 'a card suspended'(_world, issuer) {
    const card = await issuer.card(BALANCE)
    return switched(issuer, card, `cards/${card.card_id}:statuschange`, suspended)
  },
  async 'a card suspended, and verified for 0.00'(_world, issuer) {
    const card = await issuer.card(BALANCE)
    return switched(issuer, card, `cards/${card.card_id}:statuschange`, suspended, verification)
  },
  async 'a setting of a card'(_world, issuer) {
    const card = await issuer.card(BALANCE)
    return switched(issuer, card, `cards/${card.card_id}/authsettings`, [off, on])
  },
  async 'a setting of a card product'(_world, issuer) {
    const card = await issuer.card(BALANCE, {})
    const { card_product_id } = await caller(issuer)('GET', `cards/${card.card_id}`)
    const settings = [{ auth_settings: off }, { auth_settings: on }] as const
    return switched(issuer, card, `cardproducts/${card_product_id}`, settings)
  },
  async 'a setting of the tenant'(world) {
    const own = await openIssuer(world, await world.otherTenant())
    const card = await own.card(BALANCE)
    const settings = [{ atm_deposit: false }, { atm_deposit: true }] as const
    const pos = { entry_mode: 'CHIP', environment: 'ATM' } as const
    const deposit = { message_type: '0200', processing_code: '210000', pos } as const
    const subject = await switched(own, card, 'tenantsettings', settings, deposit)
    return { ...subject, tenant_id: own.tenant.id }
  },
  async 'a user suspended'(_world, issuer) {
    const card = await issuer.card(BALANCE)
    return switched(issuer, card, `users/${card.user_id}:changeStatus`, suspended)
  },
  async 'an account suspended'(_world, issuer) {
    const card = await issuer.card(BALANCE)
    const statuses = [{ status: 'SUSPENDED' }, { status: 'ACTIVE' }] as const
    return switched(issuer, card, `accounts/${card.account_id}:statuschange`, statuses)
  },
  async 'a token suspended'(_world, issuer) {
    const { path, message } = await tokenOf(issuer, await issuer.card(BALANCE))
    const ask = caller(issuer)
    return {
      message,
      async revoke() {
        await ask('PUT', path, { status: 'SUSPENDED' })
        return true
      },
      async restore() {
        await ask('PUT', path, { status: 'ACTIVE' })
      },
    }
  },
  'a token deleted': async (_world, issuer) => {
    const card = await issuer.card(BALANCE)
    return ended(issuer, async () => ({
      ...(await tokenOf(issuer, card)),
      body: { status: 'DELETED' },
    }))
  },
  'a user terminated': async (_world, issuer) =>
    ended(issuer, async () => {
      const card = await issuer.card(BALANCE / 100)
      const body = { status: 'TERMINATED', status_reason_code: 'T0' }
      const path = `users/${card.user_id}:changeStatus`
      return { path, body, message: () => purchase(card, AMOUNT) }
    }),
  'a list of a card': async (_world, issuer) => listChanged(issuer, 'authsettings'),
  'a list of a card product': async (_world, issuer) => listChanged(issuer, 'product'),
  'a stop order made': stopped,
  'a PIN changed': pinChanged,
  'the money unloaded': unloaded,
}

/**
 * A sandbox clock that moves makes everything due happen before the call answers (D-70, D-479).
 * Nothing else passes time here: each deadline is looked at from both sides, a second away.
 */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventsOf } from '#events/outbox.ts'
import type { Database } from '#kit/db/tables.ts'
import { endOfMonth } from '#lib/time.ts'
import { windowOf } from '#lib/window.ts'
import { openShop } from '#test/e2e/shop.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { linkLimit } from '#test/support/limits.ts'
import { people } from '#test/support/people.ts'
import { openReceiver, until } from '#test/support/services/receiver.ts'
import { moveClockTo } from '#test/support/time/moved_clock.ts'
import type { TestTenant } from '#test/support/world.ts'

const keep = keeper()
const shop = keep(await openShop())
shop.sweeper.start()
const receiver = keep(await openReceiver())

const ZONE = 'Asia/Dubai'
const SECOND = 1000

/** An object with a deadline: how it looks before it, and from then on. */
type Deadline = { at: Date; look: () => Promise<unknown>; before: unknown; after: unknown }
type Begin = (tenant: TestTenant) => Promise<Deadline>

const askAs =
  ({ api_key: key }: TestTenant) =>
  async (method: string, path: string, body?: unknown) =>
    (await shop.request(method, `/v1/${path}`, body, { key })).body

const moveTo = (tenant: TestTenant, now: Date) => moveClockTo(shop, tenant, now)

type Table = 'cards' | 'monthly_charges' | 'sandbox_applicants' | 'deliveries'
/** A stored instant of the only row of the tenant. */
async function stored<Name extends Table>(
  { id }: TestTenant,
  table: Name,
  column: keyof Database[Name] & string,
): Promise<Date> {
  const row = await shop.db
    .selectFrom(table as 'cards')
    .select(column as 'created')
    .where('tenant_id', '=', id)
    .executeTakeFirstOrThrow()
  return (row as Record<string, Date>)[column] ?? assert.fail(`${column} is empty`)
}

const pay = async (tenant: TestTenant, card_id: string, fields: object = {}) => {
  const payment = { card_id, amount: 10, currency: 'AED', ...fields }
  return askAs(tenant)('POST', 'simulate/authorizations', payment)
}
const cardOf = async (tenant: TestTenant, product: object = {}) =>
  (await openIssuer(shop, tenant)).card(100, product)

const otherThan = (cvv2: string) => String((Number(cvv2) + 1) % 1000).padStart(3, '0')

const deadlines: Record<string, Begin> = {
  'the end of a hold': async (tenant) => {
    const { card_id } = await cardOf(tenant)
    const { id, hold_expires } = await pay(tenant, card_id)
    const look = async () => (await askAs(tenant)('GET', `transactions/${id}`)).status
    return { at: new Date(hold_expires), look, before: 'PENDING', after: 'EXPIRED' }
  },
  'the end of a daily velocity limit': async (tenant) => {
    const issuer = await openIssuer(shop, tenant)
    const { card_id } = await issuer.card(100)
    const daily = { type: 'CUMULATIVE', max_amount: 10, period: 'DAILY' }
    await linkLimit(issuer, 'velocitylimits', `cards/${card_id}`, daily)
    await pay(tenant, card_id)
    const { now } = await askAs(tenant)('GET', 'simulate/clock')
    const at = windowOf('DAILY', new Date(now), ZONE).end
    const look = async () => (await pay(tenant, card_id)).status_code
    return { at, look, before: '1897', after: '0000' }
  },
  'the end of the 90 minutes of an SDK token': async (tenant) => {
    await askAs(tenant)('PUT', 'tenantsettings', { require_document_verification: true })
    const they = people(shop, tenant)
    const { id } = await they.create()
    const token = await they.token(id)
    const at = await stored(tenant, 'sandbox_applicants', 'token_expires')
    const { now } = await askAs(tenant)('GET', 'simulate/clock')
    const left = at.getTime() - Date.parse(now)
    assert.ok(left <= 90 * 60 * SECOND && left > 89 * 60 * SECOND)
    const look = async () => (await shop.app.inject(`/identity/${token}`)).statusCode
    return { at, look, before: 200, after: 410 }
  },
  'the days before the end of a document': async (tenant) => {
    const they = people(shop, tenant)
    const { id } = await they.create()
    const { expiration_date } = await they.addIdentification(id, {
      expiration_date: they.inDays(60),
    })
    const at = new Date(Date.parse(expiration_date) - 30 * 24 * 3600 * SECOND)
    return { at, look: () => they.state(id), before: 'ACTIVE/A0', after: 'ACTIVE/A6' }
  },
  'the end of the 24 hours of a provisioning block': async (tenant) => {
    const { card_id } = await cardOf(tenant)
    const { card_number, expiry_date, cvv2 } = await askAs(tenant)('GET', `cards/${card_id}:reveal`)
    const wrong = { card_number, expiry_date, cvv2: otherThan(cvv2), wallet: 'OTHER' }
    for (let tries = 0; tries < 5; ) {
      const key = { key: tenant.api_key }
      const { status } = await shop.request('POST', '/v1/cards:provision', wrong, key)
      // A busy machine may answer that it is overloaded, which is no try.
      if (status < 500) tries += 1
    }
    const at = await stored(tenant, 'cards', 'provisioning_blocked_until')
    const look = async () => (await askAs(tenant)('GET', `cards/${card_id}`)).status_reason_code
    return { at, look, before: 'P0', after: 'A0' }
  },
  'the end of the 24 hours of a CVV2 block': async (tenant) => {
    const { card_id } = await cardOf(tenant)
    const { cvv2 } = await askAs(tenant)('GET', `cards/${card_id}:reveal`)
    await askAs(tenant)('PUT', 'tenantsettings', { card_verification_max_tries: 1 })
    const { created } = await pay(tenant, card_id, { cvv2: otherThan(cvv2) })
    const at = new Date(Date.parse(created) + 24 * 3600 * SECOND)
    const look = async () => (await pay(tenant, card_id, { cvv2 })).status_code
    return { at, look, before: '1022', after: '0000' }
  },
  'the next attempt of a delivery': async (tenant) => {
    receiver.answer(500)
    await askAs(tenant)('PUT', 'tenantsettings', { webhook_retry_seconds: [3600, 3600] })
    const hook = { endpoint: receiver.url, events: ['USER_CREATED'] }
    const { id } = await askAs(tenant)('POST', 'webhooks', hook)
    await askAs(tenant)('POST', 'users', { first_name: 'Aisha', last_name: 'Khan' })
    const look = async () => {
      const { data } = await askAs(tenant)('GET', `webhooks/${id}/deliveries`)
      return data[0].status
    }
    await until('the first attempt has failed', async () => (await look()) === 'RETRYING')
    receiver.answer(200)
    const at = await stored(tenant, 'deliveries', 'due')
    return { at, look, before: 'RETRYING', after: 'DELIVERED' }
  },
  'the month of a card': async (tenant) => {
    const { account_id } = await cardOf(tenant, { charges: [{ type: 'MONTHLY', amount: 2 }] })
    const at = await stored(tenant, 'monthly_charges', 'due')
    const look = async () => (await askAs(tenant)('GET', `accounts/${account_id}`)).balance
    return { at, look, before: 100, after: 98 }
  },
  'the last second of the last month of a card': async (tenant) => {
    const { card_id } = await cardOf(tenant)
    const { expiry_date } = await askAs(tenant)('GET', `cards/${card_id}`)
    const look = async () => (await pay(tenant, card_id)).status_code
    return { at: endOfMonth(expiry_date), look, before: '0000', after: '1001' }
  },
}

/**
 * The clock runs on while a test looks. If it has passed the deadline by then, because the machine
 * is busy, another one is tried from further away: 2, 4, 8 and 16 seconds.
 */
const TRIES = 5

describe('a clock that moves passes', () => {
  for (const [name, begin] of Object.entries(deadlines)) {
    test(name, async () => {
      for (let tries = 0; ; tries += 1) {
        assert.ok(tries < TRIES, `${TRIES} looks took too long`)
        const policy = { days_prior_expiration: 30 }
        const settings = { pci_compliant: true, time_zone: ZONE, expired_idv_policy: policy }
        const tenant = await shop.otherTenant(settings)
        const deadline = await begin(tenant)
        await moveTo(tenant, new Date(deadline.at.getTime() - SECOND * 2 ** tries))
        const seen = await deadline.look()
        const { now } = await askAs(tenant)('GET', 'simulate/clock')
        if (Date.parse(now) >= deadline.at.getTime()) continue
        assert.deepEqual(seen, deadline.before)
        await moveTo(tenant, new Date(deadline.at.getTime() + SECOND))
        assert.deepEqual(await deadline.look(), deadline.after)
        return
      }
    })
  }

  test('the capture window of an order', async () => {
    const card = await shop.customer(50_000n)
    const { order_id, capture_expiration } = await shop.order(card)
    const at = Date.parse(capture_expiration)
    await moveTo(shop.tenant, new Date(at - 60 * SECOND))
    assert.equal((await eventsOf(await shop.ctx(), order_id)).at(-1), 'ORDER_CAPTURE_EXPIRING')
    await moveTo(shop.tenant, new Date(at + SECOND))
    assert.equal((await eventsOf(await shop.ctx(), order_id)).at(-1), 'ORDER_EXPIRED')
    // The reversal has reached the issuer and is acknowledged.
    assert.deepEqual(await shop.account(card), { balance: 50_000n, held: 0n })
  })
})

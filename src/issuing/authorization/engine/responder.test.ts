/** The responder of a tenant: asked outside of batches, and the effects of its answers (D-58). */

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { afterEach, describe, test } from 'node:test'
import { about, purchase } from '#test/support/desk.ts'
import { type MadeCard, openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { openSecondEngine } from '#test/support/processes/second_engine.ts'
import { openReceiver, type Received, until } from '#test/support/services/receiver.ts'
import { openWorld } from '#test/support/world.ts'

const keep = keeper()
const world = keep(await openWorld())
const issuer = await openIssuer(world)
const receiver = keep(await openReceiver())
const second = keep(openSecondEngine(world))
const { engine } = world
const tenant_id = world.tenant.id

/** Each test has a URL of its own, so that its breaker is closed. */
let urls = 0
async function register(fields: object = {}) {
  urls += 1
  const responder = { url: `${receiver.url}?${urls}`, default_action: 'DECLINE', ...fields }
  const { status, body, text } = await issuer.call('PUT', '/v1/tenantsettings', { responder })
  assert.equal(status, 200, text)
  receiver.received.length = 0
  return body.responder
}
afterEach(() => receiver.answer(200))

const replying = (body: unknown, status = 200) =>
  receiver.answer((response) => response.writeHead(status).end(JSON.stringify(body)))

async function pay(card_id: string, fields: object = {}) {
  const body = { card_id, amount: 100, currency: 'AED', ...fields }
  const answer = await issuer.call('POST', '/v1/simulate/authorizations', body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
async function tracedAt(id: string): Promise<string> {
  const { checks } = (await issuer.call('GET', `/v1/transactions/${id}/trace`)).body
  return checks.find(({ check }: { check: string }) => check === 'responder')?.detail
}

const first = await register()

describe('a responder', () => {
  test('approves: it gets the transaction under its later id, signed', async () => {
    const { secret } = first
    assert.match(secret, /^whsec_/)
    assert.equal((await register()).secret, undefined, 'the secret is shown once')
    replying({ approved: true })
    const card = await issuer.card(500)
    const merchant = { id: 'SHOP1', name: 'Shop', mcc: '5411', country: 'ARE' }
    const { id, status_code, created } = await pay(card.card_id, { merchant })
    assert.equal(status_code, '0000')
    const [asked, ...others] = receiver.received
    assert.equal(others.length, 0)
    assert.partialDeepStrictEqual(asked?.body, {
      id,
      ...card,
      message_type: '0100',
      transaction_type: 'PURCHASE',
      status: 'PENDING',
      amount: 100,
      currency: 'AED',
      billing_amount: 100,
      billing_currency: 'AED',
      merchant,
    })
    assertSigned(asked, [secret])
    assert.ok(Math.abs(Date.parse(created) - (asked?.at ?? 0)) < 5_000)
    assert.match(await tracedAt(id), /^approved, HTTP 200 after \d+ ms$/)
  })

  test('is signed with both secrets after a rotation', async () => {
    const rotated = await issuer.call('POST', '/v1/tenantsettings/responder:rotateSecret')
    assert.equal(rotated.status, 200, rotated.text)
    replying({ approved: true })
    await pay((await issuer.card(500)).card_id)
    assertSigned(receiver.received.at(-1), [rotated.body.secret, first.secret])
    const other = await openIssuer(world, await world.otherTenant())
    const early = await other.call('POST', '/v1/tenantsettings/responder:rotateSecret')
    assert.match(early.body.secret, /^whsec_/)
    const set = await other.call('PUT', '/v1/tenantsettings', { responder: { url: receiver.url } })
    assert.equal(set.body.responder.secret, undefined)
  })

  test('declines with 1851, and nothing is held', async () => {
    replying({ approved: false })
    const { card_id, account_id } = await issuer.card(500)
    const { id, status, status_code } = await pay(card_id)
    assert.deepEqual([status, status_code], ['DECLINED', '1851'])
    assert.match(await tracedAt(id), /^declined, HTTP 200/)
    assert.equal((await issuer.account(account_id)).held, 0)
  })

  test('lowers the amount where terminal and product allow it, else declines (1851)', async () => {
    replying({ approved: true, amount: 60.5 })
    const { card_id } = await issuer.card(500, { partial_approval: true })
    const partial = await pay(card_id, { partial_approval: true })
    assert.deepEqual([partial.status_code, partial.amount], ['0002', 60.5])
    assert.match(await tracedAt(partial.id), /^approved 6050 of 10000/)
    assert.equal((await pay(card_id)).status_code, '1851')
    const { card_id: other } = await issuer.card(500)
    assert.equal((await pay(other, { partial_approval: true })).status_code, '1851')
    // Funds allow still less than the responder.
    const { card_id: poor } = await issuer.card(20, { partial_approval: true })
    assert.equal((await pay(poor, { partial_approval: true })).amount, 20)
  })

  test('is not asked about what is declined, moves no debit, or was decided before', async () => {
    replying({ approved: true })
    const { card_id } = await issuer.card(500)
    await register()
    assert.equal((await pay(card_id, { amount: 501 })).status_code, '1016')
    assert.equal((await pay(card_id, { cvv2: '0000' })).status_code, '1022')
    assert.equal(
      (await pay(card_id, { transaction_type: 'VERIFICATION', amount: 0 })).status_code,
      '0885',
    )
    await pay(card_id, { transaction_type: 'ORIGINAL_CREDIT' })
    const advice = purchase({ card_id }, 100n, { message_type: '0120' })
    const advised_approval = { approved: true, approval_code: '123456' }
    await engine.submit(tenant_id, { request: { ...advice, advised_approval } })
    assert.equal(receiver.received.length, 0)
    const { id } = await pay(card_id)
    for (const act of ['clear', 'reverse']) {
      await issuer.call('POST', `/v1/simulate/authorizations/${id}:${act}`, {})
    }
    assert.equal(receiver.received.length, 1)
    await issuer.call('POST', `/v1/simulate/authorizations/${(await pay(card_id)).id}:increment`, {
      amount: 5,
    })
    assert.deepEqual(
      receiver.received.map(({ body }) => body.amount),
      [100, 100, 5],
    )
  })

  test('is not asked about the cards of a product that skips it, until that asks again', async () => {
    await register()
    replying({ approved: false })
    const { card_id } = await issuer.card(500, { responder: 'SKIP' })
    const paid = await pay(card_id)
    assert.equal(paid.status_code, '0000')
    assert.equal(await tracedAt(paid.id), 'not asked')
    assert.equal(receiver.received.length, 0)
    const { card_product_id } = (await issuer.call('GET', `/v1/cards/${card_id}`)).body
    const path = `/v1/cardproducts/${card_product_id}`
    const changed = await issuer.call('PUT', path, { responder: 'ASK' })
    assert.deepEqual([changed.status, changed.body.responder], [200, 'ASK'])
    assert.equal((await pay(card_id)).status_code, '1851')
    assert.equal(receiver.received.length, 1)
  })

  test('is not asked by what_if, whose trace says so', async () => {
    await register()
    const { card_id } = await issuer.card(500)
    const body = { card_id, amount: 100, currency: 'AED' }
    const answer = await issuer.call('POST', '/v1/simulate/authorizations?what_if=true', body)
    assert.equal(answer.body.status_code, '0000', answer.text)
    const entry = answer.body.checks.find(({ check }: { check: string }) => check === 'responder')
    assert.equal(entry.detail, 'not asked')
    assert.equal(receiver.received.length, 0)
  })

  test('that is removed is asked no more, and keeps its secret for the next time', async () => {
    await issuer.call('PUT', '/v1/tenantsettings', { responder: null })
    const { card_id } = await issuer.card(500)
    assert.equal((await pay(card_id)).status_code, '0000')
    assert.equal(receiver.received.length, 0)
    assert.equal((await register()).secret, undefined)
  })
})

describe('without a valid answer', () => {
  const failures: [name: string, answer: (response: ServerResponse) => unknown, cause: RegExp][] = [
    ['a status of an error', (response) => response.writeHead(500).end(), /HTTP 500/],
    ['a redirect', (response) => response.writeHead(302, { location: '/' }).end(), /HTTP 302/],
    ['bad JSON', (response) => response.end('{"approved":tru'), /JSON/],
    ['too much', (response) => response.end('x'.repeat(70_000)), /too large/],
    ['a connection that breaks', (response) => response.destroy(), /connection reset/],
    ['none in time', () => {}, /timeout after ([5-9]\d\d|\d{4,}) ms/],
  ]
  for (const [name, answer, cause] of failures) {
    test(`${name}: the default action decides`, async () => {
      for (const [default_action, code] of [
        ['APPROVE', '0000'],
        ['DECLINE', '1852'],
      ] as const) {
        await register({ default_action, timeout_ms: 500 })
        receiver.answer(answer)
        const { id, status_code } = await pay((await issuer.card(500)).card_id)
        assert.equal(status_code, code)
        const detail = await tracedAt(id)
        assert.match(detail, cause)
        assert.match(detail, new RegExp(`^${default_action} by default`))
      }
    })
  }

  test('a connection that is refused', async () => {
    const gone = await openReceiver()
    await gone.close()
    await register({ url: gone.url, default_action: 'decline' })
    const { id, status_code } = await pay((await issuer.card(500)).card_id)
    assert.equal(status_code, '1852')
    assert.match(await tracedAt(id), /connection refused/)
  })

  test('a private address is not called where the tenant forbids it', async () => {
    await register()
    await world.request(
      'PUT',
      `/v1/operator/tenants/${tenant_id}/settings`,
      { allow_private_endpoints: false },
      { key: world.operator_key },
    )
    const { id } = await pay((await issuer.card(500)).card_id)
    assert.match(await tracedAt(id), /address refused/)
    const again = await issuer.call('PUT', '/v1/tenantsettings', {
      responder: { url: receiver.url },
    })
    assert.deepEqual(
      again.body.errors?.map(({ path }: { path: string }) => path),
      ['responder.url'],
    )
    await world.request(
      'PUT',
      `/v1/operator/tenants/${tenant_id}/settings`,
      { allow_private_endpoints: null },
      { key: world.operator_key },
    )
  })

  test('five times in a row it is not asked, until its URL is another', async () => {
    await register()
    receiver.answer(500)
    const cards = await Promise.all(Array.from({ length: 5 }, () => issuer.card(500)))
    for (const { card_id } of cards) await pay(card_id)
    const { id, status_code } = await pay((await issuer.card(500)).card_id)
    assert.equal(status_code, '1852')
    assert.match(await tracedAt(id), /breaker open/)
    assert.equal(receiver.received.length, 5)
    await register()
    replying({ approved: true })
    assert.equal((await pay((await issuer.card(500)).card_id)).status_code, '0000')
  })
})

describe('while it is asked', () => {
  /** The answers that are held back, by the amount of the transaction, minor units. */
  function hold() {
    const waiting: { received: Received; reply: (body?: object) => void }[] = []
    receiver.answer((response, received) => {
      const reply = (body: object = { approved: true }) => response.end(JSON.stringify(body))
      waiting.push({ received, reply })
    })
    return {
      waiting,
      asked: (count: number) => until('questions', () => waiting.length === count),
    }
  }
  const ask = (request: ReturnType<typeof purchase>, by = engine) =>
    by.submit(tenant_id, { request })

  test('messages of its card wait in their order, repeats get the one outcome', async () => {
    await register({ timeout_ms: 3_000 })
    const { waiting, asked } = hold()
    const card = await issuer.card(500)
    const other = await issuer.card(500)
    const request = purchase(card, 10_000n)
    const ended: string[] = []
    const mark = (name: string) => () => void ended.push(name)
    const one = ask(request)
    void one.then(mark('request'))
    await asked(1)
    const repeat = ask(request)
    void repeat.then(mark('repeat'))
    const reversal = ask(about(request, { message_type: '0420' }))
    void reversal.then(mark('reversal'))
    const elsewhere = ask(purchase(other, 100n))
    await asked(2)
    waiting[1]?.reply()
    assert.equal((await elsewhere).status_code, '0000')
    assert.deepEqual(ended, [])
    waiting[0]?.reply()
    assert.equal((await repeat).transaction_id, (await one).transaction_id)
    assert.ok((await repeat).repeated)
    assert.deepEqual((await reversal).status_code, '0000')
    assert.deepEqual(ended, ['request', 'repeat', 'reversal'])
    assert.equal(waiting.length, 2)
    assert.equal((await issuer.account(card.account_id)).held, 0)
  })

  test('no account is locked, and funds are decided on what is there afterwards', async () => {
    await register({ timeout_ms: 3_000 })
    const { waiting, asked } = hold()
    const { card_id, account_id } = await issuer.card(100)
    const answer = pay(card_id)
    await asked(1)
    const money = { currency: 'AED', amount: 50 }
    const unloaded = await issuer.call('POST', `/v1/accounts/${account_id}:unloadfunds`, money)
    assert.equal(unloaded.status, 200, unloaded.text)
    waiting[0]?.reply()
    assert.equal((await answer).status_code, '1016')
  })

  test('the time of the question is not the engine’s: the deadline is later by it', async () => {
    await register({ timeout_ms: 3_000 })
    const { waiting, asked } = hold()
    const card = await issuer.card(500)
    const deadline = performance.now() + 300
    const answer = ask({ ...purchase(card, 100n), deadline })
    await asked(1)
    await until('the deadline', () => performance.now() > deadline)
    waiting[0]?.reply()
    assert.equal((await answer).status_code, '0000')
  })

  test('the same message at two processes is decided once', async () => {
    await register({ timeout_ms: 3_000 })
    const { waiting, asked } = hold()
    const card = await issuer.card(500)
    const request = purchase(card, 100n)
    const both = Promise.all([ask(request), ask(request, second.engine)])
    await asked(2)
    for (const { reply } of waiting) reply()
    const answers = await both
    assert.deepEqual(new Set(answers.map(({ status_code }) => status_code)), new Set(['0000']))
    assert.equal(new Set(answers.map(({ transaction_id }) => transaction_id)).size, 1)
    assert.equal((await issuer.account(card.account_id)).held, 1)
  })

  test('other tenants are decided, and no connection is taken', async () => {
    await register({ timeout_ms: 3_000 })
    const { waiting, asked } = hold()
    const cards: MadeCard[] = []
    while (cards.length < 8) cards.push(await issuer.card(5))
    const theirs = await openIssuer(world, await world.otherTenant())
    const { card_id } = await theirs.card(5)
    const answers = cards.map((card) => ask(purchase(card, 100n)))
    await asked(8)
    const body = { card_id, amount: 1, currency: 'AED' }
    for (let round = 0; round < 3; round += 1) {
      const { body: paid } = await theirs.call('POST', '/v1/simulate/authorizations', body)
      assert.equal(paid.status_code, '0000')
    }
    assert.equal(receiver.running(), 8, 'all of them still wait')
    for (const { reply } of waiting) reply()
    const codes = (await Promise.all(answers)).map(({ status_code }) => status_code)
    assert.deepEqual(new Set(codes), new Set(['0000']))
  })
})

function assertSigned(received: Received | undefined, secrets: readonly string[]) {
  assert.ok(received)
  const { headers, text } = received
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
  const expected = secrets.map((secret) => {
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  })
  assert.deepEqual(String(headers['webhook-signature']).split(' '), expected)
  assert.ok(Math.abs(Number(headers['webhook-timestamp']) * 1000 - received.at) < 5_000)
}

/** Challenges by a code that goes to the tenant's own server (D-1090), over two processes. */

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { sha256Hex } from '#lib/digest.ts'
import { tablesHolding } from '#test/support/inspection/holding.ts'
import {
  idOf,
  MERCHANT,
  openAsking,
  PAYMENT,
  refusalOf,
  wrongCode,
} from '#test/support/network/challenges.ts'
import { openSecondProcess } from '#test/support/portal/second_process.ts'
import { openReceiver, until } from '#test/support/services/receiver.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const second = await openSecondProcess(world)
after(() => second[Symbol.asyncDispose]())
const server = await openReceiver()
after(() => server.close())
const settings = { challenge_messenger: 'SERVER', challenge_url: server.url }
const own = await openAsking(world, { pci_compliant: true })
await own.call('PUT', '/v1/tenantsettings', settings)
const { create, act, call } = own

/** The code as the tenant's server got it. */
const codeOf = (id: string) =>
  until('the code has come', () =>
    server.received.find(({ body }) => body.challenge.id === id),
  ).then(({ body }) => String(body.code))

async function asked(more: object = {}) {
  const id = idOf(await create(more))
  return { id, code: await codeOf(id) }
}

const rowOf = (id: string) =>
  world.db.selectFrom('challenges').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const over = (status: string) => [409, 'challenge_over', status]
const overOf = ({ status, body }: Awaited<ReturnType<typeof act>>) => [
  status,
  body.code,
  body.status_of_challenge,
]

describe('a code', () => {
  test('goes to the server of the tenant, signed, with the payment that is asked about', async () => {
    const { secret } = (await call('POST', '/v1/tenantsettings/responder:rotateSecret')).body
    const { id, code } = await asked()
    const got = server.received.find(({ body }) => body.challenge.id === id)
    assert.ok(got)
    assert.match(code, /^\d{6}$/)
    const { amount, currency, merchant } = got.body.challenge
    assert.deepEqual({ amount, currency, merchant }, PAYMENT)
    const { 'webhook-id': named, 'webhook-timestamp': at, 'webhook-signature': all } = got.headers
    const key = Buffer.from(String(secret).replace('whsec_', ''), 'base64')
    const signed = createHmac('sha256', key).update(`${named}.${at}.${got.text}`).digest('base64')
    assert.ok(String(all).split(' ').includes(`v1,${signed}`))
    const sent = await until('it is SENT', async () => {
      const { body } = await call('GET', `/v1/challenges/${id}`)
      return body.sending === 'SENT' && body
    })
    assert.deepEqual([sent.status, sent.tries_left], ['PENDING', 3])
  })

  test('passes its challenge once', async () => {
    const { id, code } = await asked()
    const passed = await act(id, 'answer', { code })
    assert.deepEqual([passed.status, passed.body.status], [200, 'PASSED'])
    assert.deepEqual(overOf(await act(id, 'answer', { code })), over('PASSED'))
    assert.equal((await call('GET', `/v1/challenges/${id}`)).body.status, 'PASSED')
  })

  test('is in no row, no event, no log line and no answer', async () => {
    const { id, code } = await asked()
    const headers = { 'x-bezant-idempotency-key': id }
    const options = { key: own.tenant.api_key, headers }
    const path = `/v1/challenges/${id}:answer`
    const answer = await world.request('POST', path, { code }, options)
    assert.equal(answer.body.status, 'PASSED', answer.text)
    const body = JSON.stringify({ code })
    const secrets = [`"code":"${code}"`, sha256Hex(code), sha256Hex(body)]
    assert.deepEqual(await tablesHolding(world, secrets), [])
    const events = await call('GET', '/v1/events')
    for (const text of [answer.text, events.text, ...world.logged]) {
      assert.ok(!secrets.some((secret) => text.includes(secret)), text)
    }
  })

  test('that is answered by another process passes there', async () => {
    const { id, code } = await asked()
    const wrong = await act(id, 'answer', { code: wrongCode(code) }, second)
    assert.deepEqual(refusalOf(wrong), [409, 'challenge_code_wrong', 2])
    assert.equal((await act(id, 'answer', { code }, second)).body.status, 'PASSED')
    assert.deepEqual(overOf(await act(id, 'answer', { code })), over('PASSED'))
  })

  test('sent at once to two processes passes at one', async () => {
    const { id, code } = await asked()
    const sent = [world, second, world, second].map((at) => act(id, 'answer', { code }, at))
    const answers = await Promise.all(sent)
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409])
    assert.equal((await rowOf(id)).tries, 1)
  })

  test('of another challenge is wrong, also of one of the same card', async () => {
    const one = await asked({ amount: 12 })
    const other = await asked({ amount: 13 })
    if (one.code === other.code) return
    const answer = await act(one.id, 'answer', { code: other.code })
    assert.deepEqual(refusalOf(answer), [409, 'challenge_code_wrong', 2])
  })

  test('for another amount, currency or merchant is refused, and is no try', async () => {
    const { id, code } = await asked()
    for (const payment of [
      { amount: 12.51 },
      { amount: 12.5, currency: 'USD' },
      { merchant_id: 'SHOP2' },
    ]) {
      const answer = await act(id, 'answer', { code, ...payment })
      assert.deepEqual([answer.status, answer.body.code], [409, 'challenge_other_payment'])
    }
    assert.equal((await rowOf(id)).tries, 0)
    const { amount, currency } = PAYMENT
    const same = await act(id, 'answer', { code, amount, currency, merchant_id: MERCHANT.id })
    assert.equal(same.body.status, 'PASSED')
  })

  test('of another tenant is not found', async () => {
    const { id, code } = await asked()
    const stranger = await openAsking(world)
    assert.equal((await stranger.act(id, 'answer', { code })).status, 404)
    assert.equal((await stranger.act(id, 'approve')).status, 404)
    assert.equal((await stranger.call('GET', `/v1/challenges/${id}`)).status, 404)
    assert.deepEqual((await stranger.call('GET', '/v1/challenges')).body.data, [])
    assert.equal((await act(id, 'answer', { code })).body.status, 'PASSED')
  })
})

describe('guesses', () => {
  test('are three: the third wrong code ends the challenge, and the right one is too late', async () => {
    const { id, code } = await asked()
    for (const left of [2, 1, 0]) {
      const answer = await act(id, 'answer', { code: wrongCode(code, left + 1) })
      assert.deepEqual(refusalOf(answer), [409, 'challenge_code_wrong', left])
    }
    assert.deepEqual(overOf(await act(id, 'answer', { code })), over('FAILED'))
    assert.deepEqual(overOf(await act(id, 'approve')), over('FAILED'))
  })

  test('that race at two processes are three', async () => {
    const { id, code } = await asked()
    const guesses = Array.from({ length: 12 }, (_, at) =>
      act(id, 'answer', { code: wrongCode(code, at + 1) }, at % 2 === 0 ? world : second),
    )
    const codes = (await Promise.all(guesses)).map(({ body }) => body.code)
    assert.equal(codes.filter((one) => one === 'challenge_code_wrong').length, 3)
    assert.equal(codes.filter((one) => one === 'challenge_over').length, 9)
    const { status, tries, code_digest } = await rowOf(id)
    assert.deepEqual(
      { status, tries, code_digest },
      {
        status: 'FAILED',
        tries: 3,
        code_digest: null,
      },
    )
  })

  test('that are replayed with their idempotency key count once', async () => {
    const { id, code } = await asked()
    const headers = { 'x-bezant-idempotency-key': `guess ${id}` }
    const options = { key: own.tenant.api_key, headers }
    const body = { code: wrongCode(code) }
    for (let sent = 0; sent < 4; sent++) {
      const answer = await world.request('POST', `/v1/challenges/${id}:answer`, body, options)
      assert.deepEqual(refusalOf(answer), [409, 'challenge_code_wrong', 2])
    }
    assert.equal((await rowOf(id)).tries, 1)
  })

  test('that can be no code are 400, and no try', async () => {
    const { id } = await asked()
    for (const code of ['', '12345', '1234567', '12345a', '١٢٣٤٥٦']) {
      assert.equal((await act(id, 'answer', { code })).status, 400, code)
    }
    assert.equal((await rowOf(id)).tries, 0)
  })
})

describe('a challenge', () => {
  test('is over after five minutes of the tenant’s clock', async () => {
    const { id, code } = await asked()
    await call('PUT', '/v1/simulate/clock', { advance: 'PT5M' })
    assert.equal((await call('GET', `/v1/challenges/${id}`)).body.status, 'EXPIRED')
    assert.deepEqual(overOf(await act(id, 'answer', { code })), over('EXPIRED'))
    assert.deepEqual(overOf(await act(id, 'approve')), over('EXPIRED'))
    assert.deepEqual(overOf(await act(id, 'decline')), over('EXPIRED'))
  })

  test('is approved or declined in the app, whichever comes first, once', async () => {
    const { id } = await asked()
    const race = await Promise.all([
      act(id, 'approve'),
      act(id, 'decline', undefined, second),
      act(id, 'approve', undefined, second),
    ])
    assert.deepEqual(race.map(({ status }) => status).sort(), [200, 409, 409])
    const winner = race.find(({ status }) => status === 200)?.body.status
    assert.equal((await rowOf(id)).status, winner)
  })

  test('is reported to the app by its event, without the code', async () => {
    const { id } = await asked()
    const { body } = await call('GET', '/v1/events?limit=200')
    const event = body.data.find((one: { challenge?: { id: string } }) => one.challenge?.id === id)
    assert.equal(event.event, 'CHALLENGE_CREATED')
    assert.equal(event.challenge.status, 'PENDING')
    assert.ok(!JSON.stringify(Object.keys(event.challenge)).includes('code'))
  })

  test('409 for a card whose product has no codes, and 400 for none', async () => {
    await call('PUT', `/v1/cardproducts/${own.card_product_id}`, { otp_3ds: false })
    assert.equal((await create()).body.code, 'challenge_not_offered')
    await call('PUT', `/v1/cardproducts/${own.card_product_id}`, { otp_3ds: true })
    assert.equal((await create({ card_id: own.card_product_id })).status, 400)
  })

  test('takes the number of the card in place of its id, which no row has', async () => {
    const { body } = await call('GET', `/v1/cards/${own.card_id}:reveal`)
    const { card_number } = body
    const made = await create({ card_id: undefined, card_number })
    assert.deepEqual([made.status, made.body.card_id], [200, own.card_id])
    assert.deepEqual(await tablesHolding(world, [card_number]), [])
    for (const line of world.logged) assert.ok(!line.includes(card_number))
    const none = { card_id: undefined, card_number: '4000001234567899' }
    for (const wrong of [{ card_number }, { card_id: undefined }, none]) {
      assert.equal((await create(wrong)).status, 400)
    }
  })

  test('409 for an id that is taken; 400 for an amount that the currency does not have', async () => {
    const { id } = await asked()
    assert.equal((await create({ id })).body.code, 'id_taken')
    assert.equal((await create({ amount: 1.001 })).status, 400)
    assert.equal((await create({ currency: 'ZZZ' })).status, 400)
  })
})

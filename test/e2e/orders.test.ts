import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { eventsOf } from '#events/outbox.ts'
import { auditOrders } from '#merchant/orders/orders.ts'
import { openShop } from './shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const card = await shop.customer(100_000_000n)
const aed = (total: string) => ({ total, currency: 'AED' })
const capture = (reference: string, body?: unknown, headers = {}) =>
  shop.call('POST', `/orders/${reference}/capture/`, body, headers)
const refund = (reference: string, body?: unknown, headers = {}) =>
  shop.call('POST', `/orders/${reference}/refund/`, body, headers)
const captured = async () => {
  const order = await shop.order(card)
  assert.equal((await capture(order.reference)).body.status, 'SUCCESS')
  return order
}

describe('GET /orders/{reference}', () => {
  test('200 in the exact formats, with nothing left out', async () => {
    const order = {
      tax_amount: 4.75,
      discount: '-10.00',
      customer: { first_name: 'Mona', phone: '+971501234567' },
      billing_address: { line1: 'Palm St', country: 'AE' },
      lines: [{ sku: 'B-1', title: 'Book', quantity: 2, price: 50.25 }],
    }
    const display = { display_reference: 'No. 100', description: 'Two books' }
    const body = await shop.order(card, { total: 100.5, order, ...display })
    const {
      order_id,
      order_number,
      created_at,
      updated_at,
      capture_expiration,
      reference,
      ...rest
    } = body
    assert.match(order_id, /^[0-9a-f-]{36}$/)
    assert.match(order_number, /^[A-Z0-9]{12}$/)
    assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    assert.equal(updated_at, created_at)
    assert.match(capture_expiration, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/)
    const days = (Date.parse(capture_expiration) - Date.parse(created_at)) / 86_400_000
    assert.equal(days, 5)
    assert.match(reference, /^R-\d+$/)
    assert.deepEqual(rest, {
      ...display,
      total: '100.5000',
      currency: 'AED',
      tax_amount: '4.7500',
      shipping_amount: null,
      discount: '10.0000',
      customer: { first_name: 'Mona', last_name: null, email: '', phone: '+971501234567' },
      billing_address: { line1: 'Palm St', country: 'AE' },
      shipping_address: null,
      lines: [{ sku: 'B-1', title: 'Book', quantity: 2, price: 50.25 }],
      status: 'OPENED',
      total_refund: '0',
      employee_name: 'Date Palm Books',
    })
  })

  test('200 without the slash, and indented on request', async () => {
    const { reference } = await shop.order(card)
    const headers = { accept: 'application/json; indent=4' }
    const { status, text } = await shop.call('GET', `/orders/${reference}`, undefined, headers)
    assert.equal(status, 200)
    assert.ok(text.startsWith('{\n    "order_id": '))
    const { status: plain } = await shop.call('GET', `/orders/${reference}/?x=1`)
    assert.equal(plain, 200)
  })

  test('200 for a reference with signs that a path writes in code', async () => {
    const reference = 'A#1?é%&=+;@'
    await shop.order(card, { reference }).catch(() => {})
    const answer = await shop.call('GET', `/orders/${encodeURIComponent(reference)}/`)
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.body.reference, reference)
  })

  test('400 for a reference that no order can have', async () => {
    const answer = await shop.call('GET', '/orders/%00')
    assert.equal(answer.status, 400, answer.text)
  })

  test('404 alike for none and for another merchant’s', async () => {
    const { reference } = await shop.order(card)
    const other = await shop.request(
      'POST',
      '/v1/operator/merchants',
      { tenant_id: shop.tenant.id, name: 'Other' },
      { key: shop.operator_key },
    )
    const keys = `/v1/operator/merchants/${other.body.id}/keys`
    const pair = (await shop.request('POST', keys, undefined, { key: shop.operator_key })).body
    const authentication = '/api/v1.0/merchant/authentication/'
    const { token } = (await shop.request('POST', authentication, pair, { key: null })).body
    const options = { key: null, headers: { authorization: `Bearer ${token}` } }
    for (const path of [`/orders/${reference}/`, '/orders/none/']) {
      const answer = await shop.request('GET', `/api/v1.0${path}`, undefined, options)
      assert.deepEqual([answer.status, answer.body], [404, { detail: 'Not found.' }])
      const taken = await shop.request('POST', `/api/v1.0${path}capture/`, undefined, options)
      assert.equal(taken.status, 404)
    }
  })
})

describe('POST capture', () => {
  const bodies: [name: string, body: unknown, headers?: object][] = [
    ['no body', undefined],
    ['no body and a content type', undefined, { 'content-type': 'application/json' }],
    ['{}', {}],
    ['[]', []],
    ['null', 'null', { 'content-type': 'application/json' }],
    ['unknown members', { psp: { a: 1 }, total: null }],
  ]
  for (const [name, body, headers] of bodies) {
    test(`200 with ${name}`, async () => {
      const { reference } = await shop.order(card)
      const answer = await capture(reference, body, headers ?? {})
      assert.deepEqual([answer.status, answer.body.status], [200, 'SUCCESS'], answer.text)
      assert.equal((await shop.call('GET', `/orders/${reference}/`)).body.status, 'COMPLETED')
    })
  }

  test('200 captures less and gives the rest back at once', async () => {
    const own = await shop.customer(20_000n)
    const { reference } = await shop.order(own)
    const answer = await capture(reference, { total: '60.0050' })
    assert.deepEqual([answer.body.status, answer.body.amount], ['SUCCESS', '60.0050'])
    assert.deepEqual(await shop.account(own), { balance: 14_000n, held: 0n })
  })

  test('400 for more than the total; 406 once it is captured', async () => {
    const { reference } = await shop.order(card)
    const more = await capture(reference, { total: 100.51 })
    assert.deepEqual([more.status, Object.keys(more.body)], [400, ['total']])
    const odd = await capture(reference, [1])
    assert.deepEqual([odd.status, Object.keys(odd.body)], [400, ['non_field_errors']])
    assert.equal((await capture(reference)).status, 200)
    const again = await capture(reference)
    assert.deepEqual([again.status, Object.keys(again.body)], [406, ['detail']])
  })
})

describe('the query of a capture', () => {
  for (const [query, names] of [
    ['total=1', ['total']],
    ['currency=AED', ['currency']],
    ['total=1&total=2&currency=', ['total', 'currency']],
    ['final=true', ['final']],
  ] as const) {
    test(`400 for ?${query}, and nothing is captured`, async () => {
      const { reference } = await shop.order(card)
      const answer = await shop.call('POST', `/orders/${reference}/capture/?${query}`)
      assert.deepEqual([answer.status, Object.keys(answer.body)], [400, names])
      const order = await shop.call('GET', `/orders/${reference}/`)
      assert.equal(order.body.status, 'OPENED')
    })
  }

  test('400 names a total and a currency of the body together', async () => {
    const { reference } = await shop.order(card)
    const answer = await capture(reference, { total: 'ten', currency: 'USD' })
    assert.deepEqual([answer.status, Object.keys(answer.body)], [400, ['total', 'currency']])
    assert.equal((await capture(reference, aed('100.50'))).body.status, 'SUCCESS')
  })
})

describe('POST refund', () => {
  test('200 in parts that add up; 406 when nothing is left', async () => {
    const own = await shop.customer(20_000n)
    const order = await shop.order(own, { total: '10.0000' })
    await capture(order.reference)
    const first = await refund(order.reference, aed('3.3333'))
    const { transaction_id, ...rest } = first.body
    assert.match(transaction_id, /^[0-9a-f-]{36}$/)
    assert.deepEqual(rest, {
      status: 'SUCCESS',
      order_id: order.order_id,
      amount: '3.3333',
      currency: 'AED',
      type: 'REFUND',
    })
    const tooMuch = await refund(order.reference, aed('6.6668'))
    assert.deepEqual([tooMuch.status, Object.keys(tooMuch.body)], [400, ['total']])
    assert.equal((await refund(order.reference, aed('6.6667'))).body.status, 'SUCCESS')
    assert.deepEqual(await shop.account(own), { balance: 20_000n, held: 0n })
    const after = (await shop.call('GET', `/orders/${order.reference}/`)).body
    assert.deepEqual([after.status, after.total_refund], ['COMPLETED', '10.0000'])
    assert.equal((await refund(order.reference, aed('1'))).status, 406)
  })

  test('406 while the order is open', async () => {
    const { reference } = await shop.order(card)
    const answer = await refund(reference, aed('1'))
    assert.deepEqual([answer.status, Object.keys(answer.body)], [406, ['detail']])
  })

  test('400 for what is missing or of another currency', async () => {
    const { reference } = await captured()
    assert.deepEqual((await refund(reference)).body, {
      total: ['is required'],
      currency: ['is required'],
    })
    const other = await refund(reference, { total: 1, currency: 'USD' })
    assert.deepEqual([other.status, Object.keys(other.body)], [400, ['currency']])
  })

  test('200 by query parameters where the body lacks them', async () => {
    const { reference } = await captured()
    const path = `/orders/${reference}/refund/?total=10.5&currency=AED`
    const whole = await shop.call('POST', path)
    assert.deepEqual([whole.body.status, whole.body.amount], ['SUCCESS', '10.5000'])
    const body = await shop.call('POST', path, { total: '1' })
    assert.equal(body.body.amount, '1.0000')
  })

  test('400 of a doubled parameter has no fault of the body that is absent', async () => {
    const { reference } = await captured()
    const path = `/orders/${reference}/refund/?total=1&total=2&currency=AED`
    const { status, body } = await shop.call('POST', path)
    assert.deepEqual([status, body], [400, { total: ['must be text'] }])
  })
})

describe('the same idempotency key', () => {
  test('captures once and answers the same bytes; another body is 409', async () => {
    const { reference, order_id } = await shop.order(card)
    const headers = { 'idempotency-key': `capture ${reference}` }
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => capture(reference, undefined, headers)),
    )
    const reported = answers.filter(({ status }) => status === 200)
    assert.ok(reported.length >= 1)
    assert.ok(answers.every(({ status }) => status === 200 || status === 409))
    const replay = await capture(reference, undefined, headers)
    assert.equal(replay.headers['idempotent-replayed'], 'true')
    assert.deepEqual(new Set([...reported, replay].map(({ text }) => text)).size, 1)
    assert.equal((await capture(reference, { total: 1 }, headers)).status, 409)
    const events = await eventsOf(await shop.ctx(), order_id)
    assert.deepEqual(events, ['ORDER_AUTHORIZED', 'ORDER_CAPTURED'])
  })

  test('stores an error with 406, and none with 400', async () => {
    const { reference } = await shop.order(card)
    const key = { 'idempotency-key': `refund ${reference}` }
    assert.equal((await refund(reference, {}, key)).status, 400)
    assert.equal((await refund(reference, aed('1'), key)).status, 406)
    await capture(reference)
    const kept = await refund(reference, aed('1'), key)
    assert.deepEqual([kept.status, kept.headers['idempotent-replayed']], [406, 'true'])
  })
})

test('racers on one order: one capture, refunds to the total and not beyond', async () => {
  const own = await shop.customer(50_000_000n)
  const rounds = 20
  for (let round = 0; round < rounds; round++) {
    const { reference } = await shop.order(own, { total: '50' })
    const captures = await Promise.all(Array.from({ length: 8 }, () => capture(reference)))
    const won = captures.filter(({ status, body }) => status === 200 && body.status === 'SUCCESS')
    assert.equal(won.length, 1)
    assert.equal(captures.filter(({ status }) => status === 406).length, 7)
    const refunds = await Promise.all(
      Array.from({ length: 8 }, () => refund(reference, aed('50.0000'))),
    )
    assert.equal(refunds.filter(({ body }) => body.status === 'SUCCESS').length, 1)
    assert.equal(refunds.filter(({ status }) => status === 406).length, 7)
  }
  assert.deepEqual(await shop.account(own), { balance: 50_000_000n, held: 0n })
  assert.deepEqual(await auditOrders(shop.db), [])
})

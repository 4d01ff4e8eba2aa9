import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { checkoutBody, openShop } from '#test/e2e/shop.ts'

const shop = await openShop({ issuer: false, settings: { callback_hosts: ['shop.example'] } })
after(() => shop[Symbol.asyncDispose]())

const create = (fields: object = {}) =>
  shop.call('POST', '/checkouts/', { ...checkoutBody(), ...fields })

describe('POST /checkouts', () => {
  test('201 echoes the request with the address of the page', async () => {
    const order = {
      tax_amount: 5,
      shipping_amount: '2.5000',
      discount: null,
      customer: { first_name: 'A', last_name: '', email: '', phone: '+971500000000' },
      billing_address: { line1: 'x', country: 'AE', postcode: 12345, title: null },
      shipping_address: null,
      lines: [{ sku: 'a', quantity: 1, price: '10.00', upc: null, image_url: '' }],
    }
    const body = {
      ...checkoutBody(),
      description: 'Two books',
      plan: 'pay-now',
      completes: true,
      order,
    }
    const answer = await shop.call('POST', '/checkouts/', body)
    assert.equal(answer.status, 201, answer.text)
    const { checkout_url, ...echo } = answer.body
    assert.deepEqual(echo, { ...body, display_reference: body.reference })
    assert.match(checkout_url, /^http:\/\/[^/]+\/checkout\?id=[\w-]{43}$/)
  })

  test('201 for a number as reference, unknown members, and a body without the slash', async () => {
    const answer = await shop.call('POST', '/checkouts', {
      ...checkoutBody(),
      reference: 987_001,
      total: 1,
      psp: { name: 'x' },
    })
    assert.equal(answer.status, 201)
    assert.equal(answer.body.reference, 987_001)
    assert.equal('psp' in answer.body, false)
  })

  test('201 for what the plug-ins of shops compute, rounded where it is only shown', async () => {
    const order = `{"discount": -9.900000000000006, "tax_amount": 4.761904761904762,
      "shipping_amount": "10.000000", "customer": [], "billing_address": false,
      "lines": [{"sku": false, "title": [], "price": 0.30000000000000004, "quantity": 1}]}`
    const { reference: _own, total: _total, ...rest } = checkoutBody()
    const members = JSON.stringify(rest).slice(0, -1)
    const text = `${members}, "reference": "floats", "total": 94.489999999999995, "order": ${order}}`
    const { status, body } = await shop.call('POST', '/checkouts', JSON.parse(text))
    assert.equal(status, 201, JSON.stringify(body))
    assert.equal(body.total, 94.49)
    assert.deepEqual(body.order.lines, [{ price: 0.3, quantity: 1 }])
    assert.deepEqual([body.order.customer, body.order.billing_address], [undefined, undefined])
  })

  test('400 for a total that is computed and not rounded, and for a total of false', async () => {
    for (const total of [0.30000000000000004, 9.52381, '10.000001', false, []]) {
      const { status, body } = await create({ total })
      assert.equal(status, 400, String(total))
      assert.deepEqual(Object.keys(body), ['total'])
    }
    assert.equal((await create({ total: '10.000000' })).status, 201)
  })

  test('400 names what cannot be stored at its path', async () => {
    const text = 'a\u0000'
    const order = { customer: { first_name: text }, lines: [{}, { title: text }] }
    const { status, body } = await create({ description: text, currency: 'XXX', order })
    const fault = ['must not contain U+0000 or a lone surrogate']
    assert.equal(status, 400)
    assert.deepEqual(body, {
      description: fault,
      order: { customer: { first_name: fault }, lines: [{}, { title: fault }] },
      currency: ['is not a currency of ISO 4217'],
    })
  })

  test('400 names every fault at its path', async () => {
    const { status, body } = await create({
      total: '1.00001',
      currency: 'XXX',
      confirm_callback_url: 'https://evil.example/',
      order: { customer: { email: 'no' }, billing_address: { country: 'XX' } },
    })
    assert.equal(status, 400)
    assert.deepEqual(body, {
      confirm_callback_url: ['is not on a host that this merchant has registered'],
      order: {
        customer: { email: ['is not an e-mail address'] },
        billing_address: { country: ['is not an ISO 3166 alpha-2 code'] },
      },
      currency: ['is not a currency of ISO 4217'],
      total: ['has more than four decimals'],
    })
  })

  test('400 names faults of shape and of rule in one answer', async () => {
    const { status, body } = await create({
      currency: 'XXX',
      total: true,
      description: 'x'.repeat(2_001),
      confirm_callback_url: 'nowhere',
      order: { customer: 5, billing_address: { country: 'XX' }, lines: [{ title: 5 }] },
    })
    assert.equal(status, 400)
    assert.deepEqual(body, {
      total: ['must be a number or text'],
      description: ['must have at most 2000 characters'],
      order: {
        customer: ['must be an object'],
        lines: [{ title: ['must be text'] }],
        billing_address: { country: ['is not an ISO 3166 alpha-2 code'] },
      },
      currency: ['is not a currency of ISO 4217'],
      confirm_callback_url: ['must be an address that begins with https:// or http://'],
    })
    for (const odd of ['[]', '5', '"x"', '{"order":[[]]}', '{"order":{"lines":{}}}']) {
      const headers = { 'content-type': 'application/json' }
      assert.equal((await shop.call('POST', '/checkouts/', odd, headers)).status, 400, odd)
    }
  })

  test('400 names a reference that is used beside faults of shape and of rule', async () => {
    const { reference } = await shop.checkout()
    await shop.db
      .updateTable('checkouts')
      .set({ status: 'PAID', due: null })
      .where('reference', '=', reference)
      .execute()
    const used = ['is the reference of an order already']
    const currency = ['is not a currency of ISO 4217']
    const ofRule = await create({ reference, currency: 'XXX' })
    assert.deepEqual([ofRule.status, ofRule.body], [400, { reference: used, currency }])
    const ofShape = await create({ reference, currency: 'XXX', total: true })
    const total = ['must be a number or text']
    assert.deepEqual([ofShape.status, ofShape.body], [400, { total, reference: used, currency }])
  })

  for (const digits of ['12345678901234567890', '9007199254740993', '1.50', '1'.repeat(64)]) {
    test(`201 returns every digit of the reference ${digits} that is sent as a number`, async () => {
      const { reference: _text, ...rest } = checkoutBody()
      const members = JSON.stringify(rest).slice(1)
      const text = `{"reference":${digits},"display_reference":${digits},${members}`
      const headers = { 'content-type': 'application/json' }
      const answer = await shop.call('POST', '/checkouts/', text, headers)
      assert.equal(answer.status, 201, answer.text)
      assert.deepEqual([answer.body.reference, answer.body.display_reference], [digits, digits])
      const row = await shop.db
        .selectFrom('checkouts')
        .select('reference')
        .where('tenant_id', '=', shop.tenant.id)
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow()
      assert.equal(row.reference, digits)
    })
  }

  test('400 for a number of 65 digits as reference', async () => {
    const { reference: _text, ...rest } = checkoutBody()
    const text = `{"reference":${'1'.repeat(65)},${JSON.stringify(rest).slice(1)}`
    const headers = { 'content-type': 'application/json' }
    assert.equal((await shop.call('POST', '/checkouts/', text, headers)).status, 400)
  })

  test('400 for what is missing, and for shapes that are wrong', async () => {
    const missing = await shop.call('POST', '/checkouts/', {})
    const names = ['reference', 'total', 'currency', 'confirm_callback_url', 'reject_callback_url']
    assert.deepEqual(missing.body, Object.fromEntries(names.map((name) => [name, ['is required']])))
    const wrong = await create({ order: { lines: [{}, { title: 5 }], customer: [1] } })
    assert.equal(wrong.status, 400)
    assert.deepEqual(Object.keys(wrong.body.order), ['customer', 'lines'])
    assert.deepEqual(wrong.body.order.lines, [{}, { title: ['must be text'] }])
  })

  test('400 for a body that is no JSON, 415 for another type, 405 for another method', async () => {
    const headers = { 'content-type': 'application/json' }
    const broken = await shop.call('POST', '/checkouts/', '{"a":', headers)
    assert.deepEqual([broken.status, Object.keys(broken.body)], [400, ['non_field_errors']])
    const text = await shop.call('POST', '/checkouts/', 'a=b', { 'content-type': 'text/plain' })
    assert.deepEqual([text.status, Object.keys(text.body)], [415, ['detail']])
    const method = await shop.call('GET', '/checkouts/')
    assert.deepEqual([method.status, method.headers['allow']], [405, 'POST'])
    assert.deepEqual(Object.keys(method.body), ['detail'])
  })

  test('a second checkout of a reference supersedes the first', async () => {
    const reference = 'twice-1'
    const first = await shop.checkout({ reference })
    const second = await shop.checkout({ reference })
    assert.equal((await shop.page(first.id)).status, 410)
    assert.equal((await shop.page(second.id)).status, 200)
  })

  test('the same idempotency key answers the same checkout', async () => {
    const body = checkoutBody()
    const headers = { 'idempotency-key': 'checkout-1' }
    const one = await shop.call('POST', '/checkouts/', body, headers)
    const two = await shop.call('POST', '/checkouts/', body, headers)
    assert.equal(two.text, one.text)
    assert.equal(two.headers['idempotent-replayed'], 'true')
    const other = await shop.call('POST', '/checkouts/', { ...body, total: 2 }, headers)
    assert.deepEqual([other.status, Object.keys(other.body)], [409, ['detail']])
  })

  test('expires after 24 hours', async () => {
    const { id } = await shop.checkout()
    await shop.request('PUT', '/v1/simulate/clock', { advance: 'PT24H' })
    const page = await shop.page(id)
    assert.equal(page.status, 410)
    const row = await shop.db
      .selectFrom('checkouts')
      .select('status')
      .where('tenant_id', '=', shop.tenant.id)
      .where('status', '=', 'OPEN')
      .execute()
    assert.deepEqual(row, [])
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { NewCheckout, NewKeptPayment } from '#merchant/checkouts/schema.ts'
import { CaptureBody, RefundBody } from '#merchant/orders/schema.ts'
import { leaveOutNothings } from './shop_bodies.ts'

const left = (schema: object, body: object) => {
  leaveOutNothings(schema, body)
  return body
}

describe('a member that PHP has written as [] or false', () => {
  const REQUIRED = ['reference', 'total', 'currency']
  const CALLBACKS = ['confirm_callback_url', 'reject_callback_url']
  const payment = Object.keys(NewKeptPayment.properties).filter((name) => !REQUIRED.includes(name))
  const checkout = Object.keys(NewCheckout.properties).filter(
    (name) => ![...REQUIRED, ...CALLBACKS].includes(name),
  )
  for (const [schema, names] of [
    [NewKeptPayment, payment],
    [NewCheckout, checkout],
  ] as const) {
    for (const name of names) {
      test(`${name} is absent where it is optional`, () => {
        assert.deepEqual(left(schema, { [name]: [] }), {})
        if (name !== 'completes') assert.deepEqual(left(schema, { [name]: false }), {})
      })
    }
  }

  test('is absent at any depth, also in lines', () => {
    const order = {
      customer: [],
      billing_address: false,
      tax_amount: false,
      discount: [],
      lines: false,
      shipping_address: { line2: false, postcode: [], phone: '1' },
    }
    assert.deepEqual(left(NewCheckout, { order }), {
      order: { shipping_address: { phone: '1' } },
    })
    const lines = [{ sku: false, price: [], title: 'Tea' }]
    assert.deepEqual(left(NewCheckout, { order: { lines } }), {
      order: { lines: [{ title: 'Tea' }] },
    })
  })

  test('is absent as an empty text too, where there can be no text', () => {
    const order = { customer: '', billing_address: '', lines: '', discount: '' }
    const body = { completes: '', plan: '', order, reference: '', total: '' }
    assert.deepEqual(left(NewCheckout, body), {
      plan: '',
      order: { discount: '' },
      reference: '',
      total: '',
    })
    assert.deepEqual(left(CaptureBody, { total: '', final: '' }), { total: '' })
  })

  test('stays where it is a value, and where the member is required', () => {
    const body = { completes: false, order: { lines: [] }, reference: false, total: [] }
    assert.deepEqual(left(NewCheckout, structuredClone(body)), body)
    assert.deepEqual(left(CaptureBody, { final: false, currency: false }), { final: false })
  })

  test('stays in the total of a capture, which without it takes all', () => {
    for (const schema of [CaptureBody, RefundBody]) {
      assert.deepEqual(left(schema, { total: false }), { total: false })
      assert.deepEqual(left(schema, { total: [] }), { total: [] })
    }
  })

  test('is left alone where the body is no object', () => {
    const schema: object = NewCheckout
    for (const body of [[], ['a'], null, 'text', false]) leaveOutNothings(schema, body)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { NewCheckout } from '../schema.ts'
import {
  asStored,
  type CheckoutTerms,
  checkCheckout,
  checkPayment,
  displayReferenceOf,
} from './request.ts'

const request: NewCheckout = {
  reference: 'A-1',
  total: 100.5,
  currency: 'AED',
  confirm_callback_url: 'https://shop.example/yes?order=1',
  reject_callback_url: 'https://shop.example/no',
}
const terms: CheckoutTerms = { callback_hosts: [], plain_http: false }
const faultsOf = (change: object, checkoutTerms = terms) => {
  const result = checkCheckout({ ...request, ...change } as NewCheckout, checkoutTerms)
  return result.ok ? [] : (result.errors ?? []).map(({ path }) => path)
}

describe('a checkout', () => {
  const amounts: [total: number | string, currency: string, total: bigint, amount: bigint][] = [
    [100.5, 'AED', 1_005_000n, 10_050n],
    ['100.1250', 'AED', 1_001_250n, 10_012n],
    ['100.1350', 'AED', 1_001_350n, 10_014n],
    ['10', 'JPY', 100_000n, 10n],
    ['1.2345', 'KWD', 12_345n, 1_234n],
  ]
  for (const [total, currency, expected, amount] of amounts) {
    test(`of ${total} ${currency} moves ${amount} minor units, rounded half-even`, () => {
      const result = checkCheckout({ ...request, total, currency }, terms)
      assert.equal(result.ok && result.value.total, expected)
      assert.equal(result.ok && result.value.amount, amount)
    })
  }

  test('accepts a number as its reference', () => {
    const result = checkCheckout({ ...request, reference: 1234 }, terms)
    assert.equal(result.ok && result.value.reference, '1234')
  })

  const faults: [change: object, paths: string[]][] = [
    [{ reference: '' }, ['reference']],
    [{ reference: 'a/b' }, ['reference']],
    [{ reference: '..' }, ['reference']],
    [{ total: 0 }, ['total']],
    [{ total: '0.0049' }, ['total']],
    [{ total: '1.23456' }, ['total']],
    [{ total: '-1' }, ['total']],
    [{ total: '10,00' }, ['total']],
    [{ total: '99999999999.99' }, ['total']],
    [{ currency: 'ZZZ' }, ['currency']],
    [{ currency: 'ZZZ', total: 'ten' }, ['currency', 'total']],
    [{ confirm_callback_url: 'https://shop.example/a\u0007b' }, ['confirm_callback_url']],
    [{ reject_callback_url: 'https://shop.example/a\tb' }, ['reject_callback_url']],
    [{ confirm_callback_url: '//shop.example/' }, ['confirm_callback_url']],
    [
      { confirm_callback_url: `https://shop.example/${'é'.repeat(1_900)}` },
      ['confirm_callback_url'],
    ],
    [{ currency: 'aed' }, ['currency']],
    [{ confirm_callback_url: 'shop' }, ['confirm_callback_url']],
    [{ reject_callback_url: 'javascript:alert(1)' }, ['reject_callback_url']],
    [{ reject_callback_url: 'http://shop.example/' }, ['reject_callback_url']],
    [{ confirm_callback_url: 'https://u:p@shop.example/' }, ['confirm_callback_url']],
    [{ confirm_callback_url: 'https://*.example/' }, ['confirm_callback_url']],
    [{ reject_callback_url: 'https://a;sandbox/' }, ['reject_callback_url']],
    [{ reject_callback_url: 'https://a,b.example/' }, ['reject_callback_url']],
    [{ plan: 'later' }, ['plan']],
    [{ order: { customer: { email: 'nobody' } } }, ['order.customer.email']],
    [{ order: { billing_address: { country: 'ARE' } } }, ['order.billing_address.country']],
    [{ order: { tax_amount: 'x' } }, ['order.tax_amount']],
    [
      { reference: 'a b', total: -1, order: { discount: '1,5', customer: { email: '@' } } },
      ['reference', 'order.customer.email', 'total', 'order.discount'],
    ],
  ]
  for (const [change, paths] of faults) {
    test(`is rejected for ${JSON.stringify(change)}`, () =>
      assert.deepEqual(faultsOf(change), paths))
  }

  test('normalizes addresses to characters that a header can contain', () => {
    const confirm_callback_url = 'https://shop.example/شكرا?a=✓ b'
    const result = checkCheckout({ ...request, confirm_callback_url }, terms)
    const stored = result.ok ? result.value.confirm_callback_url : ''
    assert.equal(stored, new URL(confirm_callback_url).href)
    assert.match(stored, /^[\x21-\x7e]+$/)
  })

  for (const discount of ['-10.00', '10.00', -10, 10]) {
    test(`may have the discount ${JSON.stringify(discount)}, of which the size counts`, () => {
      const result = checkCheckout({ ...request, order: { discount } }, terms)
      assert.equal(result.ok && result.value.discount, 100_000n)
    })
  }

  const references: [change: Pick<NewCheckout, 'display_reference'>, shown: string | number][] = [
    [{ display_reference: 'No. 7' }, 'No. 7'],
    [{ display_reference: 0 }, 0],
    [{ display_reference: '' }, 'A-1'],
    [{ display_reference: ' ' }, 'A-1'],
    [{ display_reference: null }, 'A-1'],
    [{}, 'A-1'],
  ]
  for (const [change, shown] of references) {
    test(`with ${JSON.stringify(change)} shows the customer ${shown}`, () =>
      assert.equal(displayReferenceOf({ ...request, ...change }), shown))
  }

  const fine: object[] = [
    { order: null },
    { order: {} },
    { order: { customer: null, billing_address: null, lines: null, tax_amount: null } },
    { order: { customer: { email: '' }, shipping_address: { country: '' }, tax_amount: '' } },
    { plan: 'pay-now', completes: true },
    { plan: null },
    { plan: '' },
    {
      confirm_callback_url: 'https://متجر.example/',
      reject_callback_url: 'https://a_b.example:8/',
    },
    { confirm_callback_url: 'https://192.0.2.1/', reject_callback_url: 'https://[2001:db8::1]/' },
  ]
  for (const change of fine) {
    test(`may have ${JSON.stringify(change)}`, () => assert.deepEqual(faultsOf(change), []))
  }

  test('cuts marks and blanks around e-mail addresses and phone numbers', () => {
    const contact = { email: '\u00a0\u202aomar@shop.example\u202c', phone: '\u200f+971 50 \u00a0' }
    const order = {
      customer: contact,
      billing_address: { phone: 97150 },
      shipping_address: contact,
    }
    assert.deepEqual(faultsOf({ order }), [])
    const stored = asStored({ ...request, order: { ...order, lines: null } }).order
    const cut = { email: 'omar@shop.example', phone: '+971 50' }
    assert.deepEqual(stored?.customer, cut)
    assert.deepEqual(stored?.billing_address, { phone: 97150 })
    assert.deepEqual(stored?.shipping_address, { ...contact, phone: cut.phone })
    const nothing = asStored({ ...request, order: { customer: { email: '\u200f' } } }).order
    assert.deepEqual(nothing?.customer, { email: '' })
    assert.deepEqual(faultsOf({ order: { customer: { email: '\u200f' } } }), [])
  })

  test('accepts only callback hosts that the merchant has registered', () => {
    const some = { callback_hosts: ['Shop.example'], plain_http: true }
    assert.deepEqual(faultsOf({}, some), [])
    assert.deepEqual(faultsOf({ reject_callback_url: 'https://evil.example/' }, some), [
      'reject_callback_url',
    ])
    assert.deepEqual(faultsOf({ reject_callback_url: 'http://shop.example:8000/' }, some), [])
  })
})

describe('a payment without a page', () => {
  const { confirm_callback_url: _confirm, reject_callback_url: _reject, ...sale } = request
  test('has the amounts of a checkout and no addresses', () => {
    const [payment, checkout] = [checkPayment(sale), checkCheckout(request, terms)]
    assert.ok(payment.ok && checkout.ok)
    const { confirm_callback_url, reject_callback_url, ...same } = checkout.value
    assert.deepEqual(payment.value, same)
  })

  test('is rejected for the same faults', () => {
    const result = checkPayment({ ...sale, reference: 'a b', order: { tax_amount: 'x' } })
    const errors = result.ok ? [] : (result.errors ?? [])
    assert.deepEqual(
      errors.map(({ path }) => path),
      ['reference', 'order.tax_amount'],
    )
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { NewCheckout } from '../schema.ts'
import { pictureOrigins, summaryOf } from './summary.ts'

const AED = 'AED'
const base = {
  reference: 'R-1',
  total: '1',
  currency: AED,
  confirm_callback_url: 'https://shop.example/',
  reject_callback_url: 'https://shop.example/',
}
const summary = (order: NonNullable<NewCheckout['order']>, total = 0n) =>
  summaryOf({ ...base, order }, { total, currency: AED })

describe('the lines of an order', () => {
  test('have a price for one and for all where prices of one add up to the total', () => {
    const lines = [
      { title: 'Book', quantity: 2, price: '10.50' },
      { title: 'Pen', quantity: '1', price: 4 },
    ]
    const { lines: shown, subtotal } = summary({ lines, shipping_amount: '5' }, 300_000n)
    assert.deepEqual(
      shown.map(({ each, price, quantity }) => [each, price, quantity]),
      [
        [105_000n, 210_000n, '2'],
        [null, 40_000n, '1'],
      ],
    )
    assert.equal(subtotal, 250_000n)
  })

  test('have the price as it was sent where prices of lines add up', () => {
    const lines = [{ title: 'Book', quantity: 2, price: '10.50' }]
    const { lines: shown, subtotal } = summary({ lines, discount: '-1.50' }, 90_000n)
    assert.deepEqual([shown[0]?.each, shown[0]?.price, subtotal], [null, 105_000n, 105_000n])
  })

  test('have no sum where neither adds up, or a line is in another currency', () => {
    const lines = [{ title: 'Book', quantity: 2, price: '10.50' }]
    const open = summary({ lines, shipping_amount: 3 }, 990_000n)
    assert.deepEqual([open.lines[0]?.each, open.lines[0]?.price], [null, 105_000n])
    assert.equal(open.subtotal, null)
    const other = [{ title: 'Book', quantity: 1, price: '10', currency: 'USD' }]
    const foreign = summary({ lines: other, shipping_amount: 3 }, 130_000n)
    assert.deepEqual([foreign.lines[0]?.currency, foreign.subtotal], ['USD', null])
  })

  test('add up with a tax that their prices contain, and with one that they do not', () => {
    const lines = [{ title: 'Book', quantity: 1, price: '10' }]
    assert.equal(summary({ lines, tax_amount: '0.50' }, 100_000n).subtotal, 100_000n)
    assert.equal(summary({ lines, tax_amount: '0.50' }, 105_000n).subtotal, 100_000n)
  })

  test('need no sum beside a total that is the same', () => {
    const lines = [{ title: 'Book', quantity: 1, price: '10' }]
    assert.equal(summary({ lines, shipping_amount: '0' }, 100_000n).subtotal, null)
  })

  test('have what can be read of anything that a shop sends', () => {
    const lines = [
      {},
      { title: null, sku: 7, quantity: 'two', price: 'free', image_url: 'nothing' },
      { title: ' ', reference: 'L-2', quantity: 1.5, price: 3.333_333_3 },
      { title: ['x'], price: -4, quantity: Number.NaN },
    ]
    assert.deepEqual(
      summary({ lines }, 1n).lines.map(({ title, quantity, price }) => [title, quantity, price]),
      [
        ['', null, null],
        ['7', null, null],
        ['L-2', '1.5', 33_333n],
        ['', null, null],
      ],
    )
  })
})

describe('the pictures of an order', () => {
  const from = (...urls: string[]) =>
    summary({ lines: urls.map((image_url) => ({ title: 'Book', image_url })) })

  test('are at https addresses only', () => {
    const { lines } = from(
      'https://cdn.shop.example/a.jpg?b=1',
      'http://cdn.shop.example/a.jpg',
      'data:image/png;base64,AAAA',
      "https://user:pw@cdn.shop.example/a.jpg; script-src 'unsafe-inline'",
      'javascript:alert(1)',
      'https://cdn;sandbox/a.jpg',
      'https://*/a.jpg',
    )
    assert.deepEqual(
      lines.map(({ picture }) => picture),
      ['https://cdn.shop.example/a.jpg?b=1', ...Array(6).fill(null)],
    )
  })

  test('come from four origins at most', () => {
    const urls = [1, 2, 3, 4, 5, 1].map((host) => `https://cdn${host}.example/a.jpg`)
    const shown = from(...urls)
    assert.deepEqual(
      shown.lines.map(({ picture }) => picture !== null),
      [true, true, true, true, false, true],
    )
    assert.deepEqual(
      pictureOrigins(shown),
      [1, 2, 3, 4].map((host) => `https://cdn${host}.example`),
    )
  })
})

test('the amounts of an order are those of the request, a discount without its sign', () => {
  const order = { tax_amount: '4.75', shipping_amount: 15, discount: '-10' }
  const { tax, shipping, discount, total } = summary(order, 1_000_000n)
  assert.deepEqual([tax, shipping, discount, total], [47_500n, 150_000n, 100_000n, 1_000_000n])
})

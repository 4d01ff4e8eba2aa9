import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ruleOf, type StoredList } from '#issuing/lists/rules.ts'
import { refusalIn } from '#test/support/desk.ts'
import { type Change, seen } from '#test/support/seen.ts'
import type { ListsInForce } from '../rows.ts'
import { examine } from './checks.ts'

const list = (kind: StoredList['kind'], fields: Partial<StoredList>) =>
  ruleOf({
    kind,
    id: 'id',
    name: 'Name',
    allow: true,
    active: true,
    entries: [],
    version: 1n,
    mode: 'ENFORCED',
    ...fields,
  })
const only = (country: string) => list('countries', { entries: [country] })
const not = (country: string) => list('countries', { allow: false, entries: [country] })
const mcc = (code: string) => list('mccs', { entries: [code] })
const shop = (merchant_id: string, allow: boolean) =>
  list('merchants', { entries: [{ merchant_id, allow }] })

const merchant = { id: 'SHOP1', mcc: '5411', country: 'ARE' }
const withLists = (lists: Partial<ListsInForce>, request: Change['request'] = {}) =>
  examine(
    seen({
      request: { merchant, ...request },
      card: { lists: { product: {}, card: {}, ...lists } },
    }),
  )

const cases: readonly (readonly [string, Partial<ListsInForce>, string | undefined])[] = [
  ['the country of the product', { product: { countries: only('ARE') } }, undefined],
  ['another country of the product', { product: { countries: only('SAU') } }, '1860'],
  ['another country of the card', { card: { countries: only('SAU') } }, '1880'],
  ['a country that the card blocks', { card: { countries: not('ARE') } }, '1880'],
  ['a country that the card does not block', { card: { countries: not('SAU') } }, undefined],
  [
    'a country that neither has: the product is first',
    { product: { countries: only('SAU') }, card: { countries: only('SAU') } },
    '1860',
  ],
  ['the MCC of both', { product: { mccs: mcc('5411') }, card: { mccs: mcc('5411') } }, undefined],
  ['another MCC of the product', { product: { mccs: mcc('5999') } }, '1859'],
  ['another MCC of the card', { card: { mccs: mcc('5999') } }, '1879'],
  [
    'country and MCC: the country is first, at either level',
    { product: { mccs: mcc('5999') }, card: { countries: only('SAU') } },
    '1880',
  ],
  [
    'MCC and merchant: the MCC is first',
    { product: { merchants: shop('SHOP1', false) }, card: { mccs: mcc('5999') } },
    '1879',
  ],
  ['a merchant that the product blocks', { product: { merchants: shop('SHOP1', false) } }, '1019'],
  ['a merchant that the card blocks', { card: { merchants: shop('SHOP1', false) } }, '1019'],
  [
    'a merchant that the card allows and the product blocks',
    { product: { merchants: shop('SHOP1', false) }, card: { merchants: shop('SHOP1', true) } },
    undefined,
  ],
  [
    'a merchant that the card blocks and the product allows',
    { product: { merchants: shop('SHOP1', true) }, card: { merchants: shop('SHOP1', false) } },
    '1019',
  ],
  [
    'a merchant that the card does not name and the product blocks',
    { product: { merchants: shop('SHOP1', false) }, card: { merchants: shop('SHOP2', false) } },
    '1019',
  ],
  [
    'a merchant that the card does not name, where it allows others only',
    { product: { merchants: shop('SHOP1', true) }, card: { merchants: shop('SHOP2', true) } },
    '1019',
  ],
]

describe('the lists of product and card', () => {
  for (const [what, lists, code] of cases) {
    test(`${what}: ${code ?? 'passes'}`, () => assert.equal(withLists(lists).declined, code))
  }

  test('name the level, the list and the value in the trace', () => {
    const last = (lists: Partial<ListsInForce>) => refusalIn(withLists(lists).trace)
    assert.deepEqual(last({ card: { merchants: shop('SHOP1', false) } }), [
      ...['merchants', 'SHOP1, card list Name (id)', '1019'],
    ])
    assert.deepEqual(last({ product: { countries: only('SAU') } }), [
      ...['countries', 'ARE, product list Name (id)', '1860'],
    ])
  })

  test('decline a message without the value where only some pass (D-421)', () => {
    const bare = { merchant: {} }
    for (const lists of [
      { product: { countries: only('ARE') } },
      { card: { mccs: mcc('5411') } },
      { card: { merchants: shop('SHOP1', true) } },
    ]) {
      assert.ok(withLists(lists, bare).declined)
    }
    assert.equal(withLists({ card: { countries: not('ARE') } }, bare).declined, undefined)
  })

  test('do not stop money that comes to the cardholder', () => {
    const lists = { product: { countries: only('SAU'), merchants: shop('SHOP1', false) } }
    for (const processing_code of ['200000', '260000', '210000']) {
      assert.equal(withLists(lists, { processing_code }).declined, undefined, processing_code)
    }
  })
})

describe('other checks of where and how a payment is made', () => {
  const cash = (processing_code: string, code: string | undefined): Change => ({
    request: { processing_code, merchant: { id: 'SHOP1', ...(code && { mcc: code }) } },
  })
  const secure = (fields: NonNullable<Change['card']>, three_ds: 'ATTEMPTED' | 'NONE'): Change => ({
    request: { three_ds },
    card: { otp_3ds: true, user_has_mobile: false, ...fields },
  })
  const stop = (recurring: boolean, stopped: boolean): Change => ({
    request: { recurring },
    evidence: { stopped },
  })
  for (const [what, change, code] of [
    ['cash at a shop', cash('010000', '5411'), '1020'],
    ['a cash advance at a shop', cash('120000', '5411'), '1020'],
    ['cash over the counter', cash('010000', '6010'), undefined],
    ['cash at a machine', cash('010000', '6011'), undefined],
    ['cash without an MCC', cash('010000', undefined), undefined],
    ['cash back at a shop', cash('090000', '5411'), undefined],
    ['3-D Secure without a mobile', secure({}, 'ATTEMPTED'), '1893'],
    ['3-D Secure with a mobile', secure({ user_has_mobile: true }, 'ATTEMPTED'), undefined],
    ['3-D Secure without passwords', secure({ otp_3ds: false }, 'ATTEMPTED'), undefined],
    ['a payment without 3-D Secure', secure({}, 'NONE'), undefined],
    ['a recurring payment that is stopped', stop(true, true), '1895'],
    ['a recurring payment', stop(true, false), undefined],
    ['a payment that is not recurring', stop(false, true), undefined],
  ] as const) {
    test(`${what}: ${code ?? 'passes'}`, () => {
      assert.equal(examine(seen(change)).declined, code)
    })
  }
})

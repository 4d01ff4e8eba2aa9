import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  checkCountries,
  checkMccs,
  checkMerchants,
  readMerchantId,
  ruleOf,
  type StoredList,
  verdictOf,
} from './rules.ts'
import type { MerchantEntry } from './schema.ts'

const faultsOf = (result: ReturnType<typeof checkCountries | typeof checkMerchants>) =>
  result.ok ? [] : (result.errors ?? []).map(({ path, message }) => `${path} ${message}`)

describe('countries', () => {
  test('are accepted as alpha-2, alpha-3 and number, and kept as alpha-3', () => {
    const checked = checkCountries(['ae', 'SAU', '048', 'XK'])
    assert.deepEqual(checked, { ok: true, value: ['ARE', 'SAU', 'BHR', 'XKX'] })
  })

  test('are faults where they are unknown, or repeated in any form', () => {
    assert.deepEqual(faultsOf(checkCountries(['AE', 'ZZ', 'ARE', '784', ''])), [
      'country_codes.1 is not a country of ISO 3166-1',
      'country_codes.2 is repeated',
      'country_codes.3 is repeated',
      'country_codes.4 is not a country of ISO 3166-1',
    ])
  })
})

test('MCCs are four digits, each once', () => {
  assert.deepEqual(checkMccs(['0742', '5411']), { ok: true, value: ['0742', '5411'] })
  assert.deepEqual(faultsOf(checkMccs(['541', '5411', '٥٤١١', '5411', '5411 '])), [
    'mccs.0 is not four digits',
    'mccs.2 is not four digits',
    'mccs.3 is repeated',
    'mccs.4 is not four digits',
  ])
})

test('merchants are named without the spaces around them, each once', () => {
  const entry = (merchant_id: string, allow = true) => ({ merchant_id, allow })
  const checked = checkMerchants([entry(' SHOP 1 '), entry('SHOP2', false)])
  assert.deepEqual(checked, { ok: true, value: [entry('SHOP 1'), entry('SHOP2', false)] })
  assert.deepEqual(faultsOf(checkMerchants([entry('A'), entry('a'), entry('A ', false)])), [
    'merchants.2.merchant_id is repeated',
  ])
  assert.deepEqual(faultsOf(checkMerchants([entry('  ')])), ['merchants.0.merchant_id is blank'])
  assert.equal(readMerchantId(' '), undefined)
})

const list = (kind: StoredList['kind'], fields: Partial<StoredList>): StoredList => ({
  kind,
  id: 'list',
  name: 'List',
  allow: true,
  active: true,
  entries: [],
  version: 1n,
  mode: 'ENFORCED',
  ...fields,
})
const merchantList = (...entries: MerchantEntry[]) => list('merchants', { entries })
const yes = { merchant_id: 'YES', allow: true }
const no = { merchant_id: 'NO', allow: false }

/** By list: the verdict on a value that it names (first), on another value, and on none. */
const verdicts: readonly (readonly [string, StoredList, string, readonly string[]])[] = [
  [
    'countries that alone pass',
    list('countries', { entries: ['ARE'] }),
    'ARE',
    ['allowed', 'blocked', 'blocked'],
  ],
  [
    'blocked countries',
    list('countries', { allow: false, entries: ['ARE'] }),
    'ARE',
    ['blocked', 'open', 'open'],
  ],
  [
    'no country that passes',
    list('countries', { entries: [] }),
    'ARE',
    ['blocked', 'blocked', 'blocked'],
  ],
  [
    'MCCs that alone pass',
    list('mccs', { entries: ['5411'] }),
    '5411',
    ['allowed', 'blocked', 'blocked'],
  ],
  [
    'an inactive list',
    list('mccs', { active: false, entries: ['5411'] }),
    '5411',
    ['open', 'open', 'open'],
  ],
  ['a merchant that passes', merchantList(yes, no), 'YES', ['allowed', 'blocked', 'blocked']],
  ['a blocked one beside it', merchantList(yes, no), 'NO', ['blocked', 'blocked', 'blocked']],
  ['only blocked merchants', merchantList(no), 'NO', ['blocked', 'open', 'open']],
  ['no merchants', merchantList(), 'NO', ['open', 'open', 'open']],
  [
    'inactive merchants',
    { ...merchantList(yes, no), active: false },
    'NO',
    ['open', 'open', 'open'],
  ],
]

for (const [what, stored, value, expected] of verdicts) {
  test(`${what}: ${value} is ${expected[0]}, another ${expected[1]}, none ${expected[2]}`, () => {
    const rule = ruleOf(stored)
    const found = [value, 'OTHER', undefined].map((one) => verdictOf(rule, one))
    assert.deepEqual(found, expected)
  })
}

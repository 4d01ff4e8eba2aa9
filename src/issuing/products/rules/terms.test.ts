import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PROFILES } from '#src/program/modes/profiles.ts'
import type { NewProduct, ProductChanges } from '../schema.ts'
import { checkNewTerms, checkTerms, emvInForce, type ProductTerms } from './terms.ts'

const bodyLength = (bin: string) => 15 - bin.length
const start: NewProduct = { name: 'Travel', currency: 'AED', bin: '411111' }

const made = (input: Partial<NewProduct> = {}): ProductTerms => {
  const result = checkNewTerms({ ...start, ...input }, bodyLength)
  assert.ok(result.ok)
  return result.value
}
const changed = (before: ProductTerms, input: ProductChanges) => {
  const result = checkTerms(before, input, bodyLength)
  return result.ok ? { ...before, ...result.value } : (result.errors ?? []).map(({ path }) => path)
}

test('a product needs name, currency and BIN; the rest has the defaults of D-29', () => {
  assert.deepEqual(made(), {
    name: 'Travel',
    currency: 'AED',
    bin: '411111',
    pan_range_start: '000000000',
    pan_range_end: '999999999',
    description: null,
    link_account_to_card: true,
    virtual_to_physical_expiry_duration: 30,
    initial_status_of_physical_card: 'INACTIVE',
    initial_status_of_virtual_card: 'INACTIVE',
    card_validity_months: 36,
    pin: { length: 4, max_tries: 3, refuse_weak: true },
    auth_settings: {},
    allowed_countries_id: null,
    allowed_mccs_id: null,
    allowed_merchants_id: null,
    num_of_cards_per_user: null,
    partial_approval: false,
    identify_above: null,
    otp_3ds: false,
    production: null,
    responder: 'ASK',
    clearing_tolerance_percent: 15,
    unlinked_credit_max_amount: null,
    unlinked_credit_max_daily_amount: null,
    emv: null,
    charges: [],
    allow_negative_charges: false,
  })
})

test('a range is the digits between BIN and check digit, as number or as text', () => {
  const range = (bin: string, start_range: number | string, end_range: number | string) => {
    const { pan_range_start, pan_range_end } = made({ bin, pan_range: { start_range, end_range } })
    return `${pan_range_start}-${pan_range_end}`
  }
  assert.equal(range('411111', 0, 2), '000000000-000000002')
  assert.equal(range('41111122', '0000010', 9_999_999), '0000010-9999999')
  assert.equal(range('4111112', '5', '5'), '00000005-00000005')
})

const faults: [name: string, input: Partial<NewProduct>, paths: string[]][] = [
  ['a currency that is none', { currency: 'XXX' }, ['currency']],
  ['a range upside down', { pan_range: { start_range: 5, end_range: 4 } }, ['pan_range.end_range']],
  [
    'bounds with more digits than the BIN leaves',
    { bin: '41111122', pan_range: { start_range: '00000000', end_range: 10_000_000 } },
    ['pan_range.start_range', 'pan_range.end_range'],
  ],
  ['fils of a fil', { identify_above: 1.005 }, ['identify_above']],
  [
    'limits of credits in fils of a fil',
    { unlinked_credit_max_amount: 1.005, unlinked_credit_max_daily_amount: '0.001' },
    ['unlinked_credit_max_amount', 'unlinked_credit_max_daily_amount'],
  ],
  [
    'amounts upside down',
    { auth_settings: { min_amount: 2, max_amount: 1 } },
    ['auth_settings.max_amount'],
  ],
  [
    'an amount with more decimals than the currency has',
    { auth_settings: { min_amount: '1.001' } },
    ['auth_settings.min_amount'],
  ],
]
for (const [name, input, paths] of faults) {
  test(`rejects ${name}`, () => {
    const result = checkNewTerms({ ...start, ...input }, bodyLength)
    assert.ok(!result.ok)
    assert.deepEqual(
      (result.errors ?? []).map(({ path }) => path),
      paths,
    )
  })
}

test('settings and PIN merge member by member, and null clears', () => {
  const before = made({
    pin: { length: 6 },
    auth_settings: { atm: false, pos: false, max_amount: 100 },
    identify_above: '50.5',
  })
  assert.equal(before.identify_above, 5050n)
  const after = changed(before, {
    pin: { max_tries: 5 },
    auth_settings: { pos: null, chip: false, min_amount: 1, max_amount: null },
    identify_above: null,
  })
  assert.ok(!Array.isArray(after))
  assert.deepEqual(after.pin, { length: 6, max_tries: 5, refuse_weak: true })
  assert.deepEqual(after.auth_settings, { atm: false, chip: false, min_amount: '100' })
  assert.equal(after.identify_above, null)
})

test('amounts keep their value in major units when the currency changes, or are faults', () => {
  const before = made({ identify_above: 50, auth_settings: { max_amount: 10.5 } })
  const inKwd = changed(before, { currency: 'KWD' })
  assert.ok(!Array.isArray(inKwd))
  assert.deepEqual([inKwd.identify_above, inKwd.auth_settings.max_amount], [50_000n, '10500'])
  assert.deepEqual(changed(before, { currency: 'JPY' }), ['auth_settings.max_amount'])
})

test('another BIN has its whole range unless one is sent; with the same BIN it is unchanged', () => {
  const before = made({ pan_range: { start_range: 1, end_range: 2 } })
  const moved = changed(before, { bin: '41111199' })
  assert.ok(!Array.isArray(moved))
  assert.equal(moved.pan_range_end, '9999999')
  const sameBin = changed(before, { bin: '411111', pan_range: { end_range: 9 } })
  assert.ok(!Array.isArray(sameBin))
  assert.equal(`${sameBin.pan_range_start}-${sameBin.pan_range_end}`, '000000001-000000009')
})

test('chip verification is waived in sandbox and required in live unless the product sets it', () => {
  assert.equal(emvInForce(made().emv, PROFILES.sandbox), 'WAIVED')
  assert.equal(emvInForce(made().emv, PROFILES.live), 'REQUIRED')
  for (const emv of ['WAIVED', 'REQUIRED'] as const) {
    const terms = made({ emv })
    assert.equal(emvInForce(terms.emv, PROFILES.live), emv)
    assert.equal(emvInForce(terms.emv, PROFILES.sandbox), emv)
    const cleared = changed(terms, { emv: null })
    assert.ok(!Array.isArray(cleared))
    assert.equal(cleared.emv, null)
  }
})

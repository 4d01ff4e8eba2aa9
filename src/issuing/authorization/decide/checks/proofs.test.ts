import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { test } from 'node:test'
import { makeAav } from '#cvv/aav.ts'
import { cvvOf } from '#cvv/cvv.ts'
import { Secret } from '#lib/secret.ts'
import { CARD_NUMBER as pan, type TestMessage } from '#test/support/desk.ts'
import {
  type Change,
  closed,
  cvk,
  cvv2,
  desk,
  keys,
  seen,
  tenTries,
  token,
  token_number,
  track,
} from '#test/support/seen.ts'
import { examine } from './checks.ts'

const cvv2OfToken = cvvOf({ cvk, pan: token_number, expiry_yymm: '2901', service_code: '000' })

/** A message that names the card by the number of a token of it. */
function ofToken(request: Partial<TestMessage>): Change {
  return { request: { card: { pan: token_number }, ...request }, evidence: { token } }
}

const aavKey = createSecretKey(Buffer.alloc(32, 3))
const usual = seen()
const aav = makeAav(
  aavKey,
  {
    card_id: usual.card?.card_id ?? '',
    amount: usual.request.amount,
    currency: usual.request.currency,
    merchant_id: usual.request.merchant.id ?? '',
  },
  { challenge_id: '0190aaaa-0000-7000-8000-000000000001', made: usual.now },
)

/** A claim of authentication whose product has the key of AAVs. */
const authenticated = (value: Secret | undefined, request: Partial<TestMessage> = {}): Change => ({
  request: {
    ...{ card: { pan }, three_ds: 'AUTHENTICATED' },
    ...(value && { aav: value }),
    ...request,
  },
  card: { otp_3ds: true },
  evidence: { keys: { ...keys, aav: { key: aavKey, until: undefined } } },
})

type Row = readonly [what: string, Change, code?: string | undefined]

/** Every cause, with the code that it gives. */
const table: readonly Row[] = [
  ['the last month of the card', { card: { expiry_date: '2026-06' } }, undefined],
  ['the month after', { card: { expiry_date: '2026-05' } }, '1001'],
  [
    'another expiry on a card that is past',
    { card: { expiry_date: '2026-05' }, request: { expiry: '2604' } },
    '1804',
  ],
  [
    'the right expiry of a card that is past',
    { card: { expiry_date: '2026-05' }, request: { expiry: '2605' } },
    '1001',
  ],
  ['the right expiry', { request: { expiry: '2906' } }, undefined],
  ['the right CVV2', { request: { card: { pan }, cvv2 } }, undefined],
  [
    'CVV2 in the other order of the date',
    { request: { card: { pan }, cvv2 }, evidence: { keys: { ...keys, cvv2_date_order: 'MMYY' } } },
    '1022',
  ],
  ['CVV2 of four digits', { request: { card: { pan }, cvv2: new Secret('0000') } }, '1022'],
  [
    'CVV2 without keys',
    { request: { card: { pan }, cvv2 }, evidence: { keys: undefined } },
    '1845',
  ],
  ['CVV2 without a number', { request: { cvv2 } }, '1022'],
  [
    'the right CVV of the stripe',
    { request: { card: { pan }, track_cvv: { value: track, service_code: '201' } } },
    undefined,
  ],
  [
    'CVV under another service code',
    { request: { card: { pan }, track_cvv: { value: track, service_code: '101' } } },
    '1022',
  ],
  [
    'an empty CVV',
    { request: { card: { pan }, track_cvv: { value: new Secret(''), service_code: '' } } },
    '1022',
  ],
  [
    'a right CVV2 beside a wrong CVV',
    { request: { card: { pan }, cvv2, track_cvv: { value: cvv2, service_code: '201' } } },
    '1022',
  ],
  ['the expiry of the token', { evidence: { token }, request: { expiry: '2901' } }, undefined],
  ['the expiry of its card', { evidence: { token }, request: { expiry: '2906' } }, '1804'],
  ['a token that is past', { evidence: { token: { ...token, expiry_date: '2026-05' } } }, '1001'],
  [
    'a card that is past under its token',
    { card: { expiry_date: '2026-05' }, evidence: { token } },
    '1001',
  ],
  ['the CVV2 of the token', ofToken({ cvv2: cvv2OfToken }), undefined],
  ['the CVV2 of its card', ofToken({ cvv2 }), '1022'],
  ...(['000', '999'] as const).flatMap((service_code) =>
    (['MAGSTRIPE', 'FALLBACK'] as const).flatMap((entry_mode): Row[] => {
      const value = cvvOf({ cvk, pan, expiry_yymm: '2906', service_code })
      const request = { card: { pan }, entry_mode }
      const unreliable = { ...request, track_cvv: { service_code } }
      return [
        [
          `${entry_mode} with service code ${service_code} and its value`,
          { request: { ...request, track_cvv: { value, service_code } } },
          '1022',
        ],
        [
          `${entry_mode} with service code ${service_code}, value unreliable`,
          { request: unreliable },
          '1022',
        ],
      ]
    }),
  ),
  ['a right AAV', authenticated(aav), undefined],
  ['an AAV of another amount', authenticated(aav, { amount: 1_001n }), '1022'],
  ['a wrong AAV', authenticated(new Secret('AAVAA')), '1022'],
  ['a wrong AAV beside the right CVV2', authenticated(new Secret('AAVAA'), { cvv2 }), '1022'],
  ['a claim without an AAV', authenticated(undefined), undefined],
  [
    'a wrong AAV of a product without codes',
    { ...authenticated(new Secret('AAVAA')), card: { otp_3ds: false } },
    undefined,
  ],
  [
    'a wrong AAV where the product has no key of AAVs',
    { ...authenticated(new Secret('AAVAA')), evidence: { keys } },
    undefined,
  ],
  [
    'a wrong AAV of an advice',
    authenticated(new Secret('AAVAA'), { message_type: '0120' }),
    undefined,
  ],
  [
    'a stripe whose value is unreliable',
    { request: { card: { pan }, entry_mode: 'MAGSTRIPE', track_cvv: { service_code: '201' } } },
    undefined,
  ],
  [
    'the value of the stripe in a chip entry',
    {
      request: {
        card: { pan },
        entry_mode: 'CHIP',
        track_cvv: { value: track, service_code: '999' },
      },
    },
    '1022',
  ],
  [
    'another expiry on the track beside a right DE14',
    { request: { expiry: '2906', track_expiry: '3006' } },
    '1804',
  ],
  [
    'another DE14 beside a right expiry on the track',
    { request: { expiry: '3006', track_expiry: '2906' } },
    '1804',
  ],
  ['DE14 and track alike', { request: { expiry: '2906', track_expiry: '2906' } }, undefined],
  [
    'the expiry of the card on the track of its token',
    { evidence: { token }, request: { expiry: '2901', track_expiry: '2906' } },
    '1804',
  ],
  [
    'a stripe, required',
    { request: { entry_mode: 'MAGSTRIPE' }, card: { emv: 'REQUIRED' } },
    undefined,
  ],
  ['e-commerce without a cryptogram, required', { card: { emv: 'REQUIRED' } }, undefined],
  ...(['CHIP', 'CONTACTLESS', 'MAGSTRIPE', 'FALLBACK'] as const).map(
    (entry_mode): Row => [
      `${entry_mode} after ten wrong tries`,
      { request: { entry_mode }, evidence: { wrong_tries: tenTries(desk.now) } },
      undefined,
    ],
  ),
  ['nine wrong tries', { evidence: { wrong_tries: tenTries(desk.now).slice(1) } }, undefined],
  [
    'ten wrong tries, the last one day before',
    { evidence: { wrong_tries: tenTries(new Date('2026-06-11T10:00:00.000Z')) } },
    undefined,
  ],
  [
    'ten wrong tries, the last almost one day before',
    { evidence: { wrong_tries: tenTries(new Date('2026-06-11T10:00:00.001Z')) } },
    '1022',
  ],
  [
    'ten wrong tries where they do not count',
    { evidence: { wrong_tries: tenTries(desk.now) }, settings: { card_verification_max_tries: 0 } },
    undefined,
  ],
  [
    'an advice after ten wrong tries',
    { request: { message_type: '0120' }, evidence: { wrong_tries: tenTries(desk.now) } },
    undefined,
  ],
]

for (const [what, cause, code] of table) {
  test(`${what}: ${code ?? 'passes'}`, () => {
    const { declined, trace } = examine(seen(cause))
    assert.equal(declined, code, String(trace.at(-1)))
  })
}

test('a wrong CVV2, CVV or expiry date counts in a request, nothing else does', () => {
  const counted = (...changes: Change[]) => examine(seen(...changes)).wrong_try
  const byNumber = { request: { card: { pan } } }
  const wrong: Change = { request: { card: { pan }, cvv2: new Secret('000') } }
  const track_cvv = { value: cvv2, service_code: '201' }
  assert.equal(counted(wrong), true)
  assert.equal(counted({ request: { card: { pan }, track_cvv } }), true)
  assert.equal(counted({ request: { expiry: '2907' } }), true)
  assert.equal(counted({ request: { expiry: '2906', track_expiry: '2907' } }), true)
  assert.equal(counted(byNumber, { request: { cvv2 } }), false, 'the right one')
  assert.equal(counted(wrong, { request: { message_type: '0120' } }), false, 'an advice')
  assert.equal(counted(wrong, { request: { processing_code: '200000' } }), false, 'a credit')
  assert.equal(
    counted(wrong, { settings: { card_verification_max_tries: 0 } }),
    false,
    'turned off',
  )
  assert.equal(counted(wrong, closed('T0')), false, 'what is not looked at')
  assert.equal(counted({ evidence: { wrong_tries: tenTries(desk.now) } }, wrong), false, 'blocked')
  const missing = { value: new Secret(''), service_code: '' }
  assert.equal(counted({ request: { card: { pan }, track_cvv: missing } }), false, 'no track')
})

test('the trace says that tries were too many', () => {
  const sawOf = (check: string, change: Change) =>
    examine(seen(change)).trace.find(([name]) => name === check)?.[1]
  const tries = { evidence: { wrong_tries: tenTries(desk.now) } }
  assert.equal(sawOf('verification tries', tries), 'too many wrong tries: 10')
})

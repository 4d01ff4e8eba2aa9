import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { statusDescription } from '#iso8583/codes.ts'
import type { LimitTerms } from '#issuing/limits/rules.ts'
import type { ListRule } from '#issuing/lists/rules.ts'
import { packTrace } from '#issuing/transactions/usual_checks.ts'
import { Secret } from '#lib/secret.ts'
import { encodeFormat0 } from '#pin/format0.ts'
import { encodeFormat4 } from '#pin/format4.ts'
import { pvvOf } from '#pin/pvv.ts'
import { CARD_NUMBER as pan, refusalIn, settingsOf, type TestMessage } from '#test/support/desk.ts'
import {
  type Change,
  closed,
  desk,
  keys,
  seen,
  tenTries,
  token,
  token_number,
  zpk_aes,
} from '#test/support/seen.ts'
import type { Case } from '../case.ts'
import { checks, examine } from './checks.ts'
import { declined } from './findings.ts'

const pinIs = (digits: string, failures: number) => ({
  value: pvvOf({ ...keys, pan, pin: new Secret(digits) }),
  failures,
})
const blockOf = (digits: string, over = pan) =>
  new Secret(encodeFormat4(new Secret(digits), over, zpk_aes, Buffer.alloc(8)).toString('hex'))

const limit: LimitTerms = {
  id: 'l',
  kind: 'VELOCITY',
  type: 'PER_TRANSACTION',
  currency: 'AED',
  min_amount: null,
  max_amount: 999n,
  frequency: null,
  period: null,
  transaction_scope: ['ALL'],
  short_id: 1n,
  version: 1n,
  mode: 'ENFORCED',
}
const counted = { amount: 0n, number: 0 }
const least: LimitTerms = {
  ...limit,
  kind: 'BALANCE',
  type: 'PER_ACCOUNT',
  transaction_scope: null,
  min_amount: 1n,
  max_amount: null,
}
const account = { balance: 1_000n, available: 1_000n }
/** A stripe whose track has this service code. */
function ofStripe(service_code: string): Change {
  return { request: { card: { pan }, entry_mode: 'MAGSTRIPE', track_cvv: { service_code } } }
}

const by_operator = { terminated_by_operator: true }
const UNKNOWN = '990000'
/** A list that lets nothing pass. */
const only: ListRule = {
  kind: 'countries',
  id: 'list',
  version: 1n,
  name: 'Nothing',
  mode: 'ENFORCED',
  named: new Map(),
  restricts: true,
}

/** One cause for each decline, in the order in which the first wins (D-43, D-106). */
const declines: readonly (readonly [check: string, code: string, cause: Change])[] = [
  ['format', '1846', { request: { format_fault: { status_code: '1846', detail: 'DE22' } } }],
  ['reversal', '1894', { evidence: { reversed_early: true } }],
  ['deadline', '1889', { evidence: { late: true } }],
  ['card', '1018', { card: null, evidence: { lacks_product: false } }],
  ['product', '1847', { card: null, evidence: { lacks_product: true } }],
  ['card status', '1816', closed('T3')],
  ['cardholder', '1019', { card: { user_id: null } }],
  ['wallet', '1890', { evidence: { token: { ...token, status: 'SUSPENDED' } } }],
  [
    'verification tries',
    '1022',
    { request: { entry_mode: 'ECOMMERCE' }, evidence: { wrong_tries: tenTries(desk.now) } },
  ],
  ['expiry', '1804', { request: { expiry: '2907' } }],
  ['service code', '1848', ofStripe('311')],
  ['chip', '1810', { evidence: { chip: { finding: declined('1810', 'no DE55') } } }],
  ['card verification', '1022', { request: { card: { pan }, cvv2: new Secret('000') } }],
  [
    'PIN tries',
    '1006',
    { request: { pin_block: blockOf('4831') }, evidence: { pin: pinIs('4831', 3) } },
  ],
  ['PIN', '1017', { request: { pin_block: blockOf('4832') }, evidence: { pin: pinIs('4831', 2) } }],
  ['transaction type', '1888', { request: { processing_code: UNKNOWN } }],
  [
    'switches',
    '1838',
    {
      request: { three_ds: 'NONE', recurring: false },
      card: { settings: settingsOf({ ecommerce_non_3ds: false }, {}) },
    },
  ],
  [
    'cash terminal',
    '1020',
    { request: { processing_code: '010000', merchant: { id: 'SHOP1', mcc: '5411' } } },
  ],
  [
    'cardholder phone',
    '1893',
    { request: { three_ds: 'ATTEMPTED' }, card: { otp_3ds: true, user_has_mobile: false } },
  ],
  ['countries', '1860', { card: { lists: { product: { countries: only }, card: {} } } }],
  ['MCCs', '1859', { card: { lists: { product: { mccs: only }, card: {} } } }],
  ['merchants', '1019', { card: { lists: { product: { merchants: only }, card: {} } } }],
  ['currency', '1888', { request: { currency: 'USD' } }],
  ['amount', '1010', { request: { amount: 0n } }],
  ['amount bounds', '1829', { card: { settings: settingsOf({ max_amount: '999' }, {}) } }],
  ['velocity', '1896', { evidence: { limits: { velocity: [{ limit, counted }], balance: [] } } }],
  ['stop orders', '1895', { request: { recurring: true }, evidence: { stopped: true } }],
  [
    'responder',
    '1852',
    { evidence: { verdict: { kind: 'default', action: 'DECLINE', cause: 'timeout', ms: 9 } } },
  ],
  ['account', '1019', { account: { status: 'SUSPENDED' } }],
  ['funds', '1016', { account: { balance: 0n } }],
  [
    'balance limits',
    '1876',
    {
      evidence: {
        limits: { velocity: [], balance: [least], standing: { account, user: account } },
      },
    },
  ],
]

const refusal = (input: Case) => refusalIn(examine(input).trace)

test('each check declines with its own code, and the trace has its detail', () => {
  for (const [check, code, cause] of declines) {
    const { declined, trace } = examine(seen(cause))
    assert.equal(declined, code, check)
    const [name, detail, own] = refusalIn(trace) ?? []
    assert.deepEqual([name, own], [check, code])
    assert.ok(detail, 'the trace has the detail')
  }
  assert.deepEqual(
    declines.map(([name]) => name),
    checks.map(({ name }) => name),
    'every check is in the table, in the same order',
  )
})

test('of two causes the one that comes first gives the code, whichever two they are', () => {
  for (const [at, [check, code, cause]] of declines.entries()) {
    for (const [, , later] of declines.slice(at + 1)) {
      const { declined, trace } = examine(seen(later, cause))
      assert.deepEqual([declined, refusalIn(trace)?.[0]], [code, check])
    }
  }
})

test('a check gives no code that it does not declare, and each declared code has a meaning', () => {
  for (const { name, codes } of checks) {
    for (const code of codes) assert.ok(statusDescription(code), `${name} ${code}`)
  }
})

test('a request without a fault passes every check', () => {
  const { declined, trace } = examine(seen())
  assert.equal(declined, undefined)
  assert.deepEqual(
    trace.map(([name]) => name),
    checks.map(({ name }) => name),
  )
})

const none = 'not checked'
const fault = { status_code: '9104', detail: 'DE4' } as const

describe('the checks after the first that declined', () => {
  test('are in the trace with what they found, and the first gives the code', () => {
    const late: Change = { request: { amount: 0n }, account: { balance: 0n } }
    const { declined, trace } = examine(seen(closed('T3'), late))
    assert.equal(declined, '1816')
    assert.deepEqual(
      trace.map(([name]) => name),
      checks.map(({ name }) => name),
    )
    const codes = trace.flatMap(([name, , code]) => (code ? [[name, code]] : []))
    assert.deepEqual(codes, [
      ['card status', '1816'],
      ['amount', '1010'],
    ])
  })

  for (const [what, change] of [
    ['a message that is malformed', { request: { format_fault: fault, currency: 'XXX' } }],
    ['a request that is late', { evidence: { late: true }, account: null }],
    ['a card that does not exist', { card: null, account: null }],
    [
      'a product that does not exist',
      { card: null, account: null, evidence: { lacks_product: true } },
    ],
  ] as const) {
    test(`are not made of ${what}`, () => {
      const { trace } = examine(seen(tried('4832', 0), change))
      const at = trace.findIndex(([, , code]) => code !== undefined)
      assert.equal(trace.length, checks.length)
      assert.ok(at >= 0)
      assert.deepEqual(new Set(trace.slice(at + 1).map(([, detail]) => detail)), new Set([none]))
    })
  }

  test('check nothing that a sender may guess, and count nothing', () => {
    const guesses = {
      request: { pin_block: blockOf('4832'), expiry: '2907', card: { pan }, cvv2: new Secret('0') },
      evidence: { pin: pinIs('4831', 0) },
    }
    const { trace, pin_failures, wrong_try } = examine(seen(closed('T3'), guesses))
    assert.deepEqual([pin_failures, wrong_try], [undefined, false])
    const skipped = trace.flatMap(([name, detail]) => (detail === none ? [name] : []))
    assert.deepEqual(skipped, ['expiry', 'card verification', 'PIN'])
  })

  test('take a number each in a stored trace where they are not made', () => {
    const [, ...later] = checks
    for (const { name } of later) assert.equal(typeof packTrace([[name, none]])[0], 'number', name)
  })

  test('leave the count of a PIN that was tried before the decline as it was', () => {
    const wrong = examine(seen(tried('4832', 1), { account: { balance: 0n } }))
    assert.deepEqual([wrong.declined, wrong.pin_failures], ['1017', 2])
    assert.equal(refusalIn(wrong.trace)?.[0], 'PIN')
    assert.deepEqual(wrong.trace.at(-1)?.slice(0, 1), ['balance limits'])
  })
})

function migrating(
  status: 'ACTIVE' | 'SUSPENDED',
  status_reason_code: string,
  ends: string,
): Change {
  return { card: { status, status_reason_code, migration_ends: new Date(ends) } }
}

/** A message that names the card by the number of a token of it. */
function ofToken(request: Partial<TestMessage>): Change {
  return { request: { card: { pan: token_number }, ...request }, evidence: { token } }
}

/** A PIN where 4831 is the right one, over the number that the message names. */
function tried(digits: string, failures: number, over = pan): Change {
  const request = { card: { pan: over }, pin_block: blockOf(digits, over) }
  return { request, evidence: { pin: pinIs('4831', failures) } }
}

function inFormat0(digits: string): Secret {
  return new Secret(encodeFormat0(new Secret(digits), pan, keys.zpk).toString('hex'))
}

/** Every further cause of a code. */
const table: readonly (readonly [what: string, Change, code: string | undefined])[] = [
  [
    'a field is malformed',
    { request: { format_fault: { status_code: '9104', detail: 'DE4' } } },
    '9104',
  ],
  [
    'a product without keys, and a CVV2',
    { request: { cvv2: new Secret('000') }, evidence: { keys: undefined } },
    '1845',
  ],
  ['a product without keys, and nothing to check', { evidence: { keys: undefined } }, undefined],
  [
    'a refund under a product without keys',
    {
      request: { cvv2: new Secret('000'), processing_code: '200000' },
      evidence: { keys: undefined },
    },
    undefined,
  ],
  ['a service code of a chip card', ofStripe('201'), undefined],
  ['a service code for use in one country', ofStripe('601'), undefined],
  ['a service code of no use', ofStripe('301'), '1848'],
  ['a service code of no authorization', ofStripe('111'), '1848'],
  ['a service code of no services', ofStripe('108'), '1848'],
  ['a service code of CVV2 on a stripe', ofStripe('000'), '1022'],
  ['a service code of iCVV on a stripe', ofStripe('999'), '1022'],
  ['terminated by the client', closed('T0'), '1809'],
  ['lost', closed('T1'), '1809'],
  ['stolen', closed('T2'), '1809'],
  ['replaced', closed('T3'), '1816'],
  ['expired and so terminated', closed('T4'), '1001'],
  ['terminated by the operator', { card: { ...closed('T0').card, ...by_operator } }, '1816'],
  ['lost, by the operator', { card: { ...closed('T1').card, ...by_operator } }, '1816'],
  ['suspended', { card: { status: 'SUSPENDED', status_reason_code: 'S0' } }, '1003'],
  ['not yet active', { card: { status: 'INACTIVE', status_reason_code: 'I0' } }, '1806'],
  ['its user is suspended', { card: { user_status: 'SUSPENDED' } }, '1892'],
  ['its user is gone', { card: { user_status: null } }, '1892'],
  ['migration to plastic', migrating('ACTIVE', 'AT', '2026-06-12T10:00:00.001Z'), undefined],
  ['migration that took too long', migrating('ACTIVE', 'AT', '2026-06-12T10:00:00.000Z'), '1806'],
  ['suspended in migration', migrating('SUSPENDED', 'ST', '2026-06-13T00:00:00Z'), '1003'],
  ['suspended till migration ended', migrating('SUSPENDED', 'ST', '2026-06-11T00:00:00Z'), '1806'],
  ['migration ended well', migrating('ACTIVE', 'A0', '2026-06-11T00:00:00Z'), undefined],
  ['blocked by provisioning', { card: { status: 'SUSPENDED', status_reason_code: 'P0' } }, '1003'],
  ['an active token', { evidence: { token } }, undefined],
  ['a deleted token', { evidence: { token: { ...token, status: 'DELETED' } } }, '1890'],
  ['the right PIN', tried('4831', 2), undefined],
  [
    'the right PIN by a token',
    { ...tried('4831', 0, token_number), evidence: { token, pin: pinIs('4831', 0) } },
    undefined,
  ],
  [
    'a block over the card in a message by its token',
    { ...ofToken({ pin_block: blockOf('4831') }), evidence: { token, pin: pinIs('4831', 0) } },
    '1017',
  ],
  [
    'the right PIN in format 0',
    { request: { pin_block: inFormat0('4831') }, evidence: { pin: pinIs('4831', 0) } },
    undefined,
  ],
  [
    'another PIN in format 0',
    { request: { pin_block: inFormat0('4832') }, evidence: { pin: pinIs('4831', 0) } },
    '1017',
  ],
  [
    'a block that is none',
    { request: { pin_block: new Secret('00'.repeat(16)) }, evidence: { pin: pinIs('4831', 0) } },
    '1017',
  ],
  [
    'a block of no length',
    { request: { pin_block: new Secret('0011') }, evidence: { pin: pinIs('4831', 0) } },
    '1017',
  ],
  ['a PIN for a card without one', { request: { pin_block: blockOf('4831') } }, '1017'],
  [
    'a PIN of a message that names no number',
    { ...tried('4831', 0), evidence: { pin: pinIs('4831', 0), card_number: undefined } },
    '1017',
  ],
  [
    'a wrong PIN in an advice',
    { ...tried('4832', 0), request: { pin_block: blockOf('4832'), message_type: '0120' } },
    undefined,
  ],
  [
    'a blocked PIN in an advice',
    { ...tried('4831', 3), request: { pin_block: blockOf('4831'), message_type: '0120' } },
    undefined,
  ],
  [
    'a blocked PIN, which the message does not contain',
    { evidence: { pin: pinIs('4831', 3) } },
    undefined,
  ],
  ['fewer tries than there were', { ...tried('4831', 2), card: { pin_max_tries: 2 } }, '1006'],
  ['no currency', { request: { currency: '000' } }, '1888'],
  ['a currency of another account', { card: { currency: 'USD' } }, '1888'],
  ['a verification of nothing', { request: { processing_code: '330000', amount: 0n } }, undefined],
  [
    'a zero amount that is marked as a verification',
    { request: { amount: 0n, is_verification: true } },
    undefined,
  ],
  ['a verification that asks for money', { request: { processing_code: '330000' } }, '1010'],
  ['a balance inquiry', { request: { processing_code: '310000', amount: 0n } }, undefined],
  ['a refund of nothing', { request: { processing_code: '200000', amount: 0n } }, '1010'],
  ['the account is not yet active', { account: { status: 'INACTIVE' } }, '1019'],
  ['a card without an account pays', { account: null }, '1016'],
  [
    'a card without an account is verified',
    { account: null, request: { processing_code: '330000', amount: 0n } },
    undefined,
  ],
  [
    'a card without an account gets a refund',
    { account: null, request: { processing_code: '200000' } },
    '1019',
  ],
  ['all that there is', { request: { amount: 10_000n } }, undefined],
  ['one minor unit more', { request: { amount: 10_001n } }, '1016'],
  ['what is held is not there', { account: { held: 9_001n } }, '1016'],
  [
    'the terminal takes less, the product does not',
    { request: { amount: 10_001n, partial_capable: true } },
    '1016',
  ],
  [
    'the product allows less, the terminal does not',
    { request: { amount: 10_001n }, card: { partial_approval: true } },
    '1016',
  ],
  [
    'both take less',
    { request: { amount: 10_001n, partial_capable: true }, card: { partial_approval: true } },
    undefined,
  ],
  [
    'both take less, but nothing is there',
    {
      request: { partial_capable: true },
      card: { partial_approval: true },
      account: { balance: 0n },
    },
    '1016',
  ],
  ['an account below zero', { account: { balance: -1n, floor: -1n } }, '1016'],
]

for (const [what, cause, code] of table) {
  test(`${what}: ${code ?? 'passes'}`, () => {
    assert.equal(examine(seen(cause)).declined, code, String(refusal(seen(cause))))
  })
}

/** The checks that stop a message of this processing code. */
function stopping(processing_code: string): string[] {
  return declines.flatMap(([name, code, cause]) => {
    const { request } = cause
    const change = { request: { ...request, processing_code } }
    const { declined } = examine(seen(cause, request?.processing_code === UNKNOWN ? {} : change))
    return declined === code ? [name] : []
  })
}
const always = ['format', 'reversal', 'deadline', 'card', 'product']
const ofMoney = ['transaction type', 'currency', 'amount', 'account']

test('a refund is not stopped by the card, its holder, its expiry or its proof (D-118)', () => {
  assert.deepEqual(stopping('200000'), [...always, ...ofMoney])
})

for (const code of ['210000', '220000', '260000', '280000']) {
  test(`a credit ${code} needs an ACTIVE card and user, but no proof of the card (D-118)`, () => {
    assert.deepEqual(stopping(code), [...always, 'card status', 'cardholder', ...ofMoney])
    const declinedWith = (cause: Change) =>
      examine(seen(cause, { request: { processing_code: code } })).declined
    const causes: [Change, string][] = [
      [{ card: { status: 'SUSPENDED', status_reason_code: 'S0' } }, '1003'],
      [{ card: { status: 'INACTIVE', status_reason_code: 'I0' } }, '1806'],
      [closed('T2'), '1809'],
      [closed('T3'), '1816'],
      [{ card: { user_status: 'SUSPENDED' } }, '1892'],
      [{ card: { user_id: null } }, '1019'],
    ]
    for (const [cause, declined] of causes) assert.equal(declinedWith(cause), declined)
  })
}

test('a wrong PIN counts one more, a right one begins anew, and what comes after changes neither', () => {
  for (const [digits, failures, code, expected] of [
    ['4832', 0, '1017', 1],
    ['4832', 2, '1017', 3],
    ['4831', 2, '1016', 0],
    ['4831', 3, '1006', undefined],
  ] as const) {
    const examined = examine(seen(tried(digits, failures), { account: { balance: 0n } }))
    assert.deepEqual([examined.declined, examined.pin_failures], [code, expected])
  }
  assert.equal(examine(seen()).pin_failures, undefined)
})

test('the trace contains of a PIN no more than whether it was right', () => {
  const detail = (change: Change) => refusal(seen(change))?.[1]
  const broken = { ...tried('4832', 0), request: { pin_block: new Secret('zz') } }
  assert.deepEqual([detail(tried('4832', 0)), detail(broken)], ['wrong', 'wrong'])
  assert.doesNotMatch(JSON.stringify(examine(seen(tried('4832', 0))).trace), /483[12]/)
})

test('the detail of a check never contains a proof of the card', () => {
  const secret = new Secret('739')
  const input = seen({ request: { card: { pan }, cvv2: secret, expiry: '2906' } })
  assert.doesNotMatch(JSON.stringify(examine(input).trace), /739|4999990000000011/)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encode, type Fields, type Message } from '#iso8583/message.ts'
import { sale } from '#test/support/network/messages.ts'
import type { AuthorizationAnswer } from '../schema.ts'
import { toAnswer, toResponse } from './answer.ts'
import { toRequest } from './request.ts'

const PAN = '4000005621471607'
const CVV2 = '9203123'

const message = (fields: Fields = {}, mti = '0100') =>
  sale({ pan: PAN, amount: 1050n, mti, fields: { 38: '000001', 39: '00', ...fields } })

const approved: AuthorizationAnswer = {
  transaction_id: '0197dddd-0000-7000-8000-000000000001',
  status_code: '0000',
  approved: true,
  amount: 1050n,
  approval_code: '445566',
  available: { amount: 8950n, ledger: 10000n, currency: 'AED' },
  hints: {},
  repeated: false,
}
const declined = (status_code: string, hints: AuthorizationAnswer['hints'] = {}) => ({
  ...approved,
  status_code,
  approved: false,
  amount: 0n,
  hints,
})

function answered(received: Message, answer: AuthorizationAnswer): Fields {
  const request = toRequest(received, 0)
  assert.ok(request.ok)
  const reported = toAnswer(received, request.request, answer)
  assert.ok(reported)
  assert.ok(encode(reported, 'ascii').length > 0)
  return reported.fields
}

test('an approval echoes what the table lists and carries its code', () => {
  const received = message({ 5: '000000000001', 14: '3112', 19: '784', 33: '77', 48: CVV2 })
  const request = toRequest(received, 0)
  assert.ok(request.ok)
  const reported = toAnswer(received, request.request, approved)
  assert.equal(reported?.mti, '0110')
  const { 2: pan, 3: code, 4: amount, 7: time, 11: stan, 12: hour, 13: day } = received.fields
  const { 37: rrn, 41: terminal, 42: merchant } = received.fields
  assert.deepEqual(reported?.fields, {
    2: pan,
    3: code,
    4: amount,
    5: '000000000001',
    7: time,
    11: stan,
    12: hour,
    13: day,
    19: '784',
    32: '400123',
    33: '77',
    37: rrn,
    38: '445566',
    39: '00',
    41: terminal,
    42: merchant,
    48: '8701M',
    49: '784',
  })
})

test('no answer holds expiry, track, CVV2, PIN block or chip data', () => {
  const track = `${PAN}=31122010123498700`
  const received = message({
    14: '3112',
    22: '901',
    35: track,
    48: CVV2,
    52: '0123456789ABCDEF',
    55: '9F2608AA',
  })
  const decline = toResponse(received, '05')
  assert.ok(decline)
  const reported: Fields[] = [
    decline.fields,
    answered(received, approved),
    answered(received, declined('1022')),
  ]
  for (const one of reported) {
    for (const de of [14, 22, 35, 52, 53, 55, 123]) assert.equal(one[de], undefined)
    assert.ok(!JSON.stringify(one).includes('123499'))
  }
})

test('DE39 follows the code, the kind of message and the hints', () => {
  type Row = [mti: string, answer: AuthorizationAnswer, de39: string]
  const rows: Row[] = [
    ['0100', declined('1016'), '51'],
    ['0100', declined('1816', { card_reason: 'T2' }), '43'],
    ['0100', declined('1022'), '82'],
    ['0100', declined('1022', { cvv2: true }), 'N7'],
    ['0100', declined('1889'), '91'],
    ['0120', declined('1856'), '00'],
    ['0121', declined('1018'), '00'],
    ['0220', declined('1858'), '00'],
    ['0420', declined('9114'), '00'],
    ['0420', declined('9104'), '30'],
    ['0220', declined('1846'), '30'],
    ['0220', declined('1889'), '91'],
    ['0220', declined('9113'), '94'],
    ['0400', approved, '00'],
    ['0400', declined('9114'), '25'],
    ['0400', declined('9115'), '21'],
    ['0401', declined('1894'), '21'],
  ]
  for (const [mti, answer, de39] of rows) {
    assert.equal(answered(message({}, mti), answer)[39], de39, `${mti} ${answer.status_code}`)
  }
})

test('only an approved request is given an approval code', () => {
  assert.equal(answered(message(), approved)[38], '445566')
  assert.equal(answered(message({}, '0200'), approved)[38], '445566')
  assert.equal(answered(message(), declined('1016'))[38], undefined)
  assert.equal(answered(message({}, '0220'), approved)[38], undefined)
  assert.equal(answered(message({}, '0400'), approved)[38], undefined)
})

test('a partial approval names the lower amount and the balances', () => {
  const received = message({ 6: '000000000300', 10: '64901043', 51: '840' })
  const reported = answered(received, { ...approved, status_code: '0002', amount: 400n })
  assert.equal(reported[39], '10')
  assert.equal(reported[4], '000000000400')
  assert.deepEqual([reported[6], reported[10], reported[51]], [undefined, undefined, undefined])
  assert.equal(reported[54], '0001784C0000000100000002784C000000008950')
})

test('balances are sent to an inquiry alone, with their side', () => {
  const inquiry = message({ 3: '312000', 4: '000000000000' })
  const overdrawn = { amount: -50n, ledger: 0n, currency: 'AED' }
  const reported = answered(inquiry, { ...approved, amount: 0n, available: overdrawn })
  assert.equal(reported[54], '2001784C0000000000002002784D000000000050')
  assert.equal(answered(inquiry, declined('1003'))[54], undefined)
  assert.equal(answered(message(), approved)[54], undefined)
})

test('a balance of more than twelve digits is left out, on either side, and the rest is sent', () => {
  const inquiry = message({ 3: '310000', 4: '000000000000' })
  const most = 999_999_999_999n
  const sent = (ledger: bigint, amount: bigint) => {
    const available = { ledger, amount, currency: 'AED' }
    return answered(inquiry, { ...approved, amount: 0n, available })
  }
  assert.equal(sent(most, most)[54], '0001784C9999999999990002784C999999999999')
  assert.equal(sent(most + 1n, most)[54], '0002784C999999999999')
  assert.equal(sent(most, -most - 1n)[54], '0001784C999999999999')
  assert.equal(sent(-most, -most)[54], '0001784D9999999999990002784D999999999999')
  const none = sent(most + 1n, 10n ** 18n)
  assert.deepEqual([none[54], none[39]], [undefined, '00'])
})

test('the result of CVV2 is sent where one was present', () => {
  const rows: [answer: AuthorizationAnswer, element: string | undefined][] = [
    [approved, '8701M'],
    [declined('1016'), '8701M'],
    [declined('1022', { cvv2: true }), '8701N'],
    [declined('1804'), '8701P'],
    [declined('1018'), '8701P'],
    [declined('1810'), '8701P'],
    [declined('1006'), '8701M'],
    [declined('1888'), '8701M'],
  ]
  for (const [answer, element] of rows) {
    assert.equal(answered(message({ 48: CVV2 }), answer)[48], element, answer.status_code)
    assert.equal(answered(message(), answer)[48], undefined)
  }
})

test('a repeat is answered with the same bytes', () => {
  const received = message({ 48: CVV2 })
  const first = answered(received, approved)
  const again = answered({ ...received, mti: '0101' }, { ...approved, repeated: true })
  assert.deepEqual(again, first)
})

test('an answer gets no answer', () => {
  assert.equal(toResponse({ mti: '0110', fields: {} }, '30'), null)
  assert.equal(toResponse({ mti: '0300', fields: {} }, '30'), null)
})

const IN_DOLLARS = { 49: '840', 6: '000000003855', 10: '63671429', 51: '784' }
const OWN_AMOUNT = { 49: '784', 6: '000000001050', 51: '784' }
const billedRows: [string, Fields, 'own' | 'scheme', AuthorizationAnswer, boolean][] = [
  ['what the scheme bills, held so', IN_DOLLARS, 'scheme', approved, true],
  ['what the scheme bills, where it does not count', IN_DOLLARS, 'own', approved, false],
  ['a decline', IN_DOLLARS, 'scheme', declined('1016'), false],
  [
    'another currency than that of the account',
    { ...IN_DOLLARS, 51: '978' },
    'scheme',
    approved,
    false,
  ],
  ['the amount itself', OWN_AMOUNT, 'own', approved, true],
  [
    'another amount in the currency of the account',
    { ...OWN_AMOUNT, 6: '000000009999' },
    'own',
    approved,
    false,
  ],
  [
    'another amount in the currency of the account, held so',
    { ...OWN_AMOUNT, 6: '000000009999' },
    'scheme',
    { ...approved, amount: 9_999n },
    true,
  ],
  [
    'another amount in the currency of the account, where DE4 was held',
    { ...OWN_AMOUNT, 6: '000000009999' },
    'scheme',
    approved,
    false,
  ],
]
for (const [what, fields, billing, answer, isSent] of billedRows) {
  test(`DE6 of ${what} ${isSent ? 'comes back' : 'does not come back'}`, () => {
    const received = message(fields)
    const read = toRequest(received, 0, undefined, { billing })
    assert.ok(read.ok)
    const reported = toAnswer(received, read.request, answer)
    assert.equal(reported?.fields[6], isSent ? fields[6] : undefined)
    assert.equal(reported?.fields[51], isSent ? fields[51] : undefined)
  })
}

test('a partial approval of what the scheme bills names the part of DE4 that it covers', () => {
  const received = message({ ...OWN_AMOUNT, 6: '000000001155' })
  const read = toRequest(received, 0, undefined, { billing: 'scheme' })
  assert.ok(read.ok)
  const partial = { ...approved, status_code: '0002', amount: 550n }
  const fields = toAnswer(received, read.request, partial)?.fields
  assert.deepEqual([fields?.[4], fields?.[6], fields?.[51]], ['000000000500', undefined, undefined])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dialects } from '#iso8583/dialects.ts'
import { decode, encode, type Fields } from '#iso8583/message.ts'
import { parseOriginal, parseReplacement } from '#iso8583/original.ts'
import { parseElements } from '#iso8583/tlv48.ts'
import { Secret } from '#lib/secret.ts'
import * as wire from './wire.ts'

const now = new Date('2026-03-09T08:07:06.543Z')
const acceptor: wire.Acceptor = {
  display_name: 'Café  Zürich',
  descriptor: null,
  city: 'Dubai Internet City',
  country: 'ARE',
  mcc: '5812',
  card_acceptor_id: '123456789012345',
  terminal_id: '87654321',
}
const sale = { amount: 10050n, currency: 'AED', three_ds: 'NONE' } as const
const stamp = { now, stan: '000042' }
const authorization = wire.authorizationFields(acceptor, sale, stamp, 'A1B2C3D4E5F6')
const card = { pan: new Secret('4000001234567899'), expiry: '2909' }

test('an authorization contains e-commerce without 3-D Secure and the merchant', () => {
  const expected: Fields = {
    3: '000000', 4: '000000010050', 7: '0309080706', 11: '000042', 12: '080706', 13: '0309',
    18: '5812', 19: '784', 22: '812', 25: '59', 32: '60400000001', 37: 'A1B2C3D4E5F6',
    41: '87654321', 42: '123456789012345',
    43: 'Cafe Zurich              Dubai InterneAE', 48: '42070103210', 49: '784',
    61: '10251040066',
  } // biome-ignore format: fields read best by the line.
  assert.deepEqual(authorization, expected)
})

test('element 42 of DE48 has the outcome of 3-D Secure', () => {
  for (const [three_ds, level] of [
    ['ATTEMPTED', '0103211'],
    ['AUTHENTICATED', '0103212'],
  ] as const) {
    const fields = wire.authorizationFields(acceptor, { ...sale, three_ds }, stamp, 'A1B2C3D4E5F6')
    assert.equal(fields[48], `4207${level}`)
  }
})

test('an authorization that the merchant asks for is recurring with a card on file', () => {
  const asked = { ...sale, recurring: true }
  const marks = { 22: '102', 25: '73', 61: '10341040000' }
  const fields = wire.authorizationFields(acceptor, asked, stamp, 'A1B2C3D4E5F6')
  assert.deepEqual(fields, { ...authorization, ...marks })
})

test('a stored message contains neither the card number nor the CVV2', () => {
  const sent = wire.withCard(authorization, card, { cvv2: new Secret('123') })
  assert.equal(sent[2], '4000001234567899')
  assert.equal(sent[14], '2909')
  const elements = parseElements(sent[48] ?? '')
  assert.deepEqual(elements.ok && [...elements.elements], [
    ['42', '0103210'],
    ['92', '123'],
  ])
  assert.equal(JSON.stringify(authorization).includes('4000001234567899'), false)
})

test('a completion names its authorization by DE37, DE38 and DE90', () => {
  const fields = wire.completionFields(authorization, 'OK1234', 9000n, { now, stan: '000043' })
  assert.deepEqual([fields[4], fields[11], fields[37], fields[38], fields[39], fields[48]], [
    '000000009000', '000043', 'A1B2C3D4E5F6', 'OK1234', '00', undefined,
  ]) // biome-ignore format: one line a list.
  assert.deepEqual(parseOriginal(fields[90] ?? ''), {
    mti: '0100',
    stan: '000042',
    transmitted: '0309080706',
    acquirer: '60400000001',
    forwarder: '00000000000',
  })
})

test('a refund has processing code 20 and names the purchase', () => {
  const fields = wire.refundFields(authorization, 500n, { now, stan: '000044' })
  assert.deepEqual([fields[3], fields[4], fields[37]], ['200000', '000000000500', 'A1B2C3D4E5F6'])
  assert.equal(parseOriginal(fields[90] ?? '')?.stan, '000042')
})

test('a reversal names its original, and a partial one the remaining amount', () => {
  const stamp = { now, stan: '000045' }
  const whole = wire.reversalFields('0100', authorization, null, '68', stamp)
  assert.deepEqual([whole[4], whole[38], whole[39], whole[95]], [
    '000000010050', undefined, '68', undefined,
  ]) // biome-ignore format: one line a list.
  const part = wire.reversalFields('0100', authorization, 'OK1234', '17', stamp, 9000n)
  assert.equal(parseReplacement(part[95] ?? '')?.actual, 9000n)
  const refund = wire.refundFields(authorization, 500n, { now, stan: '000044' })
  const undone = wire.reversalFields('0200', refund, null, '68', stamp)
  assert.deepEqual([undone[3], undone[4]], ['200000', '000000000500'])
  const { mti, stan } = parseOriginal(undone[90] ?? '') ?? {}
  assert.deepEqual([mti, stan], ['0200', '000044'])
})

test('the AAV is sent beside the CVV2 and is in no stored message', () => {
  const proofs = { cvv2: new Secret('123'), aav: new Secret('A'.repeat(28)) }
  const sent = parseElements(wire.withCard(authorization, card, proofs)[48] ?? '')
  assert.equal(sent.ok && sent.elements.get('43'), 'A'.repeat(28))
  const stored = parseElements(authorization[48] ?? '')
  assert.equal(stored.ok && stored.elements.has('43'), false)
})

test('every message is one that the codec writes and reads back, in every dialect', () => {
  const stamp = { now, stan: '000046' }
  const messages: [string, Fields][] = [
    ['0100', wire.withCard(authorization, card, { cvv2: new Secret('123') })],
    ['0220', wire.withCard(wire.completionFields(authorization, 'OK1234', 1n, stamp), card)],
    ['0200', wire.withCard(wire.refundFields(authorization, 1n, stamp), card)],
    [
      '0420',
      wire.withCard(wire.reversalFields('0100', authorization, null, '68', stamp, 5n), card),
    ],
  ]
  for (const dialect of Object.keys(dialects) as (keyof typeof dialects)[]) {
    for (const [mti, fields] of messages) {
      const decoded = decode(encode({ mti, fields }, dialect), dialect)
      assert.equal(decoded.ok, true, `${dialect} ${mti}`)
      assert.deepEqual({ ...(decoded.ok && decoded.message.fields) }, fields, `${dialect} ${mti}`)
    }
  }
})

test('a descriptor is the name of the merchant in an authorization and in all that follow', () => {
  const shop = { ...acceptor, display_name: 'متجر', descriptor: 'SOUK *DUBAI', city: 'دبي' }
  const paid = wire.authorizationFields(shop, sale, stamp, 'A1B2C3D4E5F6')
  const later = { now, stan: '000047' }
  const refund = wire.refundFields(paid, 1n, later)
  const followers = [
    wire.completionFields(paid, 'OK1234', 1n, later),
    refund,
    wire.reversalFields('0100', paid, null, '68', later, 5n),
    wire.reversalFields('0200', refund, null, '68', later),
  ]
  for (const fields of [paid, ...followers]) {
    assert.equal(fields[43], 'SOUK *DUBAI              dby          AE')
  }
})

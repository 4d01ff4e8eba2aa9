/**
 * The message that the network would send for a simulated request is read as that request again.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encode } from '#iso8583/message.ts'
import { toRequest } from '#issuing/authorization/message/request.ts'
import type { AuthorizationRequest } from '#issuing/authorization/schema.ts'
import { entryModes } from '#issuing/transactions/schema.ts'
import { Secret } from '#lib/secret.ts'
import { messageOf } from './wire.ts'

const PAN = '4000005621471607'
const ID = '0197dddd-0000-7000-8000-00000000000a'
const created = new Date('2026-03-02T08:30:00Z')
const modified = new Date('2026-03-03T09:00:00Z')
const about = { id: ID, message_type: '0100', created, modified, approval_code: '445566' }

const request: AuthorizationRequest = {
  message_type: '0100',
  processing_code: '000000',
  card: { pan: new Secret(PAN) },
  amount: 1_050n,
  currency: 'AED',
  merchant: { id: 'SHOP', name: 'Palm Books', mcc: '5942', city: 'Dubai', country: 'ARE' },
  pos: { entry_mode: 'ECOMMERCE', environment: 'ECOMMERCE' },
  entry_mode: 'ECOMMERCE',
  three_ds: 'NONE',
  recurring: false,
  partial_capable: false,
  is_verification: false,
}

const read = (sent: AuthorizationRequest) => {
  const result = toRequest(messageOf(sent, PAN, about), 0)
  assert.ok(result.ok)
  return result.request
}

test('each way to read a card, and each proof, is the same after it', () => {
  for (const entry_mode of entryModes) {
    assert.equal(read({ ...request, entry_mode }).entry_mode, entry_mode)
  }
  const rows: Partial<AuthorizationRequest>[] = [
    { three_ds: 'AUTHENTICATED' },
    { three_ds: 'ATTEMPTED' },
    { partial_capable: true },
    { expiry: '3104' },
    { emv: '9F36020041' },
    { is_verification: true, amount: 0n, processing_code: '330000' },
    { processing_code: '200000', message_type: '0200' },
    { currency: 'JPY', amount: 7n },
    { merchant: { mcc: '6011', country: 'DEU' } },
    { merchant: { mcc: '5942' } },
  ]
  for (const changed of rows) {
    const found = read({ ...request, ...changed })
    assert.equal(found.format_fault, undefined)
    assert.partialDeepStrictEqual(found, changed)
  }
})

test('no secret is in it: they are zeros of their length', () => {
  const cvv2 = new Secret('773')
  const pin_block = new Secret('0123456789abcdef0123456789abcdef')
  const { fields } = messageOf({ ...request, cvv2, pin_block }, PAN, about)
  assert.equal(fields[48], '9203000')
  assert.equal(fields[123], '0'.repeat(32))
})

test('a message about an earlier one names it, and has a trace number of its own', () => {
  const first = messageOf(request, PAN, about)
  const original = { transaction_id: ID }
  const undo = { ...request, message_type: '0420', original, reverse_amount: 50n } as const
  const { fields } = messageOf(undo, PAN, about)
  assert.equal(fields[90]?.slice(0, 20), `0100${first.fields[11]}0302083000`)
  assert.equal(fields[95]?.slice(0, 12), '000000001000')
  assert.equal(fields[37], first.fields[37])
  assert.notEqual(fields[11], first.fields[11])
  const clear = { ...request, message_type: '0220', original } as const
  assert.equal(messageOf(clear, PAN, about).fields[38], '445566')
})

test('it fits every dialect, whatever the merchant is called', () => {
  const merchant = {
    id: 'ن'.repeat(15),
    name: 'مكتبة النخلة '.repeat(9),
    city: '北京',
    mcc: '5942',
  }
  for (const dialect of ['ascii', 'bcd', 'ascii_binary_bitmap', 'ebcdic'] as const) {
    assert.ok(encode(messageOf({ ...request, merchant }, PAN, about), dialect).length > 90)
  }
})

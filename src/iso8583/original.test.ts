import assert from 'node:assert/strict'
import { test } from 'node:test'
import { vectorFiles } from '#test/support/network/iso8583_samples.ts'
import {
  parseOriginal,
  parseReplacement,
  writeOriginal,
  writeReplacement,
  zeroFilled,
} from './original.ts'

test('DE90 and DE95 of every sample are read and written back as they stood', () => {
  let seen = 0
  for (const [, { vectors }] of vectorFiles) {
    for (const { id, fields } of vectors) {
      const original = parseOriginal(fields['90'] ?? '')
      const replacement = parseReplacement(fields['95'] ?? '')
      assert.equal(original && writeOriginal(original), fields['90'] ?? null, id)
      assert.equal(replacement && writeReplacement(replacement), fields['95'] ?? null, id)
      seen += Number(original !== null) + Number(replacement !== null)
    }
  }
  assert.ok(seen > 30)
})

test('DE90 names the original; its institutions compare as zero-filled', () => {
  const parts = { mti: '0100', stan: '357145', transmitted: '0609021522' }
  const text = writeOriginal({ ...parts, acquirer: '20588', forwarder: '' })
  assert.equal(text, '010035714506090215220000002058800000000000')
  const expected = { ...parts, acquirer: zeroFilled('20588'), forwarder: zeroFilled() }
  assert.deepEqual(parseOriginal(text), expected)
})

test('DE95 contains the remaining amount and both fees', () => {
  const text = '000000001050000000000999C00000000D00000150'
  assert.deepEqual(parseReplacement(text), {
    actual: 1050n,
    settlement: 999n,
    transaction_fee: { side: 'C', amount: 0n },
    settlement_fee: { side: 'D', amount: 150n },
  })
})

test('what breaks the layout is null to read and an error to write', () => {
  for (const text of ['', '1', '0'.repeat(41), `${'0'.repeat(41)}X`, '0'.repeat(43)]) {
    assert.equal(parseOriginal(text), null)
    assert.equal(parseReplacement(text), null)
  }
  const original = {
    mti: '0100',
    stan: '1',
    transmitted: '0609021522',
    acquirer: '',
    forwarder: '',
  }
  assert.throws(() => writeOriginal(original), RangeError)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { vectorFiles } from '#test/support/network/iso8583_samples.ts'
import {
  parseAdditionalAmounts,
  parseAmount,
  parseSignedAmount,
  writeAdditionalAmounts,
  writeAmount,
  writeSignedAmount,
} from './amounts.ts'

test('DE54 of every sample is read and written back as it stood', () => {
  for (const [, { vectors }] of vectorFiles) {
    for (const { id, fields } of vectors) {
      const entries = parseAdditionalAmounts(fields['54'] ?? '')
      assert.equal(writeAdditionalAmounts(entries ?? assert.fail(id)), fields['54'] ?? '', id)
    }
  }
})

test('an entry of DE54 contains account, kind, currency, side and minor units', () => {
  assert.deepEqual(parseAdditionalAmounts('1002784C0000471670740001784D000000000001'), [
    { account_type: '10', amount_type: '02', currency: '784', side: 'C', amount: 47_167_074n },
    { account_type: '00', amount_type: '01', currency: '784', side: 'D', amount: 1n },
  ])
})

test('a DE54 that breaks the layout is null to read and an error to write', () => {
  const entry = '1002784C000047167074'
  for (const text of [entry.slice(1), entry.replace('C', 'X'), `${entry}0`, entry.repeat(7)]) {
    assert.equal(parseAdditionalAmounts(text), null)
  }
  const [good] = parseAdditionalAmounts(entry) ?? []
  assert.ok(good)
  assert.throws(() => writeAdditionalAmounts(Array(7).fill(good)), RangeError)
  assert.throws(() => writeAdditionalAmounts([{ ...good, currency: 'AE' }]), RangeError)
  assert.throws(() => writeAdditionalAmounts([{ ...good, amount: -1n }]), RangeError)
})

test('amounts are minor units of a fixed number of digits', () => {
  assert.equal(writeAmount(1050n), '000000001050')
  assert.equal(parseAmount('000000001050'), 1050n)
  assert.equal(parseAmount('-1'), null)
  assert.equal(parseAmount(''), null)
  assert.throws(() => writeAmount(1_000_000_000_000n), RangeError)
  assert.throws(() => writeAmount(-1n), RangeError)
})

test('fees carry their side', () => {
  assert.equal(writeSignedAmount({ side: 'D', amount: 150n }), 'D00000150')
  assert.equal(writeSignedAmount({ side: 'C', amount: 1n }, 16), 'C0000000000000001')
  assert.deepEqual(parseSignedAmount('D00000150'), { side: 'D', amount: 150n })
  assert.equal(parseSignedAmount('00000150'), null)
})

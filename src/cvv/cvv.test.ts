import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TdesKey } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import cvvVectors from '../../test/vectors/cvv.json' with { type: 'json' }
import { type CvvInput, cvvOf, isCvv } from './cvv.ts'

const inputOf = (vector: (typeof cvvVectors.vectors)[number]): CvvInput => ({
  cvk: new TdesKey(new Secret(Buffer.from(vector.cvk_hex, 'hex'))),
  pan: new Secret(vector.pan),
  expiry_yymm: vector.expiry_yymm,
  service_code: vector.service_code,
  date_order: vector.date_order === 'MMYY' ? 'MMYY' : 'YYMM',
})

for (const vector of cvvVectors.vectors) {
  test(`${vector.id}: ${vector.kind} is ${vector.cvv}`, () => {
    const input = inputOf(vector)
    assert.equal(cvvOf(input).reveal(), vector.cvv)
    assert.ok(isCvv(input, new Secret(vector.cvv)))
    assert.ok(!isCvv(input, new Secret(vector.cvv === '000' ? '001' : '000')))
  })
}

const [first] = cvvVectors.vectors
assert.ok(first)
const input = inputOf(first)

test('month first is the same as the digits the other way round', () => {
  assert.equal(
    cvvOf({ ...input, expiry_yymm: '3106', date_order: 'MMYY' }).reveal(),
    cvvOf({ ...input, expiry_yymm: '0631' }).reveal(),
  )
})

// Messages bring such things: they are wrong, and never an error.
const broken: Partial<CvvInput>[] = [
  { pan: new Secret('') },
  { pan: new Secret('4'.repeat(20)) },
  { pan: new Secret('40000012345678=9') },
  { expiry_yymm: '3106=' },
  { expiry_yymm: '' },
  { service_code: '20' },
  { service_code: '2 1' },
  { cvk: new TdesKey(new Secret(Buffer.alloc(8))) },
]

for (const [number, change] of broken.entries()) {
  test(`input of another shape has no value, and none is right for it (${number + 1})`, () => {
    assert.throws(() => cvvOf({ ...input, ...change }), TypeError)
    assert.ok(!isCvv({ ...input, ...change }, new Secret(first.cvv)))
  })
}

test('values of another length are wrong', () => {
  for (const value of ['', '6', '67', '6750', 'abc', '67５']) {
    assert.ok(!isCvv(input, new Secret(value)), value)
  }
})

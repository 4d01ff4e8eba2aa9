import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TdesKey } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import pvvVectors from '../../test/vectors/pvv.json' with { type: 'json' }
import { type PvvInput, pvvOf } from './pvv.ts'

const inputOf = (vector: (typeof pvvVectors.vectors)[number]): PvvInput => ({
  pvk: new TdesKey(new Secret(Buffer.from(vector.pvk_hex, 'hex'))),
  pvki: vector.pvki,
  pan: new Secret(vector.pan),
  pin: new Secret(vector.pin),
})

for (const vector of pvvVectors.vectors) {
  test(`${vector.id}: the value is ${vector.pvv}`, () => {
    assert.equal(pvvOf(inputOf(vector)).reveal(), vector.pvv)
  })
}

const [first] = pvvVectors.vectors
assert.ok(first)
const input = inputOf(first)

test('of a longer PIN the first four digits count', () => {
  const longer = input.pin.map((pin) => `${pin}99`)
  assert.equal(pvvOf({ ...input, pin: longer }).reveal(), first.pvv)
})

test('input of another shape has no value', () => {
  assert.throws(() => pvvOf({ ...input, pin: new Secret('12') }), TypeError)
  assert.throws(() => pvvOf({ ...input, pvki: '12' }), TypeError)
  assert.throws(() => pvvOf({ ...input, pan: new Secret('4') }), TypeError)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret } from '#lib/secret.ts'
import { checkPin } from './rules.ts'

const terms = { length: 4, max_tries: 3, refuse_weak: true }

for (const [pin, settings, detail] of [
  ['4831', {}, undefined],
  ['483', {}, 'A PIN of this card has 4 digits.'],
  ['48311', {}, 'A PIN of this card has 4 digits.'],
  ['4831', { length: 6 }, 'A PIN of this card has 6 digits.'],
  ['48a1', {}, 'A PIN of this card has 4 digits.'],
  ['４８３１', {}, 'A PIN of this card has 4 digits.'],
  ['1234', {}, 'The PIN is too easy to guess.'],
  ['1234', { refuse_weak: false }, undefined],
] as const) {
  test(`${pin} under ${JSON.stringify(settings)}: ${detail ?? 'fine'}`, () => {
    const result = checkPin(new Secret(pin), { ...terms, ...settings })
    assert.equal(result.ok ? undefined : result.detail, detail)
    if (!result.ok) assert.equal(result.code, 'pin_refused')
  })
}

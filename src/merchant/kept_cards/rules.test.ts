import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { brandOf, consentOf, customerOf, isExpired } from './rules.ts'

describe('the name of a customer', () => {
  const names: [reference: unknown, name: string | undefined][] = [
    ['C-204', 'C-204'],
    [' C-204 ', 'C-204'],
    [4711, '4711'],
    [2 ** 53 - 1, '9007199254740991'],
    ['x'.repeat(100), 'x'.repeat(100)],
    ['', undefined],
    ['  ', undefined],
    ['x'.repeat(101), undefined],
    ['a\u0000b', undefined],
    [2 ** 53, undefined],
    [1.5, undefined],
    [null, undefined],
    [undefined, undefined],
    [{}, undefined],
  ]
  for (const [reference, name] of names) {
    test(`of ${JSON.stringify(reference) ?? 'nothing'} is ${name ?? 'none'}`, () =>
      assert.equal(customerOf(reference), name))
  }
})

test('the brand of a number is found by its first digits', () => {
  assert.equal(brandOf('4000001234567899'), 'Visa')
  assert.equal(brandOf('5555555555554444'), 'Mastercard')
  assert.equal(brandOf('9990001234567890'), null)
})

test('a card can be used until the end of its month', () => {
  assert.equal(isExpired('2611', new Date('2026-11-30T23:59:59.999Z')), false)
  assert.equal(isExpired('2611', new Date('2026-12-01T00:00:00.000Z')), true)
  assert.equal(isExpired('2701', new Date('2026-12-01T00:00:00.000Z')), false)
})

test('a consent names its language and its version', () => {
  assert.equal(consentOf('ar'), 'ar-1')
})

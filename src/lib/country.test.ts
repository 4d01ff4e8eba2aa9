import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toAlpha2, toAlpha3, toNumeric } from './country.ts'

test('alpha-2, alpha-3 and number of a country lead to each other in any case', () => {
  for (const text of ['AE', 'ae', 'ARE', 'are', 'Are', '784']) {
    assert.equal(toAlpha3(text), 'ARE')
    assert.equal(toAlpha2(text), 'AE')
    assert.equal(toNumeric(text), '784')
  }
  assert.equal(toNumeric('AL'), '008')
})

test('Kosovo is XKX', () => {
  assert.deepEqual([toAlpha3('XK'), toAlpha2('XKX'), toAlpha3('XKK')], ['XKX', 'XK', undefined])
})

test('what ISO 3166-1 does not know is no country', () => {
  for (const text of ['', 'A', 'ZZ', 'XXX', '000', '8', 'constructor', 'ıT', 'AE ']) {
    assert.equal(toAlpha3(text), undefined, text)
  }
})

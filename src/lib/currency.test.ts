import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currencyCodes, currencyOfNumeric, exponentOf, isCurrency, numericOf } from './currency.ts'

// alpha, number, decimals
const table = `
  AED 784 2
  JPY 392 0
  KWD 414 3
  BHD 048 3
  ALL 008 2
  CLF 990 4
  XCG 532 2
  EUR 978 2
  ZWG 924 2`

for (const line of table.trim().split('\n')) {
  const [code = '', numeric = '', exponent] = line.trim().split(' ')
  test(`${code} has the number ${numeric} and ${exponent} decimals`, () => {
    assert.equal(numericOf(code), numeric)
    assert.equal(currencyOfNumeric(numeric), code)
    assert.equal(exponentOf(code), Number(exponent))
  })
}

test('no two currencies share a number, and every one has three digits', () => {
  for (const code of currencyCodes) {
    assert.match(numericOf(code), /^[0-9]{3}$/)
    assert.equal(currencyOfNumeric(numericOf(code)), code)
  }
  assert.ok(currencyCodes.length > 150)
})

test('what is withdrawn, has no minor unit or is misspelt is no currency', () => {
  for (const code of ['ANG', 'BGN', 'XAU', 'XXX', 'XTS', 'aed', '784', '', 'toString']) {
    assert.ok(!isCurrency(code), code)
    assert.throws(() => exponentOf(code), TypeError)
  }
  assert.equal(currencyOfNumeric('999'), undefined)
})

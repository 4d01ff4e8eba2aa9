import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOKEN_BINS, tokenBin } from './token_bin.ts'

test('a token BIN has eight digits and the first digit of the product’s', () => {
  assert.equal(tokenBin('452100', 0), '49000000')
  assert.equal(tokenBin('52345678', 42), '59000042')
  assert.equal(tokenBin('999999', TOKEN_BINS - 1), '99999999')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decimalize } from './decimalize.ts'

test('digits come first from left to right, then letters less ten', () => {
  assert.equal(decimalize(Buffer.from('0fab222dde44f5a7', 'hex'), 4), '0222')
  assert.equal(decimalize(Buffer.from('fabcde9fabcdef1f', 'hex'), 4), '9150')
  assert.equal(decimalize(Buffer.from('abcdefabcdefabcd', 'hex'), 3), '012')
})

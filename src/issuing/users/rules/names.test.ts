import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foldMobile, foldName, termsOf } from './names.ts'

const unnamed = {
  first_name: null,
  middle_name: null,
  last_name: null,
  native_name: null,
  business_legal_name: null,
  business_dba_name: null,
}

test('each name is indexed from each of its words on, with and without the middle name', () => {
  const user = { ...unnamed, first_name: 'Omar', middle_name: 'ALI', last_name: 'Al  Hassan' }
  assert.deepEqual(termsOf(user).toSorted(), [
    'al hassan',
    'ali al hassan',
    'hassan',
    'omar al hassan',
    'omar ali al hassan',
  ])
})

test('a user without names has no terms; a long name has at most so many', () => {
  assert.deepEqual(termsOf(unnamed), [])
  const business_legal_name = 'a '.repeat(50)
  assert.equal(termsOf({ ...unnamed, business_legal_name }).length, 12)
})

test('search text is folded as indexed text', () => {
  assert.equal(foldName('  ÉMILE\t ﬁsh '), 'émile fish')
  assert.equal(foldMobile('00971 50 123 4567'), '+971501234567')
  assert.equal(foldMobile('971501234567'), '+971501234567')
  assert.equal(foldMobile('050 123'), '050123')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fill, memberAt, namesIn, UnknownVariable } from './variables.ts'

const variables = new Map<string, unknown>([
  ['card_id', 'c1'],
  ['amount', 12.5],
])

test('a reference alone keeps the type of the value, one within a text becomes text', () => {
  assert.deepEqual(fill({ a: '${amount}', b: ['/cards/${card_id}:${amount}'] }, variables), {
    a: 12.5,
    b: ['/cards/c1:12.5'],
  })
})

test('what contains no reference stays as it is', () => {
  const value = { a: 1, b: null, c: [true, '$ {x} $x'] }
  assert.deepEqual(fill(value, variables), value)
})

test('a variable that is not set is an error, also one of the prototype', () => {
  for (const name of ['user', 'toString', '']) {
    assert.throws(() => fill(`x\${${name}}`, variables), UnknownVariable)
  }
})

test('the names in a text are found in their order', () => {
  assert.deepEqual(namesIn('/a/${one}/b/${two}?${one}'), ['one', 'two', 'one'])
})

test('a member of an answer is found by its path', () => {
  const answer = { data: [{ id: 'a' }, { id: 'b' }] }
  assert.equal(memberAt(answer, 'data.1.id'), 'b')
  for (const path of ['data.2.id', 'data.id', 'data.0.id.length', 'constructor', 'data.length.x']) {
    assert.equal(memberAt(answer, path), undefined, path)
  }
})

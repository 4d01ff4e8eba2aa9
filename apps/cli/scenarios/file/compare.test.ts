import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANY, firstDifference, shown } from './compare.ts'

test('of an object the named members are compared, of a list all of them', () => {
  assert.equal(firstDifference({ a: 1 }, { a: 1, b: 2 }), undefined)
  assert.equal(firstDifference([{ a: 1 }], [{ a: 1, b: 2 }]), undefined)
  assert.deepEqual(firstDifference({ a: [{ b: 1 }] }, { a: [{ b: 2 }] }), {
    path: ['a', 0, 'b'],
    expected: '1',
    actual: '2',
  })
  assert.deepEqual(firstDifference([1], [1, 2]), {
    path: [],
    expected: '1 member',
    actual: '2 members: [1,2]',
  })
  assert.deepEqual(firstDifference([], [1])?.expected, '0 members')
})

test('text is not equal to the number that it names', () => {
  const difference = firstDifference('10', 10)
  assert.deepEqual(difference, { path: [], expected: '"10"', actual: '10' })
})

test('null expects nothing, and <any> expects something', () => {
  assert.equal(firstDifference({ a: null }, {}), undefined)
  assert.equal(firstDifference({ a: ANY }, { a: 0 }), undefined)
  assert.deepEqual(firstDifference({ a: null }, { a: 1 }), {
    path: ['a'],
    expected: 'nothing',
    actual: '1',
  })
  assert.deepEqual(firstDifference({ a: ANY }, {}), {
    path: ['a'],
    expected: 'any value',
    actual: 'nothing',
  })
})

test('members of the prototype are not there', () => {
  assert.equal(firstDifference({ toString: null }, {}), undefined)
  assert.equal(firstDifference({ constructor: 'x' }, {})?.actual, 'nothing')
})

test('an object in place of a list, and a list in place of an object, are differences', () => {
  assert.ok(firstDifference([1], { 0: 1, length: 1 }))
  assert.ok(firstDifference({ 0: 1 }, [1]))
  assert.ok(firstDifference({ a: 1 }, null))
})

test('a long value is cut', () => {
  assert.equal(shown('x'.repeat(1000)).length, 301)
})

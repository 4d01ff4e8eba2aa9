import assert from 'node:assert/strict'
import { errorOf } from '#client/core/answers.ts'
import { test } from './harness.ts'

const read = (body: unknown, headers: Record<string, string> = {}) =>
  errorOf(new Response(null, { status: 400, headers }), JSON.stringify(body), {}, () => undefined)

test('the faults of the merchant API are named by their paths', () => {
  const body = {
    total: ['is required', 'must be a number'],
    non_field_errors: ['must be an object'],
    order: { lines: [{}, { title: ['must be text'] }], non_field_errors: ['is too long'] },
  }
  assert.deepEqual(read(body).faults, {
    total: ['is required', 'must be a number'],
    '': ['must be an object'],
    'order.lines.1.title': ['must be text'],
    order: ['is too long'],
  })
})

test('a fault may be of any name, also of one that every object has', () => {
  const errors = [
    ...[{ path: 'constructor', message: 'is unknown' }, null, 'text', {}],
    { path: '__proto__', message: 'is unknown' },
  ]
  const { faults } = read({ detail: 'It is wrong.', errors })
  assert.deepEqual(Object.entries(faults), [
    ['constructor', ['is unknown']],
    ['', ['', '', '']],
    ['__proto__', ['is unknown']],
  ])
  assert.deepEqual(read({ toString: ['is unknown'] }).faults, { toString: ['is unknown'] })
})

test('retry-after is a number of seconds or a date', () => {
  const past = { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }
  const far = { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }
  assert.equal(read({}, { 'retry-after': '12' }).retryAfter, 12)
  assert.equal(read({}, past).retryAfter, 0)
  assert.ok((read({}, far).retryAfter ?? 0) > 1e9)
  assert.equal(read({}, { 'retry-after': 'soon' }).retryAfter, undefined)
})

test('a body that is no object has no faults', () => {
  for (const body of [null, [], 'text', 7]) assert.deepEqual(read(body).faults, {})
})

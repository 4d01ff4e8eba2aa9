import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError, fail, ok, unwrap } from './result.ts'

test('unwrapping a success returns its value', () => {
  assert.equal(unwrap(ok(42n)), 42n)
})

test('unwrapping an error throws its code with all of its members', () => {
  const errors = [{ path: '/amount', message: 'must not be negative' }]
  const result = fail('file_limit_reached', { detail: 'Ten at most.', extra: { max: 10 }, errors })
  assert.throws(
    () => unwrap(result),
    (thrown: unknown) => {
      assert.ok(thrown instanceof ApiError)
      assert.equal(thrown.code, 'file_limit_reached')
      assert.equal(thrown.detail, 'Ten at most.')
      assert.deepEqual(thrown.extra, { max: 10 })
      assert.deepEqual(thrown.errors, errors)
      return true
    },
  )
})

test('an error with only a code has no other members', () => {
  const error = new ApiError('not_found')
  assert.equal(error.message, 'not_found')
  assert.deepEqual([error.detail, error.extra, error.errors], [undefined, undefined, undefined])
})

test('an error with a code that no catalogue has does not compile', () => {
  // @ts-expect-error: the catalogues do not have it.
  assert.equal(new ApiError('not_in_a_catalogue').code, 'not_in_a_catalogue')
})

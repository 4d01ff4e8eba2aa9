import assert from 'node:assert/strict'
import { ApiError, ConnectionError, TimeoutError } from '#client/core/errors.ts'
import { delayOf, mayRepeat } from '#client/core/retries.ts'
import { test } from './harness.ts'

const answer = (status: number, code?: string, retry_after?: number) =>
  new ApiError({ status, code, retry_after, detail: '', faults: {}, request_id: undefined })

test('what is sent again depends on the failure and on whether a second effect is possible', () => {
  const cases: [error: unknown, withKey: boolean, without: boolean][] = [
    [new ConnectionError('cut'), true, false],
    [new TimeoutError('late', 1), true, false],
    [answer(502), true, false],
    [answer(503, 'unavailable'), true, false],
    [answer(503, 'outcome_unknown', 5), true, false],
    [answer(504), true, false],
    [answer(429, 'rate_limited', 60), true, true],
    [answer(429, 'rate_limited', 61), false, false],
    [answer(409, 'idempotency_key_in_use', 1), true, false],
    [answer(409, 'idempotency_key_reused'), false, false],
    [answer(409, 'insufficient_funds'), false, false],
    [answer(400), false, false],
    [answer(408), false, false],
    [answer(500, 'internal'), false, false],
    [new TypeError('of the caller'), false, false],
  ]
  for (const [error, withKey, without] of cases) {
    assert.deepEqual([mayRepeat(error, true), mayRepeat(error, false)], [withKey, without])
  }
})

test('the wait doubles to eight seconds, spread over its upper half', () => {
  const cut = new ConnectionError('cut')
  const waits = [1, 2, 3, 4, 5, 6].map((attempt) => [
    delayOf(attempt, cut, () => 0),
    delayOf(attempt, cut, () => 1),
  ])
  assert.deepEqual(waits, [
    [250, 500],
    [500, 1000],
    [1000, 2000],
    [2000, 4000],
    [4000, 8000],
    [4000, 8000],
  ])
})

test('the wait is never shorter than Retry-After', () => {
  const asked = answer(429, 'rate_limited', 7)
  assert.deepEqual([delayOf(1, asked, () => 0), delayOf(1, asked, () => 1)], [7125, 7250])
})

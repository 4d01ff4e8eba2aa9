/**
 * Errors that a call throws: those of the answer, of the line, of the time-out and of the signal.
 */

import assert from 'node:assert/strict'
import { ApiError, TimeoutError } from '#client/core/errors.ts'
import { waitFor } from '#client/core/wait.ts'
import { errorClasses } from '#client/generated/errors.ts'
import { test } from './harness.ts'
import { good, json, problem } from './line.ts'
import { get, open, post } from './sending.ts'

test('an attempt that is not answered in time is one that failed', async () => {
  const it = await open(['silent', 'silent', 'silent'], { timeout: 50 })
  await assert.rejects(get(it), (error) => {
    assert.ok(error instanceof TimeoutError)
    assert.equal(error.timeout, 50)
    return true
  })
  assert.deepEqual(it.waited, [250, 500])
  const once = await open(['silent'])
  await assert.rejects(get(once, { timeout: 20, retries: 0 }), { timeout: 20 })
})

test('a signal ends a call, and a call that has not begun', async () => {
  const reason = new Error('the user has left')
  const ending = new AbortController()
  let sent = 0
  const leaving: typeof fetch = (input, init) => {
    sent += 1
    const answer = fetch(input, init)
    ending.abort(reason)
    return answer
  }
  const it = await open(['silent'], { fetch: leaving })
  await assert.rejects(get(it, { signal: ending.signal }), reason)
  await assert.rejects(get(it, { signal: ending.signal }), reason)
  assert.equal(sent, 1)
})

test('a signal ends a call that still awaits its credentials', async () => {
  const reason = new Error('the user has left')
  const ending = new AbortController()
  let asked = 0
  const credentials = () => {
    asked += 1
    return new Promise<never>(() => {})
  }
  const it = await open([good], {}, { credentials })
  const call = post(it, { signal: ending.signal })
  ending.abort(reason)
  await assert.rejects(call, reason)
  await assert.rejects(post(it, { signal: ending.signal }), reason)
  assert.deepEqual([asked, await it.count()], [1, 0])
})

test('a signal ends the wait for the next attempt', async () => {
  const reason = new Error('the user has left')
  const ending = new AbortController()
  const wait = (_ms: number, signal: AbortSignal | undefined) => {
    const waiting = waitFor(60_000, signal)
    ending.abort(reason)
    return waiting
  }
  const it = await open([problem(429, 'rate_limited'), good], {}, { wait })
  await assert.rejects(get(it, { signal: ending.signal }), reason)
  assert.equal(await it.count(), 1)
  await assert.rejects(waitFor(60_000, ending.signal), reason)
})

test('an answer that is cut in its middle counts as none', async () => {
  const it = await open(['half', good])
  assert.deepEqual(await get(it), { id: '1' })
})

test('an error has its status, faults by field, request id and the class of its code', async () => {
  const errors = [
    { path: 'email', message: 'must match format "email"' },
    { path: 'email', message: 'must be shorter' },
  ]
  const body = { status: 400, code: 'validation_failed', detail: 'It is wrong.', errors }
  const it = await open([json(400, body, { 'x-request-id': 'r7' })])
  await assert.rejects(post(it), (error) => {
    assert.ok(error instanceof errorClasses.validation_failed)
    assert.equal(error.name, 'ValidationFailedError')
    assert.deepEqual(error.faults, { email: errors.map(({ message }) => message) })
    assert.equal(error.requestId, 'r7')
    assert.match(
      error.message,
      /^It is wrong\.; email must .+ \(400, validation_failed, request r7\)$/,
    )
    return true
  })
})

test('an answer that no document describes is an ApiError with its beginning', async () => {
  const it = await open([{ status: 404, body: '<html>no such host'.repeat(99) }])
  await assert.rejects(get(it), (error) => {
    assert.ok(error instanceof ApiError)
    assert.deepEqual([error.code, error.detail.length, error.status], [undefined, 200, 404])
    return true
  })
  const other = await open([problem(418, 'constructor')])
  await assert.rejects(get(other), { name: 'ApiError', code: 'constructor' })
})

test('an error of the callback is thrown to the caller, and nothing is sent again', async () => {
  const it = await open([good, good])
  const onResponse = () => {
    throw new RangeError('of the caller')
  }
  await assert.rejects(get(it, { onResponse }), RangeError)
  assert.equal(await it.count(), 1)
})

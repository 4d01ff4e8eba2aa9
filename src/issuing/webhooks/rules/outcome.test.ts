import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Circumstances, checkOutcome, type Outcome } from './outcome.ts'

const schedule = [5, 60, 300]
const now = new Date('2030-01-01T00:00:00.000Z')
const real_now = new Date('2026-06-01T12:00:00.000Z')
const circumstances: Circumstances = { attempts: 0, schedule, now, real_now, chance: 0 }
const answered = (status: number, retry_after?: string): Outcome => ({
  kind: 'answered',
  status,
  body: Buffer.alloc(0),
  retry_after,
})
const secondsUntil = (due: Date | null) => due && (due.getTime() - now.getTime()) / 1000

// answer, attempts before, Retry-After | status, seconds to the next attempt
const table = `
  200 0 -                             | DELIVERED -
  204 3 -                             | DELIVERED -
  299 0 -                             | DELIVERED -
  301 0 -                             | RETRYING  5
  400 0 -                             | RETRYING  5
  404 1 -                             | RETRYING  60
  500 2 -                             | RETRYING  300
  500 3 -                             | EXPIRED   -
  410 0 -                             | EXPIRED   -
  503 0 120                           | RETRYING  120
  503 0 1                             | RETRYING  5
  503 0 0                             | RETRYING  5
  503 0 -5                            | RETRYING  5
  503 0 soon                          | RETRYING  5
  503 0 999999999999                  | RETRYING  86400
  503 0 99999999999999999             | RETRYING  5
  429 0 Mon,_01_Jun_2026_12:10:00_GMT | RETRYING  600
  429 0 Mon,_01_Jun_2020_12:10:00_GMT | RETRYING  5
  429 0 Mon,_01_Jun_2099_12:10:00_GMT | RETRYING  86400
  503 3 120                           | EXPIRED   -`

for (const line of table.trim().split('\n')) {
  test(line.trim().replace(/\s+/g, ' '), () => {
    const [status, attempts, after = '', , expected, seconds] = line.trim().split(/\s+/)
    const header = after === '-' ? undefined : after.replaceAll('_', ' ')
    const outcome = answered(Number(status), header)
    const verdict = checkOutcome(outcome, { ...circumstances, attempts: Number(attempts) })
    assert.equal(verdict.status, expected)
    assert.equal(verdict.attempts, Number(attempts) + 1)
    assert.equal(secondsUntil(verdict.due), seconds === '-' ? null : Number(seconds))
  })
}

test('jitter makes a delay longer by up to a tenth, never shorter', () => {
  for (const [chance, seconds] of [
    [0, 60],
    [0.5, 63],
    [1, 66],
  ] as const) {
    const verdict = checkOutcome(answered(500), { ...circumstances, attempts: 1, chance })
    assert.equal(secondsUntil(verdict.due), seconds)
  }
})

test('a call without an answer is tried again and records why', () => {
  const verdict = checkOutcome({ kind: 'unanswered', error: 'timeout' }, circumstances)
  assert.equal(verdict.status, 'RETRYING')
  assert.equal(verdict.error, 'timeout')
  assert.equal(verdict.response_status, null)
})

test('an empty schedule means one attempt', () => {
  assert.equal(checkOutcome(answered(500), { ...circumstances, schedule: [] }).status, 'EXPIRED')
})

test('only 410 means that the endpoint is gone', () => {
  assert.equal(checkOutcome(answered(410), circumstances).gone, true)
  assert.equal(checkOutcome(answered(404), circumstances).gone, false)
})

test('an answer is kept to 4096 bytes that the database can hold, whatever came', () => {
  const kept = (body: string | Buffer) => {
    const outcome = { ...answered(200), body: Buffer.from(body) } as Outcome
    return checkOutcome(outcome, circumstances).response_body
  }
  assert.equal(kept('fine'), 'fine')
  assert.equal(kept(''), null)
  assert.equal(kept('a\u0000b'), 'a\ufffdb')
  for (const long of [
    'x'.repeat(5000),
    'é'.repeat(5000),
    `x${'😀'.repeat(2000)}`,
    '\u0000'.repeat(5000),
    Buffer.alloc(5000, 0xff),
  ]) {
    const text = kept(long) ?? ''
    assert.ok(Buffer.byteLength(text) <= 4096 && Buffer.byteLength(text) > 4090)
    assert.ok(text.isWellFormed() && !text.includes('\u0000'))
  }
})

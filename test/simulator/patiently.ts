/** The simulator's own work at the database goes on when a loaded machine has no room for it. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { DatabaseUnavailable } from '#kit/db/database.ts'
import { PATIENCE_MS } from '#test/support/time/patience.ts'
import type { Answer, World } from '#test/support/world.ts'

const PAUSE_MS = 50

/** Repeats work, which may be done twice, while the database is away. */
export async function patiently<Result>(work: () => Promise<Result>): Promise<Result> {
  for (const end = performance.now() + PATIENCE_MS; ; await wait(PAUSE_MS)) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || performance.now() > end) throw error
    }
  }
}

/** The body of a call that succeeds once; a change that was made before it is tried again is 409. */
export async function succeed(
  call: World['request'],
  method: string,
  path: string,
  body?: object,
): Promise<Answer['body']> {
  const headers = method === 'POST' ? { 'x-bezant-idempotency-key': randomUUID() } : {}
  let answer = await call(method, path, body, { headers })
  for (const end = performance.now() + PATIENCE_MS; isAway(answer); ) {
    assert.ok(performance.now() < end, answer.text)
    await wait(PAUSE_MS)
    answer = await call(method, path, body, { headers })
    if (method === 'PUT' && answer.status === 409) return answer.body
  }
  assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`)
  return answer.body
}

const isAway = ({ status, text }: Answer): boolean =>
  status === 503 || status === 504 || /idempotency_key_in_use/.test(text)

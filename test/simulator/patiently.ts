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

/** A call that is tried again, as one call, while the database has no room for it. */
export const patient =
  (call: World['request']): World['request'] =>
  async (method, path, body, options = {}) => {
    const key = method === 'POST' ? { 'x-bezant-idempotency-key': randomUUID() } : {}
    const headers = { ...key, ...options.headers }
    let answer = await call(method, path, body, { ...options, headers })
    for (const end = performance.now() + PATIENCE_MS; isAway(answer); ) {
      assert.ok(performance.now() < end, answer.text)
      await wait(PAUSE_MS)
      answer = await call(method, path, body, { ...options, headers })
      // The change was made before it was tried again.
      if (method === 'PUT' && answer.status === 409) return { ...answer, status: 200 }
    }
    return answer
  }

/** The body of a call that succeeds once; it is that of a 409 where the change was made before. */
export async function succeed(
  call: World['request'],
  method: string,
  path: string,
  body?: object,
): Promise<Answer['body']> {
  const answer = await patient(call)(method, path, body)
  assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`)
  return answer.body
}

const isAway = ({ status, text }: Answer): boolean =>
  status === 503 || status === 504 || /idempotency_key_in_use/.test(text)

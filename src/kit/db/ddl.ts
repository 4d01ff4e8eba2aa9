/** Changes to the schema: a transaction that does not make later statements wait behind it. */

import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { codeOf } from '#kit/start_error.ts'

/**
 * How long a change waits for a table, since later statements wait behind it. Where a long reader
 * (a dump, a report) has the table, they run four fifths of the time.
 */
const LOCK_TIMEOUT_MS = 100
const LOCK_ATTEMPTS = 150
const LOCK_RETRY_MS = 400

/** Tried again where a table stays locked, so that other statements run in between. */
export async function inTransaction(
  client: pg.ClientBase,
  work: () => Promise<unknown>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query(`begin; set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
      await work()
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback').catch(() => {})
      if (codeOf(error) !== '55P03' || attempt === LOCK_ATTEMPTS) throw error
      await pause(LOCK_RETRY_MS)
    }
  }
}

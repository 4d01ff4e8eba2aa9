/** Changes to the schema: they do not make later statements wait behind them. */

import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { codeOf } from '#kit/start_error.ts'

/**
 * How long a change waits for a table, since later statements wait behind it. If a long reader (a
 * dump, a report) has the table, they run four fifths of the time (D-681).
 */
const LOCK_TIMEOUT_MS = 100
const LOCK_ATTEMPTS = 150
const LOCK_RETRY_MS = 400
const LOCKED = '55P03'

/**
 * The bound of a change that builds or reads a large table; the bound of the driver is that of
 * requests.
 */
const LONGEST_MS = 24 * 60 * 60 * 1000

/** Statements that may take as long as they need. */
export async function change(client: pg.ClientBase, text: string): Promise<void> {
  // The types of the driver lack the bound of a single statement.
  const query: pg.QueryConfig & { query_timeout: number } = { text, query_timeout: LONGEST_MS }
  await client.query(query)
}

/** Tried again if a table stays locked, so that other statements run in between. */
export const inTransaction = (client: pg.ClientBase, work: () => Promise<unknown>): Promise<void> =>
  untilFree(async () => {
    try {
      // Citus passes a text of several statements on as a whole.
      await client.query('begin')
      await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
      await work()
      await client.query('commit')
    } catch (error) {
      await client.query('rollback').catch(() => {})
      throw error
    }
  })

/**
 * One statement outside a transaction. For one that runs concurrently nobody waits, and a second
 * try would find what is left of the first: it waits for others without a bound.
 */
export async function outsideTransaction(client: pg.ClientBase, text: string): Promise<void> {
  const isPatient = /\bconcurrently\b/i.test(text)
  await client.query(`set lock_timeout = ${isPatient ? 0 : LOCK_TIMEOUT_MS}`)
  try {
    await untilFree(() => change(client, text))
  } finally {
    // Fails only on a lost connection; the first error matters more.
    await client.query('reset lock_timeout').catch(() => {})
  }
}

async function untilFree(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (codeOf(error) !== LOCKED || attempt === LOCK_ATTEMPTS) throw error
      await pause(LOCK_RETRY_MS)
    }
  }
}

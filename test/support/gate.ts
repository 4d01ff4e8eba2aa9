/** A row that a test locks, so that a statement that needs it waits until the test releases it. */

import assert from 'node:assert/strict'
import { setTimeout as pass } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from '#kit/db/database.ts'
import { PATIENCE_MS } from '#test/support/time/patience.ts'

const POLL_MS = 5

export type Gate = {
  /** Resolves when a session waits for the row. */
  untilBlocked: () => Promise<void>
  /** Lets the transaction that waits longest pass, and closes behind it. */
  letOnePass: () => Promise<void>
  /** Ends the sessions that wait: those of a machine that has died. */
  endWaiting: () => Promise<void>
  open: () => Promise<void>
}

/** Takes the row of an account. */
export async function closeGate(db: Db, url: string, account_id: string): Promise<Gate> {
  const take = async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query('begin')
    await client.query('select from accounts where id = $1 for update', [account_id])
    return client
  }
  const release = async (client: pg.Client) => {
    await client.query('commit')
    await client.end()
  }
  const until = async (holds: (waiting: number) => boolean) => {
    const end = performance.now() + PATIENCE_MS
    while (!holds(await waitingIn(db))) {
      assert.ok(performance.now() < end, 'not so many wait for the row')
      await pass(POLL_MS)
    }
  }
  let holder = await take()
  return {
    untilBlocked: () => until((waiting) => waiting > 0),
    async letOnePass() {
      const before = await waitingIn(db)
      const next = take()
      await until((waiting) => waiting > before)
      await release(holder)
      holder = await next
    },
    async endWaiting() {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
      await until((waiting) => waiting === 0)
    },
    open: () => release(holder),
  }
}

async function waitingIn(db: Db): Promise<number> {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length
}

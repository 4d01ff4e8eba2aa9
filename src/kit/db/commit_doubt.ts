/**
 * The outcome of a transaction whose COMMIT got no answer. Its id shows when it has ended; its rows
 * show how. The id alone is not enough: after a crash of the server an id that was lost with its
 * transaction is assigned again.
 */

import { sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'

const INVALID_PARAMETER = '22023'

/**
 * The id of this transaction. A caller that must know the outcome reads it together with its first
 * statements; transactions that only read need none.
 */
export async function transactionId({ db }: Tx): Promise<string> {
  const { rows } = await sql<{ xid: string }>`select pg_current_xact_id()::text as xid`.execute(db)
  const [row] = rows
  if (!row) throw new Error('pg_current_xact_id() returned no row')
  return row.xid
}

/**
 * Whether transaction `xid` may still commit: its server process has not come to the COMMIT yet, as
 * after a stop of the server that outlasted the connection. False once it has ended, either way.
 */
export async function mayStillCommit({ db }: Pick<Context, 'db'>, xid: string): Promise<boolean> {
  try {
    const { rows } = await sql<{ status: string | null }>`
      select pg_xact_status(${xid}::xid8) as status`.execute(db)
    return rows[0]?.status === 'in progress'
  } catch (error) {
    // An id that the server has not assigned yet: it crashed, and the transaction is lost.
    if (error instanceof Error && 'code' in error && error.code === INVALID_PARAMETER) return false
    throw error
  }
}

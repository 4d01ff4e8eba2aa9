/**
 * What became of a transaction whose COMMIT got no answer. Its id tells when it has ended; what it
 * wrote tells how. The id alone would not do: after a crash of the server an id that was lost with
 * its transaction is given to another one.
 */

import { sql } from 'kysely'
import type { Context, Tx } from './context.ts'

const INVALID_PARAMETER = '22023'

/**
 * The id of this transaction. To be asked for together with its first statements by whoever must
 * know the outcome; it is worth nothing to transactions that only read.
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
    // An id that the server has not given yet: it crashed, and the transaction is lost with it.
    if (error instanceof Error && 'code' in error && error.code === INVALID_PARAMETER) return false
    throw error
  }
}

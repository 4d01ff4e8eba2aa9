/** A dry run is the real run, rolled back (D-35): it fails as the real one would. */

import { sql } from 'kysely'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { ApiError } from '#lib/result.ts'

/** Does `work`; with `dry_run` everything that it wrote is rolled back. */
export function rehearse<Result>(
  ctx: Context | Tx,
  dry_run: boolean,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return transact(ctx, async (tx) => {
    if (!dry_run) return work(tx)
    tx.audited?.rehearse()
    await sql`savepoint dry_run`.execute(tx.db)
    // A dry run drops the actions after the commit, and what would be due.
    const dueTimes = { tenant_id: tx.tenant_id, times: new Map() }
    const result = await work({ ...tx, afterCommit: () => {}, dueTimes })
    await sql`rollback to savepoint dry_run`.execute(tx.db)
    return result
  })
}

/** Does `work`; an ApiError rolls back everything that it wrote and is returned. */
export async function attempt(
  tx: Tx,
  work: (tx: Tx) => Promise<void>,
): Promise<ApiError | undefined> {
  await sql`savepoint attempt`.execute(tx.db)
  try {
    await work(tx)
    return undefined
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    await sql`rollback to savepoint attempt`.execute(tx.db)
    return error
  }
}

/** A dry run is the real run, rolled back (D-35): it fails as the real one would. */

import { sql } from 'kysely'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { ApiError } from '#lib/result.ts'

export type Savepoint = { rollBack: () => Promise<void> }

/** The statement travels with those that are started behind it. */
export function openSavepoint({ db }: Pick<Tx, 'db'>, name: string): Savepoint {
  const before = db.withCommit.length
  const begun = sql`savepoint ${sql.raw(name)}`.execute(db)
  begun.catch(() => {})
  return {
    async rollBack() {
      // A branch of the failed work would else go on, and write behind the rollback.
      await db.quiet()
      await sql`rollback to savepoint ${sql.raw(name)}`.execute(db)
      // The started statements are undone, also if `work` had failed.
      db.withCommit.length = before
      db.unstarted.clear()
    },
  }
}

/** Does `work`; with `dry_run` everything that it wrote is rolled back. */
export function rehearse<Result>(
  ctx: Context | Tx,
  dry_run: boolean,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return transact(ctx, async (tx) => {
    if (!dry_run) return work(tx)
    tx.audited?.rehearse()
    const savepoint = openSavepoint(tx, 'dry_run')
    // A dry run drops the actions after the commit, and the due times.
    const dueTimes = { tenant_id: tx.tenant_id, times: new Map() }
    const result = await work({ ...tx, afterCommit: () => {}, dueTimes })
    await savepoint.rollBack()
    return result
  })
}

/** Does `work`; an ApiError rolls back everything that it wrote and is returned. */
export async function attempt(
  tx: Tx,
  work: (tx: Tx) => Promise<void>,
): Promise<ApiError | undefined> {
  const savepoint = openSavepoint(tx, 'attempt')
  try {
    await work(tx)
    return undefined
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    await savepoint.rollBack()
    return error
  }
}

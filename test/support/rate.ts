import { sql } from 'kysely'
import type { Db } from '#kit/db/database.ts'

/** Every bucket of this database is always full, the operator's too: for tests that ask and ask. */
export async function liftRateLimit(db: Db): Promise<void> {
  await db.runTransaction(async (tx) => {
    // A trigger that reads no other row is as safe on a cluster.
    await sql`set local citus.enable_unsafe_triggers = on`.execute(tx)
    await sql`
      create function full_bucket() returns trigger language plpgsql as
        'begin new.tokens := 1e6; return new; end'`.execute(tx)
    await sql`
      create trigger full_bucket before insert or update on rate_buckets
        for each row execute function full_bucket()`.execute(tx)
  })
}

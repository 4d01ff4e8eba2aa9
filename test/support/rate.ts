import { sql } from 'kysely'
import type { Db } from '#kit/db/database.ts'

/** Every bucket of this database is always full, the operator's too: for tests that ask and ask. */
export async function liftRateLimit(db: Db): Promise<void> {
  await sql`
    create function full_bucket() returns trigger language plpgsql as
      'begin new.tokens := 1e6; return new; end'`.execute(db)
  await sql`
    create trigger full_bucket before insert or update on rate_buckets
      for each row execute function full_bucket()`.execute(db)
}

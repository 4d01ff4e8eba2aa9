/** Token buckets of the rate limit (D-11), in the database. They run on real time. */

import { type RawBuilder, sql } from 'kysely'
import { databaseNow } from '#kit/clock.ts'
import type { Db } from '#kit/db/database.ts'
import type { BucketState, Portion } from './caller_cache.ts'

/**
 * The one row of `caller` with the state of its token bucket after a portion was taken, or what was
 * left of one. Takes nothing where `caller` finds nothing. `caller` has the columns of
 * `bucketSettings`.
 *
 * On one server this is one statement. On a cluster the bucket is at its tenant's node, which is
 * known only once the caller is: there it is a statement more (D-654).
 */
export async function takeTokens<Row extends BucketState>(
  db: Db,
  caller: RawBuilder<unknown>,
  bucket: Buffer,
  portion: Portion,
): Promise<Row | undefined> {
  const ofCaller = db.forCaller(bucket)
  if (!(await ofCaller.isSpread())) {
    return (await takingWithCaller<Row>(caller, bucket, portion).execute(ofCaller)).rows[0]
  }
  const [found] = (await sql<Row & Held>`${caller}`.execute(ofCaller)).rows
  if (!found) return undefined
  const atNode = db.forCaller(bucket, found.holder)
  const [taken] = (await taking(found, bucket, portion).execute(atNode)).rows
  return taken && { ...found, ...taken }
}

/** The tenant whose bucket it is, or the id that stands for none. */
type Held = { holder: string }
type Taken = Pick<BucketState, 'tokens' | 'granted'>

/** What bucket `b` has at `at`, and what a portion gets of `full_to`. */
const filledAt = (b: { burst: Of; rate: Of }, at: RawBuilder<unknown>) =>
  sql`least(${b.burst}, b.tokens + ${b.rate} * greatest(0, extract(epoch from ${at} - b.filled)))`
type Of = RawBuilder<unknown>
const givenOf = ({ waiting, ahead }: Portion, full_to: RawBuilder<unknown>) =>
  sql`least(${waiting + ahead}::float8, floor(${full_to}))`

function takingWithCaller<Row>(caller: RawBuilder<unknown>, bucket: Buffer, portion: Portion) {
  const settings = { burst: sql`burst`, rate: sql`rate` }
  return sql<Row>`
    with caller as (${caller}), bucket as (
      insert into rate_buckets as b (tenant_id, key_hash, tokens, granted, filled)
      select holder, ${bucket}, burst - given, given, real
      from caller, lateral (select ${givenOf(portion, settings.burst)} as given) g
      on conflict (tenant_id, key_hash) do update set (tokens, granted, filled) = (
        select full_to - given, given, greatest(b.filled, real)
        from caller, lateral (select ${filledAt(settings, sql`real`)} as full_to) f,
          lateral (select ${givenOf(portion, sql`full_to`)} as given) g)
      returning tokens, granted
    )
    select c.*, b.tokens, b.granted from caller c, bucket b`
}

/** Of a caller that was found, by parameters alone, as Citus routes it. */
function taking(found: BucketState & Held, bucket: Buffer, portion: Portion) {
  const settings = { burst: sql`${found.burst}::float8`, rate: sql`${found.rate}::float8` }
  const given = givenOf(portion, settings.burst)
  const full_to = filledAt(settings, sql`excluded.filled`)
  return sql<Taken>`
    insert into rate_buckets as b (tenant_id, key_hash, tokens, granted, filled)
    values (${found.holder}, ${bucket}, ${settings.burst} - ${given}, ${given}, ${databaseNow})
    on conflict (tenant_id, key_hash) do update set
      tokens = ${full_to} - ${givenOf(portion, full_to)}, granted = ${givenOf(portion, full_to)},
      filled = greatest(b.filled, excluded.filled)
    returning tokens, granted`
}

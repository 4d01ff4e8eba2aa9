/** Token buckets of the rate limit (D-11), in the database. They run on real time. */

import { type RawBuilder, sql } from 'kysely'
import { databaseNow } from '#kit/clock.ts'
import type { Db } from '#kit/db/database.ts'
import type { BucketState, Portion } from './caller_cache.ts'

/** The bucket of a tenant, above those of its keys and sessions (D-1005). */
const OF_TENANT = Buffer.from('tenant')

/**
 * The one row of `caller` with the state of its token bucket after a portion was taken, or the rest
 * of one. Takes nothing if `caller` finds nothing. `caller` has the columns of `bucketSettings`.
 * The tokens of its own bucket are taken from the bucket of the tenant too, and granted as far as
 * that has them; so a key that is beyond its own rate takes nothing of its tenant's.
 *
 * On one server this is one statement. On a cluster the buckets are at their tenant's node, which
 * is known only once the caller is, and it takes no insert within a `with`: there it is a statement
 * more for each (D-654).
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
  const own = await take(atNode, { ...found, bucket }, portion)
  if (!own) return undefined
  const whole = { ...found, ...own, tenant_tokens: null }
  const { holder, tenant_burst: burst, tenant_rate: rate } = found
  if (burst === null || rate === null || own.granted === 0) return whole
  const above = { holder, burst, rate, bucket: OF_TENANT }
  const ofTenant = await take(atNode, above, { waiting: own.granted, ahead: 0 })
  return ofTenant && { ...whole, granted: ofTenant.granted, tenant_tokens: ofTenant.tokens }
}

/** The tenant whose bucket it is, or the id that stands for none. */
type Held = { holder: string }
type Taken = Pick<BucketState, 'tokens' | 'granted'>
type Bucket = Held & Pick<BucketState, 'burst' | 'rate'> & { bucket: Buffer }

/** The tokens that bucket `b` has at `at`, and those that a portion gets of `full_to`. */
const filledAt = (b: { burst: Of; rate: Of }, at: RawBuilder<unknown>) =>
  sql`least(${b.burst}, b.tokens + ${b.rate} * greatest(0, extract(epoch from ${at} - b.filled)))`
type Of = RawBuilder<unknown>
const givenOf = (wanted: Of, full_to: Of) => sql`least(${wanted}, floor(${full_to}))`
const wantedIn = ({ waiting, ahead }: Portion) => sql`${waiting + ahead}::float8`

function takingWithCaller<Row>(caller: RawBuilder<unknown>, bucket: Buffer, portion: Portion) {
  const own = { burst: sql`burst`, rate: sql`rate` }
  const above = { burst: sql`tenant_burst`, rate: sql`tenant_rate` }
  return sql<Row>`
    with caller as (${caller}),
    own as (${takingFrom(sql`caller`, bucket, { ...own, wanted: wantedIn(portion) })}),
    owned as (select c.*, o.granted as wanted from caller c, own o
      where o.granted > 0 and c.tenant_burst is not null),
    above as (${takingFrom(sql`owned`, OF_TENANT, { ...above, wanted: sql`wanted` })})
    select c.*, o.tokens, coalesce(a.granted, o.granted) as granted, a.tokens as tenant_tokens
    from caller c cross join own o left join above a on true`
}

type Taking = { burst: Of; rate: Of; wanted: Of }

/** Takes of the bucket of the one row of `source`, whose columns `taking` names. */
function takingFrom(source: RawBuilder<unknown>, bucket: Buffer, taking: Taking) {
  const { burst, wanted } = taking
  return sql`
    insert into rate_buckets as b (tenant_id, key_hash, tokens, granted, filled)
    select holder, ${bucket}, ${burst} - given, given, real
    from ${source}, lateral (select ${givenOf(wanted, burst)} as given) g
    on conflict (tenant_id, key_hash) do update set (tokens, granted, filled) = (
      select full_to - given, given, greatest(b.filled, real)
      from ${source}, lateral (select ${filledAt(taking, sql`real`)} as full_to) f,
        lateral (select ${givenOf(wanted, sql`full_to`)} as given) g)
    returning tokens, granted`
}

/** Takes for a caller that was found, by parameters alone, as Citus routes it. */
async function take(db: Db, from: Bucket, portion: Portion): Promise<Taken | undefined> {
  const settings = { burst: sql`${from.burst}::float8`, rate: sql`${from.rate}::float8` }
  const wanted = wantedIn(portion)
  const given = givenOf(wanted, settings.burst)
  const full_to = filledAt(settings, sql`excluded.filled`)
  const { rows } = await sql<Taken>`
    insert into rate_buckets as b (tenant_id, key_hash, tokens, granted, filled)
    values (${from.holder}, ${from.bucket}, ${settings.burst} - ${given}, ${given}, ${databaseNow})
    on conflict (tenant_id, key_hash) do update set
      tokens = ${full_to} - ${givenOf(wanted, full_to)}, granted = ${givenOf(wanted, full_to)},
      filled = greatest(b.filled, excluded.filled)
    returning tokens, granted`.execute(db)
  return rows[0]
}

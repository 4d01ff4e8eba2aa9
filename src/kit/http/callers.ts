/**
 * The caller of the issuing API: the key, its tenant, its permissions and its rate, in one query.
 */

import { type RawBuilder, sql } from 'kysely'
import { databaseNow, tenantNow } from '#kit/clock.ts'
import type { Context } from '#kit/context.ts'
import type { Db } from '#kit/db/database.ts'
import { hashApiKey, isApiKey } from '#kit/http/api_keys.ts'
import { ApiError } from '#lib/result.ts'
import type { Permission } from './route.ts'

/** The default rate of D-11. */
export const RATE_PER_SECOND = 100
export const RATE_BURST = 200

/** The operator's requests belong to no tenant; their answers are stored under this id. */
export const NO_TENANT = '00000000-0000-0000-0000-000000000000'

/** The services of a process that every context contains. */
export type Services = Pick<Context, 'db' | 'keys' | 'profile' | 'notify' | 'runDueJobs' | 'react'>

export type Caller = { ctx: Context; permissions: ReadonlySet<Permission>; rate: RateState }

export type RateState = { limit: number; remaining: number; allowed: boolean; wait_seconds: number }

/** A token bucket after one token was taken; the columns of `takingToken`. */
export type BucketState = { allowed: boolean; tokens: number; rate: number; burst: number }

type Row = BucketState & {
  id: string
  tenant_id: string | null
  permissions: Permission[]
  now: Date
}

/** The key that a request presents: `apikey`, or Authorization with Bearer or apikey (D-12). */
export function presentedKey(headers: Record<string, string | string[] | undefined>) {
  const { apikey, authorization } = headers
  if (typeof apikey === 'string') return apikey
  if (typeof authorization !== 'string') return undefined
  return /^(?:Bearer|apikey) +(\S+)$/i.exec(authorization)?.[1]
}

/**
 * Finds the caller of a key and takes one token of its bucket. Fails with `unauthenticated` for a
 * malformed, unknown or revoked key alike. Buckets and `ctx.now` use the database's clock (D-350).
 */
export async function callerOf(services: Services, key: string | undefined): Promise<Caller> {
  if (key === undefined || !isApiKey(key)) throw new ApiError('unauthenticated')
  const key_hash = hashApiKey(key)
  const row = await findCaller(services.db.forCaller(key_hash), key_hash)
  if (!row) throw new ApiError('unauthenticated')

  const kind = row.tenant_id === null ? 'operator' : 'client'
  const tenant_id = row.tenant_id ?? NO_TENANT
  return {
    ctx: {
      ...services,
      db: services.db.forTenant(tenant_id),
      tenant_id,
      now: row.now,
      actor: { kind, id: row.id },
    },
    permissions: new Set(row.permissions),
    rate: rateOf(row),
  }
}

export function rateOf({ allowed, tokens, rate, burst }: BucketState): RateState {
  const wait_seconds = Math.max(1, Math.ceil((1 - tokens) / rate))
  return { limit: burst, remaining: Math.floor(tokens), allowed, wait_seconds }
}

async function findCaller(db: Db, key_hash: Buffer): Promise<Row | undefined> {
  const caller = sql`
    select k.id, k.tenant_id, k.permissions, coalesce(${tenantNow}, ${databaseNow}) as now,
      ${rateSettings}
    from api_keys k left join tenants t on t.id = k.tenant_id
    where k.key_hash = ${key_hash} and k.revoked is null`
  const { rows } = await takingToken<Row>(caller, key_hash).execute(db)
  return rows[0]
}

/** The rate of tenant `t`, as columns of a query for `takingToken`. */
export const rateSettings = sql`
  coalesce((t.settings ->> 'rate_limit_per_second')::float8, ${RATE_PER_SECOND}) as rate,
  coalesce((t.settings ->> 'rate_limit_burst')::float8, ${RATE_BURST}) as burst`

/**
 * The one row of `caller` with the state of its token bucket after one token was taken. Takes
 * nothing where `caller` finds nothing. Buckets run on real time.
 */
export function takingToken<Found>(caller: RawBuilder<unknown>, bucket: Buffer) {
  return sql<Found & BucketState>`
    with caller as (${caller}), bucket as (
      insert into rate_buckets as b (key_hash, tokens, allowed, filled)
      select ${bucket}, burst - 1, true, ${databaseNow} from caller
      on conflict (key_hash) do update set (tokens, allowed, filled) = (
        select full_to - least(1, floor(full_to)), full_to >= 1, greatest(b.filled, ${databaseNow})
        from caller, lateral (select least(burst, b.tokens
          + rate * greatest(0, extract(epoch from ${databaseNow} - b.filled))) as full_to) f)
      returning tokens, allowed
    )
    select c.*, b.tokens, b.allowed from caller c, bucket b`
}

/** The context of work without a caller: sweeps, the card network, the seed. */
export async function tenantContext(
  services: Services,
  tenant_id: string,
  actor: Context['actor'],
): Promise<Context> {
  const { now } = await services.db
    .selectFrom('tenants as t')
    .select(tenantNow.as('now'))
    .where('t.id', '=', tenant_id)
    .executeTakeFirstOrThrow()
  return { ...services, db: services.db.forTenant(tenant_id), tenant_id, now, actor }
}

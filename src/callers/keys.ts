/**
 * API keys as callers: the key, its tenant, its permissions and its rate, for a portion of requests
 * at a time.
 */

import { type RawBuilder, sql } from 'kysely'
import { databaseNow, RunningClock } from '#kit/clock.ts'
import type { Db } from '#kit/db/database.ts'
import { takeTokens } from '#kit/http/callers/buckets.ts'
import {
  type BucketState,
  CallerCache,
  type KnownCaller,
  type Portion,
} from '#kit/http/callers/caller_cache.ts'
import { type Caller, NO_TENANT, type Services } from '#kit/http/callers/callers.ts'
import type { Permission } from '#kit/http/permissions.ts'
import { ApiError } from '#lib/result.ts'
import { hashApiKey, isApiKey } from './api_keys.ts'
import { permittedToKey } from './permitted.ts'
import type { Role } from './roles.ts'

/** The default rate of D-11. */
export const RATE_PER_SECOND = 100
export const RATE_BURST = 200
/** The rate of all keys and sessions of a tenant together, in the rates of one (D-1005). */
export const KEYS_AT_FULL_RATE = 4

type Row = BucketState & {
  id: string
  tenant_id: string | null
  permissions: Permission[]
  /** A role of a tenant; null if no member made the key. */
  maker_role: Role | null
}
/** The callers of API keys that this process knows. */
export type KeyCache = CallerCache<Row>

/** The key that a request presents: `apikey`, or Authorization with Bearer or apikey (D-12). */
export function presentedKey(headers: Record<string, string | string[] | undefined>) {
  const { apikey, authorization } = headers
  if (typeof apikey === 'string') return apikey
  if (typeof authorization !== 'string') return undefined
  return /^(?:Bearer|apikey) +(\S+)$/i.exec(authorization)?.[1]
}

/**
 * Finds the caller of a key and takes one token of its bucket. Fails with `unauthenticated` for a
 * malformed, unknown or revoked key alike. Buckets and `ctx.now` use the database's clock (D-350,
 * D-391).
 */
export async function callerOf(
  services: Services,
  key: string | undefined,
  cache: KeyCache = new CallerCache(new RunningClock()),
): Promise<Caller> {
  if (key === undefined || !isApiKey(key)) throw new ApiError('unauthenticated')
  const key_hash = hashApiKey(key)
  const { db } = services
  const found = await cache.take(key_hash, (portion) => findCaller(db, key_hash, portion))
  if (!found) throw new ApiError('unauthenticated')
  return callerFrom(services, found)
}

/** The same if this process has a token for the key: no guess, and no statement. */
export function knownCallerOf(
  services: Services,
  key: string | undefined,
  cache: KeyCache,
): Caller | undefined {
  const found = key === undefined ? undefined : cache.takeKnown(hashApiKey(key))
  return found && callerFrom(services, found)
}

function callerFrom(services: Services, { row, now, rate }: KnownCaller<Row>): Caller {
  const kind = row.tenant_id === null ? 'operator' : 'client'
  const tenant_id = row.tenant_id ?? NO_TENANT
  return {
    ctx: {
      ...services,
      db: kind === 'operator' ? services.db.forOperator() : services.db.forTenant(tenant_id),
      tenant_id,
      now,
      actor: { kind, id: row.id },
    },
    rate,
    ...permittedToKey(new Set(row.permissions), row.maker_role),
  }
}

function findCaller(db: Db, key_hash: Buffer, portion: Portion): Promise<Row | undefined> {
  const caller = sql`
    select k.id, k.tenant_id, k.permissions, k.maker_role, ${bucketSettings(sql`k.tenant_id`)}
    from api_keys k left join tenants t on t.id = k.tenant_id
    where k.key_hash = ${key_hash} and k.revoked is null`
  return takeTokens(db, caller, key_hash, portion)
}

/**
 * Columns of a query for `takeTokens`: the clock and the rates of tenant `t`, and `tenant`, whose
 * buckets they are. Without one the caller has a bucket of its own only.
 */
export const bucketSettings = (tenant: RawBuilder<unknown>) => {
  const set = (name: string) => sql`(t.settings ->> ${sql.lit(name)})::float8`
  const rate = sql`coalesce(${set('rate_limit_per_second')}, ${RATE_PER_SECOND}::float8)`
  const burst = sql`coalesce(${set('rate_limit_burst')}, ${RATE_BURST}::float8)`
  const ofAll = (name: string, ofKey: RawBuilder<unknown>) => sql`case when ${tenant} is not null
    then coalesce(${set(name)}, ${KEYS_AT_FULL_RATE} * ${ofKey}) end`
  return sql`
    coalesce(${tenant}, ${NO_TENANT}::uuid) as holder,
    ${databaseNow} as real, coalesce(t.clock_offset_ms, 0)::float8 as offset_ms,
    ${rate} as rate, ${burst} as burst,
    ${ofAll('tenant_rate_limit_per_second', rate)} as tenant_rate,
    ${ofAll('tenant_rate_limit_burst', burst)} as tenant_burst`
}

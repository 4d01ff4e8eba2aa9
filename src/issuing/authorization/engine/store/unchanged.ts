/** The rows that a batch rests on and does not write, compared in its last statement. */

import { sql } from 'kysely'
import { type AppliedRate, countStillApplied } from '#issuing/rates/rates.ts'
import type { Tx } from '#kit/context.ts'
import { idArray, plainArray } from '#kit/db/arrays.ts'
import { Write } from '#kit/db/write.ts'

type Versioned = { id: string; version: bigint }
type VersionedList = Versioned & { kind: string }

export type RestsOn = {
  /** The accounts that the batch does not change. */
  accounts: readonly Versioned[]
  products: readonly Versioned[]
  limits: readonly Versioned[]
  /** The counters of users; version 0 if nothing is stored. */
  counters: readonly Versioned[]
  /** The lists that its cards and their products name. */
  lists: readonly VersionedList[]
  /** The rates of the currencies of its messages; none if all have those of their accounts. */
  rates: readonly AppliedRate[]
  /** The tenant's settings, as they are stored. */
  settings: unknown
}

/**
 * Fails (kit/db/conflict.ts) unless all of it is as it was read: division by zero, so that the
 * group that it ends is rolled back.
 */
export function assertUnchanged({ db, tenant_id }: Tx, rests_on: RestsOn): Write {
  const { accounts, products, lists, limits, counters, rates, settings } = rests_on
  const versioned = [accounts, products, lists, limits, counters, rates]
  const count = versioned.reduce((sum, { length }) => sum + length, 1)
  const columns = (rows: readonly Versioned[]) => sql`
    unnest(${idArray(rows.map(({ id }) => id))}::uuid[],
      ${plainArray(rows.map(({ version }) => version))}::bigint[]) as r (id, version)`
  // Only if there are some: most batches change all of their accounts and rest on no limits.
  const unchangedAccounts =
    accounts.length === 0
      ? sql``
      : sql`+ (select count(*) from ${columns(accounts)} cross join lateral (
        select from accounts where tenant_id = ${tenant_id} and id = r.id and version = r.version
        limit 1) a)`
  const unchangedLimits =
    limits.length + counters.length === 0
      ? sql``
      : sql`+ (select count(*) from ${columns(limits)} cross join lateral (
        select from limits
        where tenant_id = ${tenant_id} and id = r.id and version = r.version limit 1) l)
      + (select count(*) from ${columns(counters)} where r.version = coalesce((
        select version from user_counters
        where tenant_id = ${tenant_id} and user_id = r.id limit 1), 0))`
  const compared = sql`
    select 1 / (${count}::bigint = (
      select count(*) from ${columns(products)} cross join lateral (
        select from card_products
        where tenant_id = ${tenant_id} and id = r.id and version = r.version limit 1) p)
      ${unchangedAccounts}
      ${lists.length > 0 ? countLists(tenant_id, lists) : sql``}
      ${unchangedLimits}
      ${rates.length > 0 ? sql`+ ${countStillApplied(tenant_id, rates)}` : sql``}
      + (select count(*) from tenants
        where id = ${tenant_id} and settings = ${JSON.stringify(settings)}::jsonb))::int`
  return Write.of(db, compared)
}

const countLists = (tenant_id: string, lists: readonly VersionedList[]) => sql`
  + (select count(*) from unnest(${plainArray(lists.map(({ kind }) => kind))}::text[],
      ${plainArray(lists.map(({ id }) => id))}::uuid[],
      ${plainArray(lists.map(({ version }) => version))}::bigint[]) as r (kind, id, version)
    cross join lateral (
      select from allowed_lists
      where tenant_id = ${tenant_id} and kind = r.kind and id = r.id and version = r.version
      limit 1) l)`

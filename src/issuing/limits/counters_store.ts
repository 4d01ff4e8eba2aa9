/** The counters of accounts and users, each holder's in one row. */

import { sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import { plainArray, textArray } from '#kit/db/arrays.ts'
import { expectRows } from '#kit/db/conflict.ts'
import type { HolderCounters } from './rules.ts'

/** One for each holder, with version 0 where none are stored. */
export async function listCounters(
  { db, tenant_id }: Context,
  holder_ids: readonly string[],
): Promise<HolderCounters[]> {
  if (holder_ids.length === 0) return []
  const { rows } = await sql<HolderCounters>`
    select given.id as holder_id, coalesce(c.version, 0) as version,
      coalesce(c.counters, '{}') as counters
    from unnest(${plainArray(holder_ids)}::uuid[]) as given (id)
    left join lateral (
      select version, counters from limit_counters
      where tenant_id = ${tenant_id} and holder_id = given.id limit 1) c on true`.execute(db)
  return rows
}

/** The same, each row locked until the transaction ends, and made where it is missing. */
export async function lockCounters(
  tx: Tx,
  holder_ids: readonly string[],
): Promise<HolderCounters[]> {
  if (holder_ids.length === 0) return []
  const sorted = plainArray([...holder_ids].sort())
  // Raised, so that what was decided on the row before is not written (kit/db/conflict.ts).
  const { rows } = await sql<HolderCounters>`
    insert into limit_counters as c (tenant_id, holder_id, counters, version)
    select ${tx.tenant_id}::uuid, given.id, '{}', 1
    from unnest(${sorted}::uuid[]) as given (id)
    on conflict (tenant_id, holder_id) do update set version = c.version + 1
    returning holder_id, version, counters`.execute(tx.db)
  return rows
}

/**
 * Writes counters and raises their versions. The statement fails (kit/db/conflict.ts) where one
 * has another version than it was read with.
 */
export async function upsertCounters(tx: Tx, changed: readonly HolderCounters[]): Promise<void> {
  if (changed.length === 0) return
  const ids = plainArray(changed.map(({ holder_id }) => holder_id))
  const versions = plainArray(changed.map(({ version }) => version))
  const texts = textArray(changed.map(({ counters }) => JSON.stringify(counters)))
  const upserted = sql`
    insert into limit_counters as c (tenant_id, holder_id, counters, version)
    select ${tx.tenant_id}::uuid, given.id, given.counters::json, given.version + 1
    from unnest(${ids}::uuid[], ${texts}::text[], ${versions}::bigint[])
      as given (id, counters, version)
    on conflict (tenant_id, holder_id)
    do update set counters = excluded.counters, version = excluded.version
      where c.version = excluded.version - 1
    returning 1`
  await expectRows(upserted, changed.length).execute(tx.db)
}

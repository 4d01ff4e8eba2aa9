/** The counters of accounts and users, each holder's in one row. */

import { sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import { idArray, jsonArray, plainArray } from '#kit/db/arrays.ts'
import { expectRows, ifUnchanged } from '#kit/db/conflict.ts'
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
    from unnest(${idArray(holder_ids)}::uuid[]) as given (id)
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
    select anchor.tenant_id, given.id, '{}', 1
    from tenant_anchors anchor cross join unnest(${sorted}::uuid[]) as given (id)
    where anchor.tenant_id = ${tx.tenant_id}
    on conflict (tenant_id, holder_id) do update set version = c.version + 1
    returning holder_id, version, counters`.execute(tx.db)
  return rows
}

/**
 * Writes counters and raises their versions. A statement fails (kit/db/conflict.ts) where one has
 * another version than it was read with.
 */
export async function upsertCounters(tx: Tx, changed: readonly HolderCounters[]): Promise<void> {
  const isStored = ({ version }: HolderCounters) => version > 0n
  await Promise.all([
    insertCounters(
      tx,
      changed.filter((one) => !isStored(one)),
    ),
    updateCounters(tx, changed.filter(isStored)),
  ])
}

async function insertCounters(tx: Tx, added: readonly HolderCounters[]): Promise<void> {
  if (added.length === 0) return
  // A stored row has a version above 0: another has inserted it since.
  const version = ifUnchanged(sql`excluded.version`, sql`c.version = 0`)
  await sql`
    insert into limit_counters as c (tenant_id, holder_id, counters, version)
    select anchor.tenant_id, given.id, given.counters, 1
    from tenant_anchors anchor cross join rows from (unnest(${idsOf(added)}::uuid[]),
      unnest(${jsonArray(added.map(textOf))})) as given (id, counters)
    where anchor.tenant_id = ${tx.tenant_id}
    on conflict (tenant_id, holder_id) do update set version = ${version}`.execute(tx.db)
}

async function updateCounters(tx: Tx, changed: readonly HolderCounters[]): Promise<void> {
  if (changed.length === 0) return
  const ids = sql`${idsOf(changed)}::uuid[]`
  const versions = plainArray(changed.map(({ version }) => version))
  // The values by the place of the id, not by a join: PostgreSQL can only use the primary key.
  const updated = sql`
    update limit_counters c set (version, counters) = (
        select c.version + 1, (select ${jsonArray(changed.map(textOf))})[at]
        from array_position(${ids}, c.holder_id) as at)
    where c.tenant_id = ${tx.tenant_id} and c.holder_id = any (${ids})
      and c.version = (${versions}::bigint[])[array_position(${ids}, c.holder_id)]
    returning 1`
  await expectRows(updated, changed.length).execute(tx.db)
}

const idsOf = (holders: readonly HolderCounters[]): Buffer =>
  idArray(holders.map(({ holder_id }) => holder_id))
const textOf = ({ counters }: HolderCounters): string => JSON.stringify(counters)

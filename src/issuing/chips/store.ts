/** The rows of chips; a chip without messages and scripts has none. */

import { sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import { jsonArray, plainArray } from '#kit/db/arrays.ts'
import { ifUnchanged } from '#kit/db/conflict.ts'
import { Write } from '#kit/db/write.ts'
import type { Chip } from './schema.ts'

export async function listChips(
  { db, tenant_id }: Context,
  ids: readonly string[],
): Promise<Chip[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<Chip>`
    select c.* from unnest(${plainArray(ids)}::uuid[]) as given (id)
    cross join lateral (
      select id, atc, scripts, version from chips
      where tenant_id = ${tenant_id} and id = given.id limit 1) c`.execute(db)
  return rows
}

/**
 * Writes these chips with the next version. The statement fails (kit/db/conflict.ts) if one has
 * another version than it was read at.
 */
export function upsertChips({ db, tenant_id }: Tx, chips: readonly Chip[]): Write {
  if (chips.length === 0) return Write.of(db)
  const version = ifUnchanged(sql`excluded.version`, sql`c.version = excluded.version - 1`)
  const upserted = sql`
    insert into chips as c (tenant_id, id, atc, scripts, version)
    select anchor.tenant_id, given.id, given.atc, given.scripts, given.version
    from tenant_anchors anchor cross join rows from (
      unnest(${plainArray(chips.map(({ id }) => id))}::uuid[]),
      unnest(${plainArray(chips.map(({ atc }) => atc))}::int[]),
      unnest(${jsonArray(chips.map(({ scripts }) => JSON.stringify(scripts)))}),
      unnest(${plainArray(chips.map(({ version }) => version + 1n))}::bigint[]))
      as given (id, atc, scripts, version)
    where anchor.tenant_id = ${tenant_id}
    order by given.id
    on conflict (tenant_id, id) do update
      set atc = excluded.atc, scripts = excluded.scripts, version = ${version}`
  return Write.of(db, upserted)
}

/** Locked until the transaction ends; undefined if nothing is stored of it. */
export async function lockChip({ db, tenant_id }: Tx, id: string): Promise<Chip | undefined> {
  const { rows } = await sql<Chip>`
    select id, atc, scripts, version from chips
    where tenant_id = ${tenant_id} and id = ${id} for no key update`.execute(db)
  return rows[0]
}

/** The SQL of matches. The operator belongs to no tenant, so its list reads all of them. */

import { type Selectable, sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import type { Database } from '#kit/db/tables.ts'
import { type PageRange, selectRange } from '#kit/http/lists.ts'
import { newId } from '#lib/id.ts'
import type { Match, Purpose } from '../provider.ts'

export type MatchRow = Selectable<Database['screening_matches']>
export type Found = { purpose: Purpose; provider: string }

/**
 * Stores an entry that was found of a user. One that is known changes nothing, unless it is more
 * alike than before and was not confirmed: then it is open again. Undefined where nothing changed.
 */
export function upsertMatch(
  { db, tenant_id, now }: Tx,
  found: Found,
  { subject_id: user_id, ...match }: Match,
): Promise<MatchRow | undefined> {
  return db
    .insertInto('screening_matches')
    .values({
      ...found,
      ...match,
      ...{ id: newId(), tenant_id, user_id, status: 'OPEN', created: now, modified: now },
    })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'user_id', 'provider', 'list', 'listed_id'])
        .doUpdateSet((row) => ({
          status: 'OPEN',
          note: null,
          purpose: row.ref('excluded.purpose'),
          name: row.ref('excluded.name'),
          score: row.ref('excluded.score'),
          reason: row.ref('excluded.reason'),
          modified: now,
        }))
        .whereRef('excluded.score', '>', 'screening_matches.score')
        .where('screening_matches.status', '!=', 'CONFIRMED'),
    )
    .returningAll()
    .executeTakeFirst()
}

export function findMatchRow(
  { db, tenant_id }: Context,
  id: string,
): Promise<MatchRow | undefined> {
  return db
    .selectFrom('screening_matches')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Undefined when it is judged already. */
export function updateMatchJudged(
  { db, tenant_id, now }: Tx,
  id: string,
  judged: { status: 'DISMISSED' | 'CONFIRMED'; note: string },
): Promise<MatchRow | undefined> {
  return db
    .updateTable('screening_matches')
    .set({ ...judged, modified: now })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .where('status', '=', 'OPEN')
    .returningAll()
    .executeTakeFirst()
}

/** The matches of these users that are open or confirmed, and of the people of a business. */
export async function listMatchesOf(
  { db, tenant_id }: Context,
  user_ids: readonly string[],
): Promise<(MatchRow & { review_of: string })[]> {
  if (user_ids.length === 0) return []
  const ids = sql.join(user_ids.map((id) => sql`${id}::uuid`))
  const { rows } = await sql<MatchRow & { review_of: string }>`
    select m.*, m.user_id as review_of from screening_matches m
    where m.tenant_id = ${tenant_id} and m.user_id in (${ids}) and m.status <> 'DISMISSED'
    union all
    select m.*, u.parent_user_id as review_of from users u
    join screening_matches m on m.tenant_id = u.tenant_id and m.user_id = u.id
    where u.tenant_id = ${tenant_id} and m.tenant_id = ${tenant_id}
      and u.parent_user_id in (${ids}) and u.list_place is not null and m.status <> 'DISMISSED'
    order by score desc, id`.execute(db)
  return rows
}

export type MatchFilters = {
  tenant_id?: string
  user_id?: string
  status?: MatchRow['status']
}

/** Matches of all tenants, newest first. */
export async function listMatchRows(
  { db }: Context,
  { tenant_id, user_id, status }: MatchFilters,
  range: PageRange,
): Promise<MatchRow[]> {
  let query = db.selectFrom('screening_matches').selectAll()
  if (tenant_id !== undefined) query = query.where('tenant_id', '=', tenant_id)
  if (user_id !== undefined) query = query.where('user_id', '=', user_id)
  if (status !== undefined) query = query.where('status', '=', status)
  return await selectRange(query, range).execute()
}

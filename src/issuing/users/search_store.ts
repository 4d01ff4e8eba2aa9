/** The SQL of the search for users. */

import { type SqlBool, sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import { isInRange, type PageRange, selectRange } from '#kit/http/lists.ts'
import { TERMS_MAX } from './rules/names.ts'
import type { UserRow } from './store.ts'

/** A name with more matching terms than this is frequent. */
const RARE_MAX = 5000
/** So many of the newest terms are scanned for each user of a page: one in 200 must match. */
const WALKED_EACH = 200

/** Sorts behind every text that begins with the same letters ("C" order, UTF-8). */
const LAST = '\u{10ffff}'

type UserPosition = { created: Date; user_id: string }

const isInNames = (range: PageRange) => isInRange(range, { id: 'user_id' })

/** Keeps exactly these terms for a user. */
export async function replaceTerms(
  { db, tenant_id }: Tx,
  { id, created }: Pick<UserRow, 'id' | 'created'>,
  terms: readonly string[],
): Promise<void> {
  await sql`
    delete from user_names
    where tenant_id = ${tenant_id} and created = ${created} and user_id = ${id}
      and term <> all (${terms}::text[])`.execute(db)
  await sql`
    insert into user_names (tenant_id, created, user_id, term)
    select anchor.tenant_id, ${created}::timestamptz, ${id}::uuid, t.term
    from tenant_anchors anchor cross join unnest(${terms}::text[]) as t (term)
    where anchor.tenant_id = ${tenant_id}
    on conflict do nothing`.execute(db)
}

/** Equal e-mail (any case) and mobile; the name filters what they find. */
export function listByContact(
  { db, tenant_id }: Context,
  { email, mobile }: { email: string | undefined; mobile: string | undefined },
  prefix: string | undefined,
  range: PageRange,
): Promise<UserRow[]> {
  let query = db.selectFrom('users').selectAll().where('tenant_id', '=', tenant_id)
  if (email !== undefined) query = query.where('email_folded', '=', email)
  if (mobile !== undefined) query = query.where('mobile', '=', mobile)
  if (prefix !== undefined) {
    // Counted for each user found: as a join, all users with the name might be read.
    query = query.where(
      sql<SqlBool>`(select count(*) from user_names n
        where n.tenant_id = ${tenant_id} and n.created = users.created and n.user_id = users.id
          and n.term >= ${prefix} and n.term < ${prefix + LAST}) > 0`,
    )
  }
  return selectRange(query, range).execute()
}

export async function isFrequent({ db, tenant_id }: Context, prefix: string): Promise<boolean> {
  const { rows } = await sql<{ frequent: boolean }>`
    select exists (
      select from user_names
      where tenant_id = ${tenant_id} and term >= ${prefix} and term < ${prefix + LAST}
      offset ${RARE_MAX}
    ) as frequent`.execute(db)
  return rows[0]?.frequent ?? false
}

/** Returns undefined when too few of the newest users have the name. */
export async function listAmongNewest(
  ctx: Context,
  prefix: string,
  range: PageRange,
): Promise<UserRow[] | undefined> {
  const { rows } = await sql<UserPosition>`
    select distinct created, user_id
    from (
      select created, user_id, term from user_names
      where tenant_id = ${ctx.tenant_id} and ${isInNames(range)}
      order by created desc, user_id desc
      limit ${range.limit * WALKED_EACH}
    ) newest
    where left(term, ${[...prefix].length}) = ${prefix}
    order by created desc, user_id desc
    limit ${range.limit}`.execute(ctx.db)
  return rows.length < range.limit ? undefined : listFound(ctx, rows)
}

/**
 * Sorts all users with the name, however many. Their search is separate (`offset 0`), lest the
 * planner walk through all ages; users come out of a sort of terms, which needs no memory for more
 * than those of the page.
 */
export async function listAmongAll(
  ctx: Context,
  prefix: string,
  range: PageRange,
): Promise<UserRow[]> {
  const { rows } = await sql<UserPosition>`
    select distinct created, user_id
    from (
      select created, user_id
      from (
        select created, user_id from user_names
        where tenant_id = ${ctx.tenant_id} and term >= ${prefix} and term < ${prefix + LAST}
          and ${isInNames(range)}
        offset 0
      ) found
      order by created desc, user_id desc
      limit ${range.limit * TERMS_MAX}
    ) newest
    order by created desc, user_id desc
    limit ${range.limit}`.execute(ctx.db)
  return listFound(ctx, rows)
}

async function listFound(
  { db, tenant_id }: Context,
  found: readonly UserPosition[],
): Promise<UserRow[]> {
  if (found.length === 0) return []
  return db
    .selectFrom('users')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where(
      'id',
      'in',
      found.map(({ user_id }) => user_id),
    )
    .orderBy('created', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

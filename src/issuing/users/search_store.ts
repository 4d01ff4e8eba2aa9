/** The SQL of the search for users. */

import { type SqlBool, sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import type { PageWanted, UserRow } from './store.ts'

/** More matching terms than this are not sorted at once; the newest users are walked first. */
const PROBE_MAX = 10_000
/** So many terms are walked. Among them stands a page of any name that is spread over the ages. */
const WALK_MAX = 20_000

/** Sorts behind every text that begins with the same letters ("C" order, UTF-8). */
const LAST = '\u{10ffff}'

type Found = { created: Date; user_id: string }

const newer = ({ key }: PageWanted) =>
  key
    ? sql<SqlBool>`(created, user_id) < (${key.created}::timestamptz, ${key.id}::uuid)`
    : sql<SqlBool>`true`

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
    select ${tenant_id}::uuid, ${created}::timestamptz, ${id}::uuid, term
    from unnest(${terms}::text[]) as t (term)
    on conflict do nothing`.execute(db)
}

/** Equal e-mail (any case) and mobile; the name filters what they find. */
export function selectByContact(
  { db, tenant_id }: Context,
  { email, mobile }: { email: string | undefined; mobile: string | undefined },
  prefix: string | undefined,
  { limit, key }: PageWanted,
): Promise<UserRow[]> {
  let query = db.selectFrom('users').selectAll().where('tenant_id', '=', tenant_id)
  if (email !== undefined) query = query.where((row) => sql`lower(${row.ref('email')})`, '=', email)
  if (mobile !== undefined) query = query.where('mobile', '=', mobile)
  if (prefix !== undefined) {
    // Counted for each user found: as a join, all who have the name might be read.
    query = query.where(
      sql<SqlBool>`(select count(*) from user_names n
        where n.tenant_id = ${tenant_id} and n.created = users.created and n.user_id = users.id
          and n.term >= ${prefix} and n.term < ${prefix + LAST}) > 0`,
    )
  }
  if (key) {
    query = query.where(
      sql<SqlBool>`(created, id) < (${key.created}::timestamptz, ${key.id}::uuid)`,
    )
  }
  return query.orderBy('created', 'desc').orderBy('id', 'desc').limit(limit).execute()
}

/** Answers undefined when too many terms match to sort them at once. */
export async function selectByRareName(
  ctx: Context,
  prefix: string,
  page: PageWanted,
): Promise<UserRow[] | undefined> {
  const { rows } = await sql<Found & { matches: number }>`
    with found as materialized (
      select created, user_id from user_names
      where tenant_id = ${ctx.tenant_id} and term >= ${prefix} and term < ${prefix + LAST}
      limit ${PROBE_MAX + 1}
    )
    select distinct created, user_id, (select count(*)::int from found) as matches
    from found
    where ${newer(page)} or (select count(*) from found) > ${PROBE_MAX}
    order by created desc, user_id desc
    limit ${page.limit}`.execute(ctx.db)
  return (rows[0]?.matches ?? 0) > PROBE_MAX ? undefined : selectFound(ctx, rows)
}

/** Answers undefined when those who have the name are not among the newest. */
export async function selectByFrequentName(
  ctx: Context,
  prefix: string,
  page: PageWanted,
): Promise<UserRow[] | undefined> {
  const { rows } = await sql<Found>`
    select distinct created, user_id
    from (
      select created, user_id, term from user_names
      where tenant_id = ${ctx.tenant_id} and ${newer(page)}
      order by created desc, user_id desc
      limit ${WALK_MAX}
    ) newest
    where left(term, ${[...prefix].length}) = ${prefix}
    order by created desc, user_id desc
    limit ${page.limit}`.execute(ctx.db)
  return rows.length < page.limit ? undefined : selectFound(ctx, rows)
}

/** Sorts all who have the name, however many. */
export async function selectByOldName(
  ctx: Context,
  prefix: string,
  page: PageWanted,
): Promise<UserRow[]> {
  const { rows } = await sql<Found>`
    with found as materialized (
      select created, user_id from user_names
      where tenant_id = ${ctx.tenant_id} and term >= ${prefix} and term < ${prefix + LAST}
        and ${newer(page)}
    )
    select distinct created, user_id from found
    order by created desc, user_id desc
    limit ${page.limit}`.execute(ctx.db)
  return selectFound(ctx, rows)
}

async function selectFound(
  { db, tenant_id }: Context,
  found: readonly Found[],
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

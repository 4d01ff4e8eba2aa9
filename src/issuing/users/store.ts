/** The SQL of users: every statement within one tenant. */

import { type Insertable, type Selectable, type SqlBool, sql } from 'kysely'
import { raiseVersions } from '#issuing/versions/versions.ts'
import type { Context, Tx } from '#kit/context.ts'
import { plainArray } from '#kit/db/arrays.ts'
import type { Database } from '#kit/db/tables.ts'
import { isInRange, type PageRange, selectRange } from '#kit/http/lists.ts'
import { type Contents, fieldNames, fields } from './rules/fields.ts'
import type { UserState } from './rules/status.ts'

export type UserRow = Selectable<Database['users']>
export type NewUserRow = Pick<Insertable<Database['users']>, 'id' | 'user_type'> &
  UserState & { parent_user_id: string | null; list_place: number | null }

/** Contents as columns: objects are written as JSON text. */
function columnsOf(contents: Contents): Record<string, unknown> {
  const columns = fieldNames
    .filter((name) => contents[name] !== undefined)
    .map((name) => {
      const value = contents[name]
      const isJson = typeof fields[name] === 'object' && value !== null
      return [name, isJson ? JSON.stringify(value) : value]
    })
  return Object.fromEntries(columns)
}

/** Returns undefined when the id exists. */
export function insertUser(
  { db, tenant_id, now }: Tx,
  user: NewUserRow,
  contents: Contents,
): Promise<UserRow | undefined> {
  const row = { ...columnsOf(contents), ...user, tenant_id, created: now, modified: now }
  return db
    .insertInto('users')
    .values(row)
    .onConflict((conflict) => conflict.columns(['tenant_id', 'id']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function updateUserRow(
  tx: Tx,
  id: string,
  changes: { contents?: Contents; state?: UserState; place?: Place; kyc_policy_passed?: string },
): Promise<UserRow> {
  const { db, tenant_id, now } = tx
  const { contents = {}, state, place, kyc_policy_passed } = changes
  const updated = db
    .updateTable('users')
    .set({ ...columnsOf(contents), ...state, ...place, modified: now })
    .$if(kyc_policy_passed !== undefined, (query) => query.set({ kyc_policy_passed }))
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const [row] = await Promise.all([updated, raiseVersions(tx, { user_id: id })])
  return row
}
export type Place = { parent_user_id: string | null; list_place: number | null }

export function findUserRow({ db, tenant_id }: Context, id: string): Promise<UserRow | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/**
 * Locks users in the order of their ids; those that do not exist are left out. With `change` no
 * other transaction locks them until this one ends; with `keep` others may `keep` them too.
 */
export async function lockUsers(
  { db, tenant_id }: Tx,
  ids: readonly string[],
  purpose: 'change' | 'keep' = 'change',
): Promise<Map<string, UserRow>> {
  if (ids.length === 0) return new Map()
  const query = db
    .selectFrom('users')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where(sql<boolean>`id = any (${plainArray(ids)}::uuid[])`)
    .orderBy('id')
  const rows = await (purpose === 'keep' ? query.forShare() : query.forNoKeyUpdate()).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** The ids of a user and of all its ancestors. */
export async function listAncestry({ db, tenant_id }: Context, id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive above as (
      select id, parent_user_id from users where tenant_id = ${tenant_id} and id = ${id}
      union
      select u.id, u.parent_user_id from users u join above a on u.id = a.parent_user_id
      where u.tenant_id = ${tenant_id}
    )
    select id from above`.execute(db)
  return rows.map((row) => row.id)
}

type Filters = {
  parent_user_id?: string
  status?: UserRow['status']
  user_type?: UserRow['user_type']
  awaits_checks?: boolean
}

/** The rule awaitsChecks in the words of the index users_awaiting_checks, which serves no other. */
const awaitsChecks = sql<SqlBool>`(
  status in ('PENDINGIDVERIFICATION', 'PENDINGKYC', 'PENDINGKYB')
  or (status = 'SUSPENDED' and status_reason_code = 'S5')
  or (status = 'ACTIVE' and status_reason_code not in ('A0', 'A7')))`

export function listUserRows(
  { db, tenant_id }: Context,
  range: PageRange,
  { parent_user_id, status, user_type, awaits_checks = false }: Filters = {},
): Promise<UserRow[]> {
  let query = db.selectFrom('users').selectAll().where('tenant_id', '=', tenant_id)
  if (parent_user_id !== undefined) query = query.where('parent_user_id', '=', parent_user_id)
  if (status !== undefined) query = query.where('status', '=', status)
  if (user_type !== undefined) query = query.where('user_type', '=', user_type)
  if (awaits_checks) query = query.where(awaitsChecks)
  return selectRange(query, range).execute()
}

/** A page of the subtree of a user, at any depth. */
export async function listSubtree(
  { db, tenant_id }: Context,
  id: string,
  range: PageRange,
): Promise<UserRow[]> {
  const { rows } = await sql<UserRow>`
    with recursive below as (
      select id from users where tenant_id = ${tenant_id} and parent_user_id = ${id}
      union
      select u.id from users u join below b on u.parent_user_id = b.id
      where u.tenant_id = ${tenant_id}
    )
    select * from users
    where tenant_id = ${tenant_id} and id in (select id from below) and ${isInRange(range)}
    order by created desc, id desc
    limit ${range.limit}`.execute(db)
  return rows
}

export type Member = Pick<UserRow, 'id' | 'user_type'> & {
  parent_user_id: string
  list_place: number
}

/** The members of the lists of these businesses, in the order of their places. */
export function listMemberRows(
  { db, tenant_id }: Context,
  business_ids: readonly string[],
): Promise<Member[]> {
  if (business_ids.length === 0) return Promise.resolve([])
  return db
    .selectFrom('users')
    .select(['id', 'user_type'])
    .select((row) => [
      row.ref('parent_user_id').$notNull().as('parent_user_id'),
      row.ref('list_place').$notNull().as('list_place'),
    ])
    .where('tenant_id', '=', tenant_id)
    .where('parent_user_id', 'in', business_ids)
    .where('list_place', 'is not', null)
    .orderBy('list_place')
    .execute()
}

/** The sub-users in the lists of a business, in the order of their places. */
export function listMembersOf({ db, tenant_id }: Context, business_id: string): Promise<UserRow[]> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('parent_user_id', '=', business_id)
    .where('list_place', 'is not', null)
    .orderBy('list_place')
    .execute()
}

/** Removes users from the lists of a business; `updateMembersPlaced` adds those that remain. */
export async function updateMembersRemoved(
  { db, tenant_id, now }: Tx,
  business_id: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('users')
    .set({ parent_user_id: null, list_place: null, modified: now })
    .where('tenant_id', '=', tenant_id)
    .where('parent_user_id', '=', business_id)
    .where('id', 'in', ids)
    .execute()
}

/** Adds users to a list of a business in this order. Their places are free. */
export async function updateMembersPlaced(
  { db, tenant_id, now }: Tx,
  business_id: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update users u
    set parent_user_id = ${business_id}, list_place = p.place, modified = ${now}
    from unnest(${ids}::uuid[]) with ordinality as p (id, place)
    where u.tenant_id = ${tenant_id} and u.id = p.id`.execute(db)
}

export async function insertStatusChange(
  { db, tenant_id, now, actor }: Tx,
  change: Omit<
    Selectable<Database['user_status_changes']>,
    'tenant_id' | 'actor_kind' | 'actor_id' | 'created'
  >,
): Promise<void> {
  await db
    .insertInto('user_status_changes')
    .values({ ...change, tenant_id, actor_kind: actor.kind, actor_id: actor.id, created: now })
    .execute()
}

export function listStatusChangeRows(
  { db, tenant_id }: Context,
  user_id: string,
  range: PageRange,
): Promise<Selectable<Database['user_status_changes']>[]> {
  const ofUser = db
    .selectFrom('user_status_changes')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('user_id', '=', user_id)
  return selectRange(ofUser, range).execute()
}

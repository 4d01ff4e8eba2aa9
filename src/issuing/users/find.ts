/** Reads of users: one, lists, and the checks and locks that other slices use. */

import type { Context, Tx } from '#kit/context.ts'
import { invalid } from '#kit/http/answers/problems.ts'
import { listPage } from '#kit/http/lists.ts'
import type { Page } from '#lib/paging.ts'
import { ApiError } from '#lib/result.ts'
import { answerOf, listsOf } from './rules/answer.ts'
import type { RelationshipQuery, User, UserQuery } from './schema.ts'
import {
  findUserRow,
  listMemberRows,
  listSubtree,
  listUserRows,
  lockUsers,
  type UserRow,
} from './store.ts'

/** The user as the API returns it. */
export async function findUser(ctx: Context | Tx, id: string): Promise<User> {
  const row = await findUserRow(ctx, id)
  if (!row) throw new ApiError('not_found')
  return presentUser(ctx, row)
}

/**
 * The user of a new card, account or link (D-36). Its status cannot change until the transaction
 * ends. Fails with 400 on `field` when there is no such user.
 */
export async function requireActiveUser(
  tx: Tx,
  user_id: string,
  field = 'user_id',
): Promise<UserRow> {
  return activeUser((await keepUsers(tx, [user_id])).get(user_id.toLowerCase()), field)
}

/** Fails as requireActiveUser. */
export function activeUser(row: UserRow | undefined, field = 'user_id'): UserRow {
  if (!row) throw invalid(field, 'does not exist')
  if (row.status === 'ACTIVE') return row
  const { status, status_reason_code } = row
  throw new ApiError('user_not_active', {
    detail: `The user is ${status} (${status_reason_code}), not ACTIVE.`,
    extra: { status_of_user: status, status_reason_code },
  })
}

/** Several users, by their ids, whose status cannot change until the transaction ends. */
export function keepUsers(tx: Tx, ids: readonly string[]): Promise<Map<string, UserRow>> {
  return lockUsers(tx, ids, 'keep')
}

/**
 * Locks a user until the transaction ends: with `keep` its status cannot change, with `change` no
 * other transaction changes the user or adds to it.
 */
export async function lockUser(
  tx: Tx,
  user_id: string,
  purpose: 'change' | 'keep',
): Promise<UserRow> {
  const row = (await lockUsers(tx, [user_id], purpose)).get(user_id.toLowerCase())
  if (!row) throw new ApiError('not_found')
  return row
}

/** Users that match the filters, newest first (D-2). */
export async function listUsers(ctx: Context, query: UserQuery): Promise<Page<User>> {
  return presentPage(
    ctx,
    await listPage('users', query, (range) => listUserRows(ctx, range, query)),
  )
}

/** The children of a user, or with depth `all` its whole subtree (D-18). */
export async function linkedRelationships(
  ctx: Context,
  id: string,
  query: RelationshipQuery,
): Promise<Page<User>> {
  const page = await listPage('relationships', query, async (range) => {
    if (!(await findUserRow(ctx, id))) throw new ApiError('not_found')
    return query.depth === 'all'
      ? listSubtree(ctx, id, range)
      : listUserRows(ctx, range, { parent_user_id: id })
  })
  return presentPage(ctx, page)
}

export async function presentPage(ctx: Context, page: Page<UserRow>): Promise<Page<User>> {
  return { ...page, data: await presentUsers(ctx, page.data) }
}

export async function presentUser(ctx: Context, row: UserRow): Promise<User> {
  const members = row.user_type === 'BUSINESS' ? await listMemberRows(ctx, [row.id]) : []
  return toUser(row, members)
}

/** Only a BUSINESS has lists: one more statement reads them for all users of the page. */
export async function presentUsers(ctx: Context, rows: readonly UserRow[]): Promise<User[]> {
  const businesses = rows.filter(({ user_type }) => user_type === 'BUSINESS')
  const members = await listMemberRows(
    ctx,
    businesses.map(({ id }) => id),
  )
  const membersOf = Map.groupBy(members, ({ parent_user_id }) => parent_user_id)
  return rows.map((row) => toUser(row, membersOf.get(row.id) ?? []))
}

function toUser(row: UserRow, members: Parameters<typeof listsOf>[0]): User {
  // Columns and schema are both made from the tables of fields, name by name.
  return answerOf(row, listsOf(members)) as User
}

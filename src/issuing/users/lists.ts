/** The lists of a business and the parents of users, written under the right locks (D-18, D-19). */

import type { Tx } from '#kit/context.ts'
import { gather } from '#kit/gather.ts'
import { invalid } from '#kit/http/answers/problems.ts'
import { unwrap } from '#lib/result.ts'
import { type ListName, listNames, listOf, type UserType } from './rules/fields.ts'
import { checkAncestors, checkList, checkParent, checkPlace } from './rules/parents.ts'
import {
  listAncestry,
  listMemberRows,
  lockUsers,
  type Place,
  type UserRow,
  updateMembersPlaced,
  updateMembersRemoved,
} from './store.ts'

export type ListsSent = { [Name in ListName]?: string[] | undefined }

/** The lists that were sent, with their ids as the database writes them. */
export function listsSent(sent: ListsSent): ListsSent {
  const lists: ListsSent = {}
  for (const name of listNames) lists[name] = sent[name]?.map((id) => id.toLowerCase())
  return lists
}

export const idsIn = (lists: ListsSent): string[] => listNames.flatMap((name) => lists[name] ?? [])

export type Family = { users: Map<string, UserRow>; ancestors: string[] }

/**
 * Locks users, and with `above` that user and all its ancestors, so that two concurrent changes
 * cannot form a cycle. Ancestors may change until they are locked, so they are read again until no
 * new one is found. The first lock follows the order of ids; PostgreSQL breaks a deadlock of the
 * later ones, and the transaction is retried.
 */
export async function lockFamily(
  tx: Tx,
  ids: readonly string[],
  above: string | null,
): Promise<Family> {
  const locked = new Set(above === null ? ids : [...ids, above])
  for (;;) {
    const users = await lockUsers(tx, [...locked])
    const ancestors = above === null ? [] : await listAncestry(tx, above)
    const unlocked = ancestors.filter((id) => !locked.has(id))
    if (unlocked.length === 0) return { users, ancestors }
    for (const id of unlocked) locked.add(id)
  }
}

/**
 * Returns the place of a new child under a locked parent. Fails with 400 when the parent does not
 * exist or the list of a business is full.
 */
export async function placeUnder(
  tx: Tx,
  child: { id: string; user_type: UserType },
  parent_user_id: string,
  { users, ancestors }: Family,
): Promise<Place> {
  const parent = users.get(parent_user_id)
  if (!parent) throw invalid('parent_user_id', 'does not exist')
  unwrap(checkAncestors([child.id], ancestors))
  unwrap(checkParent(parent))
  const list = parent.user_type === 'BUSINESS' ? listOf(child.user_type) : undefined
  if (list === undefined) return { parent_user_id, list_place: null }
  const places = (await listMemberRows(tx, [parent_user_id]))
    .filter(({ user_type }) => listOf(user_type) === list)
    .map(({ list_place }) => list_place)
  return { parent_user_id, list_place: unwrap(checkPlace(list, places)) }
}

/** Checks the lists sent for a business before anything is written; reports every fault. */
export async function checkLists(
  business: { id: string; user_type: UserType },
  lists: ListsSent,
  { users, ancestors }: Family,
): Promise<void> {
  // For other types checkContents rejects a list that is not empty.
  if (business.user_type !== 'BUSINESS') return
  const steps = listNames.map((name) => async () => {
    const ids = lists[name]
    if (ids) unwrap(checkList(name, business.id, ids, users))
  })
  const gathered = await gather(...steps)
  gathered.complete()
  unwrap(checkAncestors(idsIn(lists), ancestors))
}

/**
 * Replaces the lists that were sent. A user that leaves a list loses its parent. The business must
 * be eligible as a parent when a user joins.
 */
export async function replaceLists(tx: Tx, business: UserRow, lists: ListsSent): Promise<void> {
  const names = listNames.filter((name) => lists[name] !== undefined)
  if (business.user_type !== 'BUSINESS' || names.length === 0) return
  const members = await listMemberRows(tx, [business.id])
  const known = new Set(members.map(({ id }) => id))
  if (idsIn(lists).some((id) => !known.has(id))) unwrap(checkParent(business))
  const replaced = members.filter(({ user_type }) => {
    const list = listOf(user_type)
    return list !== undefined && names.includes(list)
  })
  await updateMembersRemoved(
    tx,
    business.id,
    replaced.map(({ id }) => id),
  )
  for (const name of names) await updateMembersPlaced(tx, business.id, lists[name] ?? [])
}

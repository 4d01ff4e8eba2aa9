/**
 * Search by name, mobile and e-mail; every criterion that is sent must match, newest first.
 *
 * `email` and `mobile` match whole. `name` matches the beginning of any word of a user's names
 * (rules/names.ts). Matches are sorted by age, which is fast while they are few. A frequent name
 * occurs often among the newest users, so those are scanned first; only a name that many users but
 * few of the newest have, as after an import, is then sorted in full.
 */

import type { Context, Tx } from '#kit/context.ts'
import { listPage, type PageRange } from '#kit/http/lists.ts'
import type { Page } from '#lib/paging.ts'
import { withoutSurround } from '#lib/surround.ts'
import { presentPage } from './find.ts'
import { foldMobile, foldName, termsOf } from './rules/names.ts'
import type { User, UserSearch } from './schema.ts'
import {
  isFrequent,
  listAmongAll,
  listAmongNewest,
  listByContact,
  replaceTerms,
} from './search_store.ts'
import { listUserRows, type UserRow } from './store.ts'

export async function searchUsers(ctx: Context, sought: UserSearch): Promise<Page<User>> {
  return presentPage(
    ctx,
    await listPage('found_users', sought, (range) => matches(ctx, sought, range)),
  )
}

async function matches(
  ctx: Context,
  { name, mobile, email }: UserSearch,
  range: PageRange,
): Promise<UserRow[]> {
  const prefix = name === undefined ? undefined : foldName(name)
  if (prefix === '') return []
  if (email !== undefined || mobile !== undefined) {
    const contact = {
      email: email && withoutSurround(email).toLowerCase(),
      mobile: mobile === undefined ? undefined : foldMobile(mobile),
    }
    return listByContact(ctx, contact, prefix, range)
  }
  if (prefix === undefined) return listUserRows(ctx, range)
  const found = (await isFrequent(ctx, prefix))
    ? await listAmongNewest(ctx, prefix, range)
    : undefined
  return found ?? listAmongAll(ctx, prefix, range)
}

/** Updates the search terms to the present names of the user. */
export function saveNames(tx: Tx, user: UserRow): Promise<void> {
  return replaceTerms(tx, user, termsOf(user))
}

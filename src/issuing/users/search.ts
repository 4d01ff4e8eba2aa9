/**
 * Search by name, mobile and e-mail; all that are given must match, newest first.
 *
 * `email` and `mobile` are found whole. `name` is found where one of a user's words begins
 * (rules/names.ts): all who have it are sorted by age, which is quick for as long as they are not
 * too many. A frequent name stands in every so many of the newest users, so those are walked first;
 * only a name that many have and few of the newest, as after an import, is then sorted after all.
 */

import type { Context, Tx } from '#kit/context.ts'
import { type PageWanted, pageWanted } from '#kit/lists.ts'
import type { Page } from '#lib/paging.ts'
import { answerPage } from './find.ts'
import { foldMobile, foldName, termsOf } from './rules/names.ts'
import type { User, UserSearch } from './schema.ts'
import {
  isFrequent,
  replaceTerms,
  selectAmongAll,
  selectAmongNewest,
  selectByContact,
} from './search_store.ts'
import { selectPage, type UserRow } from './store.ts'

export async function searchUsers(ctx: Context, sought: UserSearch): Promise<Page<User>> {
  const wanted = pageWanted(sought)
  return answerPage(ctx, await matches(ctx, sought, wanted), wanted)
}

async function matches(
  ctx: Context,
  { name, mobile, email }: UserSearch,
  wanted: PageWanted,
): Promise<UserRow[]> {
  const prefix = name === undefined ? undefined : foldName(name)
  if (prefix === '') return []
  if (email !== undefined || mobile !== undefined) {
    const contact = {
      email: email?.trim().toLowerCase(),
      mobile: mobile === undefined ? undefined : foldMobile(mobile),
    }
    return selectByContact(ctx, contact, prefix, wanted)
  }
  if (prefix === undefined) return selectPage(ctx, wanted)
  const found = (await isFrequent(ctx, prefix))
    ? await selectAmongNewest(ctx, prefix, wanted)
    : undefined
  return found ?? selectAmongAll(ctx, prefix, wanted)
}

/** Keeps the user findable under the names it has now. */
export function saveNames(tx: Tx, user: UserRow): Promise<void> {
  return replaceTerms(tx, user, termsOf(user))
}

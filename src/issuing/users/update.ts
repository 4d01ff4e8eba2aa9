/** A user is updated: only sent members change, null clears (D-3, D-19, D-21). */

import { readSettings } from '#issuing/tenants/tenants.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { gather } from '#kit/gather.ts'
import { invalid } from '#kit/http/answers/problems.ts'
import { ApiError, unwrap } from '#lib/result.ts'
import { formatDate } from '#lib/time.ts'
import { presentUser } from './find.ts'
import {
  checkLists,
  type Family,
  idsIn,
  listsSent,
  lockFamily,
  placeUnder,
  replaceLists,
} from './lists.ts'
import { changedLockedFields, checkContents } from './rules/contents.ts'
import type { Contents } from './rules/fields.ts'
import type { User, UserChanges } from './schema.ts'
import { saveNames } from './search.ts'
import { type Place, type UserRow, updateUserRow } from './store.ts'

/**
 * A 400 has every fault of the fields.
 */
export function updateUser(ctx: Context | Tx, id: string, sent: UserChanges): Promise<User> {
  return transact(ctx, async (tx) => {
    const settings = await readSettings(tx)
    const lists = listsSent(sent)
    const { before, family } = await lockForUpdate(tx, id.toLowerCase(), sent, idsIn(lists))
    if (sent.user_type !== undefined && sent.user_type !== before.user_type) {
      throw invalid('user_type', 'cannot be changed')
    }

    const gathered = await gather(
      async () => changedContents(tx, before, sent, settings),
      () => checkLists(before, lists, family),
      () => newPlace(tx, before, sent.parent_user_id, family),
    )
    const [contents, , place] = gathered.complete()

    const row = await updateUserRow(tx, before.id, { contents, ...(place && { place }) })
    await replaceLists(tx, row, lists)
    await saveNames(tx, row)
    return presentUser(tx, row)
  })
}

/** Locks the user, its new relations, and their future ancestors if relations change. */
async function lockForUpdate(
  tx: Tx,
  id: string,
  { parent_user_id }: UserChanges,
  listed: readonly string[],
): Promise<{ before: UserRow; family: Family }> {
  const staysAbove = listed.length > 0 ? id : null
  const above = parent_user_id === undefined ? staysAbove : parent_user_id
  const family = await lockFamily(tx, [id, ...listed], above?.toLowerCase() ?? null)
  const before = family.users.get(id)
  if (!before) throw new ApiError('not_found')
  return { before, family }
}

function changedContents(
  { now }: Tx,
  before: UserRow,
  sent: UserChanges,
  settings: { require_document_verification: boolean; require_kyc: boolean },
): Contents {
  const contents = unwrap(
    checkContents(before.user_type, {
      present: before,
      sent,
      today: formatDate(now),
      verified: settings.require_document_verification,
    }),
  )
  const locked = changedLockedFields(before, contents)
  if (settings.require_kyc && before.status === 'ACTIVE' && locked.length > 0) {
    throw new ApiError('field_locked', {
      detail: `These fields of an ACTIVE user under KYC cannot be updated: ${locked.join(', ')}.`,
      extra: { fields: locked },
    })
  }
  return contents
}

/** Undefined when the parent stays: its place in the list stays too. */
async function newPlace(
  tx: Tx,
  before: UserRow,
  sent: string | null | undefined,
  family: Family,
): Promise<Place | undefined> {
  const parent_user_id = sent?.toLowerCase() ?? null
  if (sent === undefined || parent_user_id === before.parent_user_id) return undefined
  if (parent_user_id === null) return { parent_user_id, list_place: null }
  return placeUnder(tx, before, parent_user_id, family)
}

/** A user is created (spec "User status", D-4, D-15 to D-19). */

import { emit } from '#events/outbox.ts'
import { readSettings } from '#issuing/tenants/tenants.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { gather } from '#kit/gather.ts'
import { newId } from '#lib/id.ts'
import { ApiError, unwrap } from '#lib/result.ts'
import { formatDate } from '#lib/time.ts'
import { userCreated } from './events.ts'
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
import { checkContents } from './rules/contents.ts'
import { listOf, type UserType } from './rules/fields.ts'
import { firstState } from './rules/status.ts'
import type { NewUser, User } from './schema.ts'
import { saveNames } from './search.ts'
import { insertUser, lockUsers, type Place } from './store.ts'

const ALONE: Place = { parent_user_id: null, list_place: null }

/**
 * Creates a user in the first status that the tenant's settings give its type, emits its event, and
 * adds a sub-user to the list of its business. A 400 has every fault of the fields, a parent or
 * sub-user that does not exist, a full list. Fails with `not_configured` if identity verification
 * is required and no provider is configured.
 */
export function createUser(ctx: Context | Tx, sent: NewUser): Promise<User> {
  return transact(ctx, async (tx) => {
    const settings = await readSettings(tx)
    const user_type = sent.user_type ?? 'INDIVIDUAL'
    const id = (sent.id ?? newId()).toLowerCase()
    const readContents = () =>
      unwrap(
        checkContents(user_type, {
          present: {},
          sent,
          today: formatDate(tx.now),
          verified: settings.require_document_verification,
        }),
      )
    const parent_user_id = sent.parent_user_id?.toLowerCase() ?? null
    const lists = listsSent(sent)

    const family = await lockRelations(tx, user_type, parent_user_id, idsIn(lists))
    const gathered = await gather(
      async () => readContents(),
      () => checkLists({ id, user_type }, lists, family),
      async () =>
        parent_user_id === null ? ALONE : placeUnder(tx, { id, user_type }, parent_user_id, family),
    )
    const [contents, , place] = gathered.complete()

    const state = firstState(user_type, settings)
    const row = await insertUser(tx, { id, user_type, ...state, ...place }, contents)
    if (!row) throw new ApiError('id_taken')
    await replaceLists(tx, row, lists)
    await saveNames(tx, row)
    const user = await presentUser(tx, row)
    await emit(tx, userCreated(user))
    return user
  })
}

/**
 * Only the users in its lists are below a new user, so only they can form a cycle; and only a
 * sub-user gets a place in a list of its parent. Other children lock the parent's status alone and
 * do not wait for each other.
 */
async function lockRelations(
  tx: Tx,
  type: UserType,
  parent: string | null,
  listed: readonly string[],
): Promise<Family> {
  if (listed.length > 0) return lockFamily(tx, listed, parent)
  const purpose = listOf(type) === undefined ? 'keep' : 'change'
  return { users: await lockUsers(tx, parent === null ? [] : [parent], purpose), ancestors: [] }
}

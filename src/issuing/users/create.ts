/** A user is created (spec "User status", D-4, D-15 to D-19). */

import { readSettings } from '#issuing/tenants/tenants.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { emit } from '#kit/outbox.ts'
import { newId } from '#lib/id.ts'
import { obey, Refusal } from '#lib/ruling.ts'
import { formatDate } from '#lib/time.ts'
import { userCreated } from './events.ts'
import { answerUser } from './find.ts'
import { checkLists, idsIn, listsSent, lockFamily, placeUnder, replaceLists } from './lists.ts'
import { type Contents, merge, missingFields, ruleOnContents } from './rules/contents.ts'
import type { UserType } from './rules/fields.ts'
import { firstState } from './rules/status.ts'
import { faultsUnderVerification } from './rules/verifiable.ts'
import type { NewUser, User } from './schema.ts'
import { saveNames } from './search.ts'
import { insertUser, type Place } from './store.ts'

const ALONE: Place = { parent_user_id: null, list_place: null }

/**
 * Creates a user in the first status that the tenant's settings give its type, reports it, and
 * lets a sub-user join the list of its business. Refused: 400 with every fault of the fields, a
 * parent or sub-user that does not exist, a full list; id_taken, parent_not_eligible,
 * parent_cycle, user_already_linked.
 */
export function createUser(ctx: Context | Tx, sent: NewUser): Promise<User> {
  return transact(ctx, async (tx) => {
    const settings = await readSettings(tx)
    const user_type = sent.user_type ?? 'INDIVIDUAL'
    const id = (sent.id ?? newId()).toLowerCase()
    const contents = contentsOf(tx, user_type, sent, settings.require_document_verification)
    const parent_user_id = sent.parent_user_id?.toLowerCase() ?? null
    const lists = listsSent(sent)

    const family = await lockFamily(tx, idsIn(lists), parent_user_id)
    checkLists({ id, user_type }, lists, family)
    const place =
      parent_user_id === null
        ? ALONE
        : await placeUnder(tx, { id, user_type }, parent_user_id, family)

    const state = firstState(user_type, settings)
    const row = await insertUser(tx, { id, user_type, ...state, ...place }, contents)
    if (!row) throw new Refusal('id_taken')
    await replaceLists(tx, row, lists)
    await saveNames(tx, row)
    const user = await answerUser(tx, row)
    await emit(tx, userCreated(user))
    return user
  })
}

function contentsOf({ now }: Tx, type: UserType, sent: NewUser, verified: boolean): Contents {
  const contents = merge({}, obey(ruleOnContents(type, sent, formatDate(now))))
  const errors = [
    ...missingFields(type, contents),
    ...(verified ? faultsUnderVerification(type, {}, contents) : []),
  ]
  if (errors.length > 0) throw new Refusal('validation_failed', { errors })
  return contents
}

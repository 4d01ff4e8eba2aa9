/** Changes of a user's status: by the table of moves, with history and event (D-20). */

import { type Context, type Tx, transact } from '#kit/context.ts'
import { emit } from '#kit/outbox.ts'
import type { ListQuery } from '#kit/schema.ts'
import { newId } from '#lib/id.ts'
import { type Page, pageOf } from '#lib/pages.ts'
import { obey, Refusal } from '#lib/ruling.ts'
import { userStatusChange } from './events.ts'
import { answerUser, keyOf, pageWanted } from './find.ts'
import { ruleOnMove, type UserState } from './rules/status.ts'
import type { StatusChange, StatusWanted, User } from './schema.ts'
import {
  insertStatusChange,
  lockUsers,
  saveUser,
  selectStatusChanges,
  selectUser,
  type UserRow,
} from './store.ts'

/**
 * A client's change of status. Refused: not_found, user_status_move_refused, and not_configured
 * for a move that only identity verification performs.
 */
export function changeUserStatus(
  ctx: Context | Tx,
  id: string,
  { status, status_reason_code, note }: StatusWanted,
): Promise<User> {
  return transact(ctx, async (tx) => {
    const before = (await lockUsers(tx, [id])).get(id.toLowerCase())
    if (!before) throw new Refusal('not_found')
    const move = obey(ruleOnMove(before, { status, status_reason_code }))
    if (move.performed_by !== 'users') throw new Refusal('not_configured')
    return moveUser(tx, before, { status, status_reason_code }, note)
  })
}

/** Writes the new state, its history and its event. The caller has locked and ruled. */
export async function moveUser(
  tx: Tx,
  before: UserRow,
  state: UserState,
  note?: string,
): Promise<User> {
  const user = await answerUser(tx, await saveUser(tx, before.id, { state }))
  await insertStatusChange(tx, {
    id: newId(),
    user_id: before.id,
    old_status: before.status,
    old_status_reason_code: before.status_reason_code,
    new_status: state.status,
    new_status_reason_code: state.status_reason_code,
    note: note ?? null,
  })
  await emit(tx, userStatusChange(before, user, note))
  return user
}

/** The history of a user's status, newest first. Refused: not_found. */
export async function listStatusChanges(
  ctx: Context,
  id: string,
  query: ListQuery,
): Promise<Page<StatusChange>> {
  const wanted = pageWanted(query)
  if (!(await selectUser(ctx, id))) throw new Refusal('not_found')
  const rows = await selectStatusChanges(ctx, id, wanted)
  const { data, ...rest } = pageOf(rows, wanted.limit - 1, keyOf)
  return {
    ...rest,
    data: data.map(({ actor_kind, actor_id, note, ...change }) => ({
      ...change,
      ...(note !== null && { note }),
      changed_by: { kind: actor_kind, id: actor_id },
    })),
  }
}

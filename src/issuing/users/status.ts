/** Changes of a user's status: by the table of transitions, with history and event (D-20). */

import { emit } from '#events/outbox.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { listPage } from '#kit/http/lists.ts'
import type { ListQuery } from '#kit/http/schema.ts'
import { newId } from '#lib/id.ts'
import type { Page } from '#lib/paging.ts'
import { ApiError, unwrap } from '#lib/result.ts'
import { userStatusChange } from './events.ts'
import { lockUser, presentUser } from './find.ts'
import type { Transition } from './rules/states.ts'
import { checkMove, checkTrigger, type PlatformTrigger } from './rules/status.ts'
import type { StatusChange, StatusUpdate, User } from './schema.ts'
import {
  findUserRow,
  insertStatusChange,
  listStatusChangeRows,
  type UserRow,
  updateUserRow,
} from './store.ts'

/**
 * A client's change of status. The slices that react to it add errors of theirs:
 * identity_documents_missing, not_configured.
 */
export function changeUserStatus(
  ctx: Context | Tx,
  id: string,
  { status, status_reason_code, note }: StatusUpdate,
): Promise<User> {
  return transact(ctx, async (tx) => {
    const before = await lockUser(tx, id, 'change')
    const move = unwrap(checkMove(before, { status, status_reason_code }, tx.profile))
    return (await moveUser(tx, before, move, note === undefined ? {} : { note })).user
  })
}

type MoveDetails = { note?: string; kyc_policy_passed?: string }
export type Moved = { row: UserRow; user: User }

/**
 * Moves a user by a trigger of the platform, as the table of transitions defines. The caller has
 * locked the user.
 */
export function stepUser(
  tx: Tx,
  before: UserRow,
  trigger: PlatformTrigger,
  more: MoveDetails = {},
): Promise<Moved> {
  return moveUser(tx, before, unwrap(checkTrigger(before, trigger)), more)
}

/** Whether the trigger would move a user in this state. */
export const mayStep = (present: UserRow, trigger: PlatformTrigger): boolean =>
  checkTrigger(present, trigger).ok

/** Stores the KYC policy that a user has passed, whose state stays. The caller has locked it. */
export async function savePassedKyc(
  tx: Tx,
  { id }: UserRow,
  kyc_policy_passed: string,
): Promise<void> {
  await updateUserRow(tx, id, { kyc_policy_passed })
}

/**
 * Writes the new state, its history and its event. The caller has locked the user and checked the
 * move.
 */
async function moveUser(
  tx: Tx,
  before: UserRow,
  { to, reason }: Transition,
  { note, kyc_policy_passed }: MoveDetails,
): Promise<Moved> {
  const state = { status: to, status_reason_code: reason }
  const row = await updateUserRow(tx, before.id, {
    state,
    ...(kyc_policy_passed !== undefined && { kyc_policy_passed }),
  })
  const user = await presentUser(tx, row)
  await insertStatusChange(tx, {
    id: newId(),
    user_id: before.id,
    old_status: before.status,
    old_status_reason_code: before.status_reason_code,
    new_status: to,
    new_status_reason_code: reason,
    note: note ?? null,
  })
  await emit(tx, userStatusChange(before, user, note))
  return { row, user }
}

/** The history of a user's status, newest first. */
export async function listStatusChanges(
  ctx: Context,
  id: string,
  query: ListQuery,
): Promise<Page<StatusChange>> {
  const page = await listPage('status_changes', query, async (range) => {
    if (!(await findUserRow(ctx, id))) throw new ApiError('not_found')
    return listStatusChangeRows(ctx, id, range)
  })
  return {
    ...page,
    data: page.data.map(({ actor_kind, actor_id, note, ...change }) => ({
      ...change,
      ...(note !== null && { note }),
      changed_by: { kind: actor_kind, id: actor_id },
    })),
  }
}

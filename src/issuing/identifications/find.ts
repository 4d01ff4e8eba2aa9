/** Finds an identification and its user, to read or to change. */

import { lockUser, type UserRow } from '#issuing/users/users.ts'
import type { Context, Tx } from '#kit/context.ts'
import { ApiError } from '#lib/result.ts'
import { findIdentificationRow, type IdentificationRow, lockIdentification } from './store.ts'

export async function findIdentification(
  ctx: Context | Tx,
  user_id: string,
  id: string,
): Promise<IdentificationRow> {
  const row = await findIdentificationRow(ctx, user_id, id)
  if (!row) throw new ApiError('not_found')
  return row
}

/** Documents are accepted in every status but TERMINATED: S5 and A6 even request them. */
export async function lockLivingUser(
  tx: Tx,
  user_id: string,
  purpose: 'change' | 'keep',
): Promise<UserRow> {
  const user = await lockUser(tx, user_id, purpose)
  if (user.status !== 'TERMINATED') return user
  throw new ApiError('user_terminated', {
    detail: 'The user is TERMINATED; its documents cannot change.',
    extra: { status_of_user: user.status, status_reason_code: user.status_reason_code },
  })
}

export async function lockExisting(
  tx: Tx,
  user_id: string,
  id: string,
): Promise<IdentificationRow> {
  const row = await lockIdentification(tx, user_id, id)
  if (!row) throw new ApiError('not_found')
  return row
}

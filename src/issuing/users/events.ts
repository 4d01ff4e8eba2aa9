/** Events of users (D-60, D-61). */

import type { Event } from '#kit/event.ts'
import type { UserState } from './rules/status.ts'
import type { User } from './schema.ts'

export function userCreated(user: User): Event {
  const { id, user_type, status, status_reason_code, created } = user
  return {
    event: 'USER_CREATED',
    object_id: id,
    payload: { user_id: id, user_type, status, status_reason_code, created, user },
  }
}

/** `after` is the user after the change; the note is that of the change. */
export function userStatusChange(before: UserState, after: User, note: string | undefined): Event {
  return {
    event: 'USER_STATUS_CHANGE',
    object_id: after.id,
    payload: {
      user_id: after.id,
      old_status: before.status,
      old_status_reason_code: before.status_reason_code,
      new_status: after.status,
      new_status_reason_code: after.status_reason_code,
      user_type: after.user_type,
      ...(note !== undefined && { note }),
      created: after.modified,
      User_status_change: after,
    },
  }
}

/** Events of users (D-60, D-61). */

import { Type } from 'typebox'
import { defineEvent } from '#kit/event.ts'
import { Field, Instant, Uuid } from '#kit/http/schema.ts'
import type { UserState } from './rules/status.ts'
import { User, UserStatus } from './schema.ts'

const user_id = Field('Id of the user.', Uuid)
const user_type = Type.String({ description: 'Type of the user.' })

const creation = defineEvent({
  event: 'USER_CREATED',
  emitted: 'A user is created, of any type.',
  object: 'user',
  payload: {
    user_id,
    user_type,
    status: Field('Status of the user.', UserStatus),
    status_reason_code: Type.String({ description: 'Reason code of the status.' }),
    created: Field('When the user was created.', Instant),
    user: User,
  },
})

export function userCreated(user: User) {
  const { id, user_type, status, status_reason_code, created } = user
  return creation.about(id, { user_id: id, user_type, status, status_reason_code, created, user })
}

const change = defineEvent({
  event: 'USER_STATUS_CHANGE',
  emitted: "A user's status or its reason code changes; also for reason A6.",
  object: 'user',
  payload: {
    user_id,
    old_status: Field('Status before the change.', UserStatus),
    old_status_reason_code: Type.String({ description: 'Reason code before the change.' }),
    new_status: Field('Status after the change.', UserStatus),
    new_status_reason_code: Type.String({ description: 'Reason code after the change.' }),
    user_type,
    note: Type.Optional(Type.String({ description: 'Note of the change.' })),
    created: Field('When the status changed.', Instant),
    User_status_change: User,
  },
})

/** `after` is the user after the change; the note is that of the change. */
export function userStatusChange(before: UserState, after: User, note: string | undefined) {
  return change.about(after.id, {
    user_id: after.id,
    old_status: before.status,
    old_status_reason_code: before.status_reason_code,
    new_status: after.status,
    new_status_reason_code: after.status_reason_code,
    user_type: after.user_type,
    ...(note !== undefined && { note }),
    created: after.modified,
    User_status_change: after,
  })
}

export const userEvents = [creation, change] as const

declare module '#kit/event.ts' {
  interface EmittedKinds {
    users: typeof userEvents
  }
}

/** The event of an account whose status changes (D-60), in the manner of CARD_STATUS_CHANGE. */

import { Type } from 'typebox'
import { defineEvent } from '#kit/event.ts'
import { Field, Uuid } from '#kit/http/schema.ts'
import { AccountStatus } from './schema.ts'

const change = defineEvent({
  event: 'ACCOUNT_STATUS_CHANGE',
  emitted: "An account's status changes.",
  object: 'account',
  payload: {
    account_status_change: Type.Object(
      {
        account_id: Field('Id of the account.', Uuid),
        user_id: Type.Optional(Field('Id of the user that owns the account, if any.', Uuid)),
        old_status: Field('Status before the change.', AccountStatus),
        new_status: Field('Status after the change.', AccountStatus),
        notes: Type.Optional(Type.String({ description: 'Reason of the change.' })),
      },
      { description: 'Change of the status of the account.' },
    ),
  },
})

export function accountStatusChange(
  account: { id: string; user_id: string | null; status: AccountStatus },
  new_status: AccountStatus,
  notes: string | undefined,
) {
  const { id, user_id, status } = account
  return change.about(id, {
    account_status_change: {
      account_id: id,
      ...(user_id !== null && { user_id }),
      old_status: status,
      new_status,
      ...(notes !== undefined && { notes }),
    },
  })
}

export const accountEvents = [change] as const

declare module '#kit/event.ts' {
  interface EmittedKinds {
    accounts: typeof accountEvents
  }
}

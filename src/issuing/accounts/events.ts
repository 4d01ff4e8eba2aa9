import type { Event } from '#kit/event.ts'
import type { AccountStatus } from './schema.ts'

/** ACCOUNT_STATUS_CHANGE (D-60), in the manner of CARD_STATUS_CHANGE (D-61). */
export function accountStatusChange(
  account: { id: string; user_id: string | null; status: AccountStatus },
  new_status: AccountStatus,
  notes: string | undefined,
): Event {
  const { id, user_id, status } = account
  return {
    event: 'ACCOUNT_STATUS_CHANGE',
    object_id: id,
    payload: {
      account_status_change: {
        account_id: id,
        ...(user_id !== null && { user_id }),
        old_status: status,
        new_status,
        ...(notes !== undefined && { notes }),
      },
    },
  }
}

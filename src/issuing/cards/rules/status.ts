/** Which status changes a card accepts, by the table of moves.ts (D-31, D-32). */

import { fail, ok, type Result } from '#lib/result.ts'
import type { CardErrorCode } from '../errors.ts'
import type { CardStatus, CardType, StatusReason } from '../schema.ts'
import { type Move, type Mover, migrating, moves } from './moves.ts'

/** The present state of a card that a move depends on. */
export type CardState = {
  card_type: string
  status: string
  status_reason_code: string
  fulfillment_status: string | null
}

export type TargetStatus = { status: CardStatus; status_reason_code: StatusReason }
export type NewStatus = TargetStatus & { card_type?: CardType }

const rank: Record<Mover, number> = { client: 0, operator: 1, system: 2 }

/** The state after the move; fails with the present state in the detail. */
export function checkStatusChange(
  card: CardState,
  target: TargetStatus,
  mover: Mover,
): Result<NewStatus, CardErrorCode> {
  if (card.status === 'TERMINATED') return fail('card_terminated', { detail: present(card) })
  const move = moves.find(
    (each) =>
      each.call === undefined &&
      each.to === target.status &&
      each.reason === target.status_reason_code &&
      rank[mover] >= rank[each.by] &&
      fits(each, card),
  )
  return move ? ok(reached(move)) : fail('card_status_move_refused', { detail: present(card) })
}

/** Whether the card may begin the migration, and the state in which it does (D-32). */
export function checkMigration(card: CardState): Result<NewStatus, CardErrorCode> {
  const details = { detail: present(card) }
  if (card.status === 'TERMINATED') return fail('card_terminated', details)
  if (isMigrating(card)) return fail('card_migrating', details)
  const move = moves.find((each) => each.call === 'change_to_physical' && fits(each, card))
  return move ? ok(reached(move)) : fail('card_migration_refused', details)
}

/** Whether the card is in migration from virtual to physical. */
export const isMigrating = ({ status_reason_code }: { status_reason_code: string }): boolean =>
  migrating.some((reason) => reason === status_reason_code)

type Change = { status: string; status_reason_code: string }

/** The columns that a change of state clears, with their values after it. */
export function endedBy(before: Change, after: Change) {
  const isBlocked = ({ status_reason_code }: Change) => status_reason_code === 'P0'
  return {
    ...(isMigrating(before) &&
      !isMigrating(after) && {
        migration_started: null,
        migration_ends: null,
        frozen_settings: null,
      }),
    ...(isBlocked(before) &&
      !isBlocked(after) && { provisioning_failures: 0, provisioning_blocked_until: null }),
    ...(after.status === 'TERMINATED' && { emboss_due: null }),
  }
}

function fits({ from, from_reasons, card_type, fulfillment }: Move, card: CardState): boolean {
  return (
    from.some((status) => status === card.status) &&
    (from_reasons?.some((reason) => reason === card.status_reason_code) ?? true) &&
    (card_type === undefined || card_type === card.card_type) &&
    (fulfillment?.some((status) => status === card.fulfillment_status) ?? true)
  )
}

const reached = ({ to, reason, becomes }: Move): NewStatus => ({
  status: to,
  status_reason_code: reason,
  ...(becomes && { card_type: becomes }),
})

const present = ({ card_type, status, status_reason_code, fulfillment_status }: CardState) => {
  const fulfillment = fulfillment_status === null ? '' : `, fulfillment ${fulfillment_status}`
  return `The ${card_type.toLowerCase()} card is ${status} (${status_reason_code})${fulfillment}.`
}

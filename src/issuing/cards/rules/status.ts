/** Which status changes a card accepts (specification "Card status", D-31): one table of moves. */

import { allow, type Ruling, refuse } from '#lib/ruling.ts'
import type { CardRefusal } from '../refusals.ts'
import type { CardStatus, CardType, StatusReason } from '../schema.ts'

/** Who may make a move: a client, whom the operator outranks, whom the platform itself outranks. */
export type Mover = 'client' | 'operator' | 'system'

export type Move = {
  from: CardStatus
  /** The card has this reason now; any when left out. */
  from_reason?: StatusReason
  to: CardStatus
  reason: StatusReason
  by: Mover
  /** For cards of this type only; of any when left out. */
  card_type?: CardType
}

export type CardState = {
  card_type: CardType
  status: CardStatus
  status_reason_code: string
}

export type StatusWanted = { status: CardStatus; status_reason_code: StatusReason }

const living = ['INACTIVE', 'ACTIVE', 'SUSPENDED'] as const

/** Every move there is. Who suspended a card, or one who outranks him, resumes it. */
export const moves: readonly Move[] = [
  { from: 'INACTIVE', to: 'ACTIVE', reason: 'a0', by: 'client' },
  { from: 'INACTIVE', to: 'ACTIVE', reason: 'A0', by: 'client', card_type: 'VIRTUAL' },
  { from: 'ACTIVE', to: 'SUSPENDED', reason: 'S0', by: 'client' },
  { from: 'ACTIVE', to: 'SUSPENDED', reason: 'S1', by: 'operator' },
  { from: 'ACTIVE', to: 'SUSPENDED', reason: 'S2', by: 'system' },
  { from: 'SUSPENDED', from_reason: 'S0', to: 'ACTIVE', reason: 'A0', by: 'client' },
  { from: 'SUSPENDED', from_reason: 'S1', to: 'ACTIVE', reason: 'A0', by: 'operator' },
  { from: 'SUSPENDED', from_reason: 'S2', to: 'ACTIVE', reason: 'A0', by: 'operator' },
  ...living.flatMap((from): Move[] => [
    { from, to: 'TERMINATED', reason: 'T0', by: 'client' },
    { from, to: 'TERMINATED', reason: 'T1', by: 'client' },
    { from, to: 'TERMINATED', reason: 'T2', by: 'client' },
    { from, to: 'TERMINATED', reason: 'T3', by: 'client' },
    { from, to: 'TERMINATED', reason: 'T4', by: 'system' },
  ]),
]

const rank: Record<Mover, number> = { client: 0, operator: 1, system: 2 }

/** The state after the move; refuses naming the present state. */
export function ruleOnStatusChange(
  card: CardState,
  wanted: StatusWanted,
  mover: Mover,
): Ruling<StatusWanted, CardRefusal> {
  const { status, status_reason_code } = card
  if (status === 'TERMINATED') return refuse('card_terminated', { detail: present(card) })
  const fits = moves.some(
    (move) =>
      move.from === status &&
      move.to === wanted.status &&
      move.reason === wanted.status_reason_code &&
      (move.from_reason ?? status_reason_code) === status_reason_code &&
      (move.card_type ?? card.card_type) === card.card_type &&
      rank[mover] >= rank[move.by],
  )
  if (!fits) return refuse('card_status_move_refused', { detail: present(card) })
  return allow({ status: wanted.status, status_reason_code: wanted.status_reason_code })
}

const present = ({ card_type, status, status_reason_code }: CardState) =>
  `The ${card_type.toLowerCase()} card is ${status} (${status_reason_code}).`

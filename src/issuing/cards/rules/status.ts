/** Which status changes a card accepts (specification "Card status", D-31): one table of moves. */

import { allow, type Ruling, refuse } from '#lib/ruling.ts'
import type { CardRefusal } from '../refusals.ts'
import type { CardStatus, CardType, FulfillmentStatus, StatusReason } from '../schema.ts'

/** Who may make a move: a client, whom the operator outranks, whom the platform itself outranks. */
export type Mover = 'client' | 'operator' | 'system'

export type Move = {
  /** What happens, for people. */
  when: string
  from: CardStatus
  /** The card has one of these reasons now; any when left out. */
  from_reasons?: readonly StatusReason[]
  to: CardStatus
  reason: StatusReason
  by: Mover
  /** For cards of this type only; of any when left out. */
  card_type?: CardType
  /** Only when the making of the plastic has come this far. */
  fulfilment?: readonly FulfillmentStatus[]
  /** Made by `change_to_physical` alone, not by naming status and reason. */
  call?: 'change_to_physical'
  /** The type of the card after the move, where that changes too. */
  becomes?: CardType
  /** What else happens, for people. */
  effects?: string
}

/** What a move depends on, of a card as it stands. */
export type CardState = {
  card_type: string
  status: string
  status_reason_code: string
  fulfillment_status: string | null
}

export type StatusWanted = { status: CardStatus; status_reason_code: StatusReason }
export type StatusGranted = StatusWanted & { card_type?: CardType }

const living = ['INACTIVE', 'ACTIVE', 'SUSPENDED'] as const
const usual = ['a0', 'A0'] as const
const migrating = ['AT', 'ST'] as const

const uses: readonly Move[] = [
  {
    when: 'a card is activated',
    from: 'INACTIVE',
    to: 'ACTIVE',
    reason: 'a0',
    by: 'client',
    effects: 'the card can be used',
  },
  {
    when: 'a virtual card is activated without a0',
    from: 'INACTIVE',
    to: 'ACTIVE',
    reason: 'A0',
    by: 'client',
    card_type: 'VIRTUAL',
  },
  ...suspension('S0', 'client', 'client'),
  ...suspension('S1', 'operator', 'operator'),
  ...suspension('S2', 'system', 'operator'),
]

/** Who suspended a card, or one who outranks him, resumes it. */
function suspension(reason: StatusReason, by: Mover, lifted_by: Mover): Move[] {
  return [
    {
      when: `a card is suspended by the ${by}`,
      from: 'ACTIVE',
      from_reasons: usual,
      to: 'SUSPENDED',
      reason,
      by,
    },
    {
      when: `a suspension by the ${by} is lifted`,
      from: 'SUSPENDED',
      from_reasons: [reason],
      to: 'ACTIVE',
      reason: 'A0',
      by: lifted_by,
    },
  ]
}

/** After five wrong attempts to put the card into a wallet (D-39). */
const provisioning: readonly Move[] = [
  {
    when: 'the fifth attempt to provision the card was wrong',
    from: 'ACTIVE',
    from_reasons: usual,
    to: 'SUSPENDED',
    reason: 'P0',
    by: 'system',
  },
  {
    when: '24 hours after the block of a virtual card, or earlier by the operator',
    from: 'SUSPENDED',
    from_reasons: ['P0'],
    to: 'ACTIVE',
    reason: 'A0',
    by: 'operator',
    card_type: 'VIRTUAL',
  },
  {
    when: '24 hours after the block of a physical card, or earlier by the operator',
    from: 'SUSPENDED',
    from_reasons: ['P0'],
    to: 'ACTIVE',
    reason: 'a0',
    by: 'operator',
    card_type: 'PHYSICAL',
  },
]

/** From virtual to physical (D-32). */
const toPhysical: readonly Move[] = [
  {
    when: 'change_to_physical is sent for a virtual card',
    from: 'ACTIVE',
    from_reasons: usual,
    to: 'ACTIVE',
    reason: 'AT',
    by: 'client',
    card_type: 'VIRTUAL',
    call: 'change_to_physical',
    effects: 'fulfilment CREATED; the authorization settings are frozen',
  },
  {
    when: 'a card in transition is blocked for a while',
    from: 'ACTIVE',
    from_reasons: ['AT'],
    to: 'SUSPENDED',
    reason: 'ST',
    by: 'client',
  },
  {
    when: 'a card in transition is unblocked',
    from: 'SUSPENDED',
    from_reasons: ['ST'],
    to: 'ACTIVE',
    reason: 'AT',
    by: 'client',
  },
  ...(['ACTIVE', 'SUSPENDED'] as const).map(
    (from): Move => ({
      when: 'the transition is completed after the plastic was ordered',
      from,
      from_reasons: migrating,
      to: 'ACTIVE',
      reason: 'A0',
      by: 'client',
      fulfilment: ['ORDERED', 'SHIPPED', 'DELIVERED'],
      becomes: 'PHYSICAL',
      effects: 'card_type changes from VIRTUAL to PHYSICAL; the frozen settings end',
    }),
  ),
]

const ends: readonly [reason: StatusReason, by: Mover, when: string][] = [
  ['T0', 'client', 'a card is terminated'],
  ['T1', 'client', 'a card was lost'],
  ['T2', 'client', 'a card was stolen'],
  ['T3', 'client', 'a card is to be replaced'],
  ['T4', 'system', 'the last month of a card has passed'],
]
const terminations: readonly Move[] = ends.flatMap(([reason, by, when]) =>
  living.map((from): Move => {
    const effects = 'the card may be replaced; its fulfilment stops'
    return { when, from, to: 'TERMINATED', reason, by, effects }
  }),
)

/** Every move there is. */
export const moves: readonly Move[] = [...uses, ...provisioning, ...toPhysical, ...terminations]

const rank: Record<Mover, number> = { client: 0, operator: 1, system: 2 }

/** The state after the move; refuses naming the present state. */
export function ruleOnStatusChange(
  card: CardState,
  wanted: StatusWanted,
  mover: Mover,
): Ruling<StatusGranted, CardRefusal> {
  if (card.status === 'TERMINATED') return refuse('card_terminated', { detail: present(card) })
  const move = moves.find(
    (each) =>
      each.call === undefined &&
      each.to === wanted.status &&
      each.reason === wanted.status_reason_code &&
      rank[mover] >= rank[each.by] &&
      fits(each, card),
  )
  return move ? allow(reached(move)) : refuse('card_status_move_refused', { detail: present(card) })
}

/** Whether the card may begin its way to plastic, and the state in which it does (D-32). */
export function ruleOnMigration(card: CardState): Ruling<StatusGranted, CardRefusal> {
  const told = { detail: present(card) }
  if (card.status === 'TERMINATED') return refuse('card_terminated', told)
  if (isMigrating(card)) return refuse('card_migrating', told)
  const move = moves.find((each) => each.call === 'change_to_physical' && fits(each, card))
  return move ? allow(reached(move)) : refuse('card_migration_refused', told)
}

/** On its way from virtual to physical. */
export const isMigrating = ({ status_reason_code }: { status_reason_code: string }): boolean =>
  migrating.some((reason) => reason === status_reason_code)

type Change = { status: string; status_reason_code: string }

/** What a card leaves behind with a change of its state: columns and the values they end with. */
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

function fits({ from, from_reasons, card_type, fulfilment }: Move, card: CardState): boolean {
  return (
    from === card.status &&
    (from_reasons?.some((reason) => reason === card.status_reason_code) ?? true) &&
    (card_type === undefined || card_type === card.card_type) &&
    (fulfilment?.some((status) => status === card.fulfillment_status) ?? true)
  )
}

const reached = ({ to, reason, becomes }: Move): StatusGranted => ({
  status: to,
  status_reason_code: reason,
  ...(becomes && { card_type: becomes }),
})

const present = ({ card_type, status, status_reason_code, fulfillment_status }: CardState) => {
  const plastic = fulfillment_status === null ? '' : `, fulfilment ${fulfillment_status}`
  return `The ${card_type.toLowerCase()} card is ${status} (${status_reason_code})${plastic}.`
}

/** The table of all status changes of cards (D-31). */

import type { CardStatus, CardType, FulfillmentStatus, StatusReason } from '../schema.ts'

/** The meanings of the reason codes. */
export const cardReasons: Readonly<Record<StatusReason, string>> = {
  I0: 'New',
  a0: 'Activated',
  A0: 'Active',
  S0: 'Suspended by the client',
  S1: 'Suspended by the operator',
  S2: 'Suspended by risk',
  P0: 'Blocked for 24 hours after wrong attempts to provision it',
  AT: 'In transition from virtual to physical',
  ST: 'In transition, temporarily blocked',
  T0: 'Terminated',
  T1: 'Lost',
  T2: 'Stolen',
  T3: 'To be replaced',
  T4: 'Expired',
}

/** The party that may make a move; the operator outranks the client, the platform outranks both. */
export type Mover = 'client' | 'operator' | 'system'

export type Move = {
  /** The description of the move, for the documentation. */
  when: string
  from: readonly CardStatus[]
  /** The present reasons that allow the move; any when left out. */
  from_reasons?: readonly StatusReason[]
  to: CardStatus
  reason: StatusReason
  by: Mover
  /** The type of the cards that it applies to; any when left out. */
  card_type?: CardType
  /** The fulfillment statuses that allow the move; any when left out. */
  fulfillment?: readonly FulfillmentStatus[]
  /** Made by `change_to_physical` alone, not by naming status and reason. */
  call?: 'change_to_physical'
  /** The type of the card after the move, if that changes too. */
  becomes?: CardType
  /** Further effects, for the documentation. */
  effects?: string
}

const notTerminated = ['INACTIVE', 'ACTIVE', 'SUSPENDED'] as const
const usual = ['a0', 'A0'] as const
/** The reasons of cards in migration from virtual to physical. */
export const migrating = ['AT', 'ST'] as const

const uses: readonly Move[] = [
  {
    when: 'a card is activated',
    from: ['INACTIVE'],
    to: 'ACTIVE',
    reason: 'a0',
    by: 'client',
    effects: 'the card can be used',
  },
  {
    when: 'a virtual card is activated without a0',
    from: ['INACTIVE'],
    to: 'ACTIVE',
    reason: 'A0',
    by: 'client',
    card_type: 'VIRTUAL',
  },
  ...suspension('S0', 'client', 'client'),
  ...suspension('S1', 'operator', 'operator'),
  ...suspension('S2', 'system', 'operator'),
]

/** A suspension is lifted by its own kind of caller or by one that outranks it. */
function suspension(reason: StatusReason, by: Mover, lifted_by: Mover): Move[] {
  return [
    {
      when: `a card is suspended by the ${by}`,
      from: ['ACTIVE'],
      from_reasons: usual,
      to: 'SUSPENDED',
      reason,
      by,
    },
    {
      when: `a suspension by the ${by} is lifted`,
      from: ['SUSPENDED'],
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
    from: ['ACTIVE'],
    from_reasons: usual,
    to: 'SUSPENDED',
    reason: 'P0',
    by: 'system',
  },
  {
    when: '24 hours after the block of a virtual card, or earlier by the operator',
    from: ['SUSPENDED'],
    from_reasons: ['P0'],
    to: 'ACTIVE',
    reason: 'A0',
    by: 'operator',
    card_type: 'VIRTUAL',
  },
  {
    when: '24 hours after the block of a physical card, or earlier by the operator',
    from: ['SUSPENDED'],
    from_reasons: ['P0'],
    to: 'ACTIVE',
    reason: 'a0',
    by: 'operator',
    card_type: 'PHYSICAL',
  },
]

/** The moves from virtual to physical (D-32). */
const toPhysical: readonly Move[] = [
  {
    when: 'change_to_physical is sent for a virtual card',
    from: ['ACTIVE'],
    from_reasons: usual,
    to: 'ACTIVE',
    reason: 'AT',
    by: 'client',
    card_type: 'VIRTUAL',
    call: 'change_to_physical',
    effects: 'fulfillment CREATED; the authorization settings are frozen',
  },
  {
    when: 'a card in transition is suspended',
    from: ['ACTIVE'],
    from_reasons: ['AT'],
    to: 'SUSPENDED',
    reason: 'ST',
    by: 'client',
  },
  {
    when: 'a card in transition is resumed',
    from: ['SUSPENDED'],
    from_reasons: ['ST'],
    to: 'ACTIVE',
    reason: 'AT',
    by: 'client',
  },
  {
    when: 'the transition is completed after the physical card was ordered',
    from: ['ACTIVE', 'SUSPENDED'],
    from_reasons: migrating,
    to: 'ACTIVE',
    reason: 'A0',
    by: 'client',
    fulfillment: ['ORDERED', 'SHIPPED', 'DELIVERED'],
    becomes: 'PHYSICAL',
    effects: 'card_type changes from VIRTUAL to PHYSICAL; the frozen settings end',
  },
]

const ends: readonly [reason: StatusReason, by: Mover, when: string][] = [
  ['T0', 'client', 'a card is terminated'],
  ['T1', 'client', 'a card was lost'],
  ['T2', 'client', 'a card was stolen'],
  ['T3', 'client', 'a card is to be replaced'],
  ['T4', 'system', 'the last month of a card has passed'],
]
const terminations: readonly Move[] = ends.map(([reason, by, when]) => ({
  when,
  from: notTerminated,
  to: 'TERMINATED',
  reason,
  by,
  effects: 'the card may be replaced; its fulfillment stops',
}))

/** All moves. */
export const moves: readonly Move[] = [...uses, ...provisioning, ...toPhysical, ...terminations]

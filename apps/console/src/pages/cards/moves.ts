/**
 * The status changes that a member may make: the rows of the table of states that are the client's
 * (D-31, D-32, D-221). The page offers these only; the platform decides.
 */

import type { Card } from '../../api/types.ts'

export type MoveName = 'activate' | 'suspend' | 'resume' | 'complete'
type Reason = Card['status_reason_code']
export type Target = { status: Card['status']; status_reason_code: Reason }

/** Why a card ends, as its holder's bank names it. */
export const ENDS = ['T0', 'T1', 'T2', 'T3'] as const satisfies readonly Reason[]

const MADE: readonly Card['fulfillment_status'][] = ['ORDERED', 'SHIPPED', 'DELIVERED']

const target = (status: Target['status'], status_reason_code: Reason): Target => ({
  status,
  status_reason_code,
})

export const isMigrating = ({ status_reason_code: reason }: Card): boolean =>
  reason === 'AT' || reason === 'ST'

export function movesOf(card: Card): readonly (readonly [MoveName, Target])[] {
  const { status, status_reason_code: reason, fulfillment_status } = card
  if (isMigrating(card)) {
    const change =
      reason === 'AT'
        ? (['suspend', target('SUSPENDED', 'ST')] as const)
        : (['resume', target('ACTIVE', 'AT')] as const)
    const complete = ['complete', target('ACTIVE', 'A0')] as const
    return MADE.includes(fulfillment_status) ? [complete, change] : [change]
  }
  if (status === 'INACTIVE') return [['activate', target('ACTIVE', 'a0')]]
  if (status === 'ACTIVE') return [['suspend', target('SUSPENDED', 'S0')]]
  // A suspension by the operator, by risk or after wrong provisioning is not the client's to lift.
  if (reason === 'S0') return [['resume', target('ACTIVE', 'A0')]]
  return []
}

/** Whether a virtual card may become a physical one. */
export const mayBecomePhysical = (card: Card): boolean =>
  card.card_type === 'VIRTUAL' && card.status === 'ACTIVE' && !isMigrating(card)

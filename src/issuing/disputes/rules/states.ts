/** The states of a dispute and its moves, as one table (D-1061). Pure. */

import { fail, ok, type Result } from '#lib/result.ts'
import type { DisputeErrorCode } from '../errors.ts'
import { type Scheme, terms } from './reasons.ts'

export const statuses = [
  'DRAFT',
  'SUBMITTED',
  'CHARGED_BACK',
  'REPRESENTED',
  'PRE_ARBITRATION',
  'WON',
  'LOST',
  'ACCEPTED',
  'WITHDRAWN',
  'EXPIRED',
] as const
export type DisputeStatus = (typeof statuses)[number]

/**
 * Steps of the issuer, of the card network and of the clock. REJECT: the centre did not take what
 * was sent. EXPIRE: the side that had to act did not.
 */
export const steps = [
  'SUBMIT',
  'WITHDRAW',
  'ACCEPT',
  'ARBITRATE',
  'CHARGEBACK',
  'REPRESENT',
  'WIN',
  'LOSE',
  'REJECT',
  'EXPIRE',
] as const
export type Step = (typeof steps)[number]

/**
 * The statement of the card network; the operator records it where no files bring it. SENT: the
 * message that had to leave has left, by which a SUBMITTED dispute makes the step CHARGEBACK.
 */
export const networkSteps = ['SENT', 'REPRESENT', 'WIN', 'LOSE', 'REJECT'] as const

export const outcomes = ['WON', 'LOST'] as const
export type Outcome = (typeof outcomes)[number]

/** The message that has to leave for the card network. */
export const outgoings = ['CHARGEBACK', 'ARBITRATION', 'REVERSAL'] as const
export type Outgoing = (typeof outgoings)[number]

export type Move = {
  from: DisputeStatus
  step: Step
  to: DisputeStatus
  outcome?: Outcome
  outgoing?: Outgoing
}

export const moves: readonly Move[] = [
  { from: 'DRAFT', step: 'SUBMIT', to: 'SUBMITTED', outgoing: 'CHARGEBACK' },
  { from: 'DRAFT', step: 'WITHDRAW', to: 'WITHDRAWN' },
  { from: 'DRAFT', step: 'EXPIRE', to: 'EXPIRED' },
  { from: 'SUBMITTED', step: 'CHARGEBACK', to: 'CHARGED_BACK' },
  { from: 'SUBMITTED', step: 'REJECT', to: 'DRAFT' },
  { from: 'SUBMITTED', step: 'WITHDRAW', to: 'WITHDRAWN' },
  { from: 'CHARGED_BACK', step: 'WIN', to: 'WON', outcome: 'WON' },
  { from: 'CHARGED_BACK', step: 'REPRESENT', to: 'REPRESENTED' },
  { from: 'CHARGED_BACK', step: 'REJECT', to: 'DRAFT' },
  { from: 'CHARGED_BACK', step: 'WITHDRAW', to: 'WITHDRAWN', outgoing: 'REVERSAL' },
  { from: 'CHARGED_BACK', step: 'EXPIRE', to: 'EXPIRED', outcome: 'WON' },
  { from: 'REPRESENTED', step: 'ACCEPT', to: 'ACCEPTED', outcome: 'LOST' },
  { from: 'REPRESENTED', step: 'ARBITRATE', to: 'PRE_ARBITRATION', outgoing: 'ARBITRATION' },
  { from: 'REPRESENTED', step: 'EXPIRE', to: 'EXPIRED', outcome: 'LOST' },
  { from: 'PRE_ARBITRATION', step: 'WIN', to: 'WON', outcome: 'WON' },
  { from: 'PRE_ARBITRATION', step: 'LOSE', to: 'LOST', outcome: 'LOST' },
  { from: 'PRE_ARBITRATION', step: 'REJECT', to: 'REPRESENTED' },
  { from: 'PRE_ARBITRATION', step: 'EXPIRE', to: 'EXPIRED', outcome: 'WON' },
]

/** Fails with `dispute_move_refused` if no row has the step from this status. */
export function checkMove(status: DisputeStatus, step: Step): Result<Move, DisputeErrorCode> {
  const move = moves.find((one) => one.from === status && one.step === step)
  if (move) return ok(move)
  return fail('dispute_move_refused', {
    detail: `A dispute that is ${status} has no step ${step}.`,
    extra: { dispute_status: status },
  })
}

/** Nothing follows these. */
export const finalStatuses: readonly DisputeStatus[] = statuses.filter((status) =>
  moves.every(({ from }) => from !== status),
)

const DAY_MS = 24 * 3600 * 1000
/** How far ahead of a deadline of the issuer it is reported. */
export const ALERT_MS = 5 * DAY_MS

export const addDays = (from: Date, days: number): Date => new Date(from.getTime() + days * DAY_MS)

/** The statuses in which the issuer has to act. */
export const isOurs = (status: DisputeStatus): boolean =>
  status === 'DRAFT' || status === 'REPRESENTED'

/** Until when a dispute in this status may be moved by whose turn it is; null for no such time. */
export function deadlineOf(
  status: DisputeStatus,
  now: Date,
  { scheme, submit_by }: { scheme: Scheme | null; submit_by: Date },
): Date | null {
  if (status === 'DRAFT') return submit_by
  const of = scheme && terms[scheme]
  if (status === 'REPRESENTED') return addDays(now, of?.arbitrate ?? terms.VISA.arbitrate)
  if (!of?.silence_wins) return null
  if (status === 'CHARGED_BACK') return addDays(now, of.answer)
  return status === 'PRE_ARBITRATION' ? addDays(now, of.verdict) : null
}

/** When the sweep looks at it: ahead of a deadline of the issuer, unless that was reported. */
export function dueOf(status: DisputeStatus, deadline: Date | null, alerted: boolean): Date | null {
  if (!deadline || alerted || !isOurs(status)) return deadline
  return new Date(deadline.getTime() - ALERT_MS)
}

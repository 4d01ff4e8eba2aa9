/** The states of a chargeback and what each moves (D-1065). Pure. */

import { fail, ok, type Result } from '#lib/result.ts'
import type { ChargebackErrorCode } from './errors.ts'

export const statuses = [
  'NEEDS_RESPONSE',
  'UNDER_REVIEW',
  'WON',
  'LOST',
  'ACCEPTED',
  'WITHDRAWN',
] as const
export type ChargebackStatus = (typeof statuses)[number]

/** ANSWER and ACCEPT are the merchant's; EXPIRE is of its deadline, the others of the network. */
export type ChargebackStep = 'ANSWER' | 'ACCEPT' | 'EXPIRE' | (typeof networkSteps)[number]
export const networkSteps = ['WIN', 'LOSE', 'WITHDRAW'] as const

const ends = { WIN: 'WON', LOSE: 'LOST', WITHDRAW: 'WITHDRAWN' } as const
const moves: Readonly<
  Partial<Record<ChargebackStatus, Partial<Record<ChargebackStep, ChargebackStatus>>>>
> = {
  NEEDS_RESPONSE: { ANSWER: 'UNDER_REVIEW', ACCEPT: 'ACCEPTED', EXPIRE: 'LOST', ...ends },
  UNDER_REVIEW: ends,
}

export function checkMove(
  status: ChargebackStatus,
  step: ChargebackStep,
): Result<ChargebackStatus, ChargebackErrorCode> {
  const to = moves[status]?.[step]
  if (to) return ok(to)
  return fail('chargeback_move_refused', { detail: `The dispute is ${status}.` })
}

/** The merchant gets the amount back, but not the fee. */
export const givesBack = (status: ChargebackStatus): boolean =>
  status === 'WON' || status === 'WITHDRAWN'

/** The days in which the merchant answers, if the network names no deadline. */
export const RESPONSE_DAYS = 20

export type OpenAmounts = { captured: bigint; refunded: bigint; charged_back: bigint }

/** At most what was captured of the order and neither refunded nor charged back; minor units. */
export function checkAmount(
  { captured, refunded, charged_back }: OpenAmounts,
  wanted: bigint | undefined,
): Result<bigint, ChargebackErrorCode> {
  const left = captured - refunded - charged_back
  const amount = wanted ?? left
  return left <= 0n || amount > left ? fail('chargeback_exceeds_order') : ok(amount)
}

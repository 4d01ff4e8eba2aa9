/**
 * The status of a user as a table (spec "User status", D-15, D-20): code, tests, documents share
 * it.
 */

import { allow, type Ruling, refuse } from '#lib/ruling.ts'
import type { UserRefusal } from '../refusals.ts'
import type { UserType } from './fields.ts'

export const userStatuses = [
  'PENDINGIDVERIFICATION',
  'PENDINGKYC',
  'PENDINGKYB',
  'ACTIVE',
  'SUSPENDED',
  'TERMINATED',
] as const
type Status = (typeof userStatuses)[number]

export const reasonCodes = [
  ...['I0', 'A0', 'A6', 'A7', 'A8', 'S0', 'S5', 'T0', 'T12', 'T13', 'T12E', 'T13E'],
  ...['B0', 'B1', 'B2', 'B5', 'B6', 'B9', 'B10', 'B0E', 'B2E', 'B9E', 'B10E'],
]
type Reason = string

export type UserState = { status: Status; status_reason_code: Reason }

/** What the tenant's settings say of new users. */
export type Onboarding = { require_document_verification: boolean; require_kyc: boolean }

/** One move that changeStatus knows. A missing `from_reasons` is any reason of that status. */
export type Move = {
  trigger: string
  from: readonly Status[]
  from_reasons?: readonly Reason[]
  /** What must hold beside the state; looked at by the slice that performs the move. */
  condition?: string
  to: Status
  reason: Reason
  effects: readonly string[]
  /** The slice that performs it: `verification` moves need its provider and documents. */
  performed_by: 'users' | 'verification'
}

const notTerminated = userStatuses.filter((status) => status !== 'TERMINATED')
const told = 'a USER_STATUS_CHANGE event'

export const moves: readonly Move[] = [
  {
    trigger: 'the client suspends an active user',
    from: ['ACTIVE'],
    to: 'SUSPENDED',
    reason: 'S0',
    effects: [told],
    performed_by: 'users',
  },
  {
    trigger: 'the client lifts its own suspension',
    from: ['SUSPENDED'],
    from_reasons: ['S0'],
    to: 'ACTIVE',
    reason: 'A0',
    effects: [told],
    performed_by: 'users',
  },
  {
    trigger: 'the client terminates a user',
    from: notTerminated,
    to: 'TERMINATED',
    reason: 'T0',
    effects: [told],
    performed_by: 'users',
  },
  {
    trigger: 'the client re-initiates identity verification',
    from: ['PENDINGIDVERIFICATION'],
    from_reasons: ['B1', 'B5', 'B6'],
    to: 'PENDINGIDVERIFICATION',
    reason: 'B2',
    effects: [told, 'a new SDK token'],
    performed_by: 'verification',
  },
  {
    trigger: 'a tester asks for an SDK token before the first check (D-116)',
    from: ['PENDINGIDVERIFICATION'],
    from_reasons: ['I0'],
    condition: 'the deployment is a sandbox',
    to: 'PENDINGIDVERIFICATION',
    reason: 'B2',
    effects: [told, 'a new SDK token'],
    performed_by: 'verification',
  },
  {
    trigger: 'the client has uploaded documents for identity verification',
    from: ['PENDINGIDVERIFICATION'],
    condition: 'documents are stored',
    to: 'PENDINGIDVERIFICATION',
    reason: 'B0',
    effects: [told, 'identity verification starts'],
    performed_by: 'verification',
  },
  {
    trigger: 'the client re-initiates identity verification after expiry',
    from: ['ACTIVE'],
    from_reasons: ['A6', 'A8'],
    to: 'ACTIVE',
    reason: 'B2E',
    effects: [told, 'a new SDK token'],
    performed_by: 'verification',
  },
  {
    trigger: 'the client has uploaded documents again after expiry',
    from: ['ACTIVE'],
    from_reasons: ['A6', 'A8', 'B2E'],
    condition: 'documents are stored',
    to: 'ACTIVE',
    reason: 'B0E',
    effects: [told, 'identity verification starts'],
    performed_by: 'verification',
  },
]

/** Finds the move that leads from the present state to the one that is wanted. */
export function ruleOnMove(present: UserState, wanted: UserState): Ruling<Move, UserRefusal> {
  const move = moves.find(
    ({ from, from_reasons, to, reason }) =>
      to === wanted.status &&
      reason === wanted.status_reason_code &&
      from.includes(present.status) &&
      (from_reasons === undefined || from_reasons.includes(present.status_reason_code)),
  )
  if (move) return allow(move)
  const { status, status_reason_code } = present
  return refuse('user_status_move_refused', {
    detail:
      `A user that is ${status} (${status_reason_code}) cannot become ` +
      `${wanted.status} (${wanted.status_reason_code}).`,
    extra: { status_of_user: status, status_reason_code },
  })
}

/** The status that a new user starts in (D-15). */
export function firstState(type: UserType, tenant: Onboarding): UserState {
  if (type !== 'INDIVIDUAL') return { status: 'PENDINGKYB', status_reason_code: 'I0' }
  if (tenant.require_document_verification) {
    return { status: 'PENDINGIDVERIFICATION', status_reason_code: 'I0' }
  }
  if (tenant.require_kyc) return { status: 'PENDINGKYC', status_reason_code: 'I0' }
  return { status: 'ACTIVE', status_reason_code: 'A0' }
}

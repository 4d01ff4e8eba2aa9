/**
 * The status of a user as a table (spec "User status", D-15, D-20): code, tests, documents share
 * it. Only a row of `transitions` moves a user.
 */

import type { Profile } from '#kit/profile.ts'
import { fail, ok, type Result } from '#lib/result.ts'
import type { UserErrorCode } from '../errors.ts'
import type { UserType } from './fields.ts'
import type { Reason, Status, Transition, Trigger } from './states.ts'
import { transitions } from './transitions.ts'

declare module '#kit/profile.ts' {
  interface Profile {
    /** Clients may make the moves of the table of statuses that exist for testers (D-116). */
    readonly tester_moves: boolean
  }
}

export { reasonCodes, reasons, userStatuses } from './states.ts'
export { transitions } from './transitions.ts'

/** Triggers other than creation and the client's changeStatus. */
export type PlatformTrigger = Exclude<Trigger, 'creation' | 'changeStatus'>

export type UserState = { status: Status; status_reason_code: Reason }

/** Settings of the tenant that decide the first status of a user. */
export type Onboarding = { require_document_verification: boolean; require_kyc: boolean }

/** Finds the client's move from the present state to the requested one. */
export function checkMove(
  present: UserState,
  requested: UserState,
  { tester_moves }: Pick<Profile, 'tester_moves'>,
): Result<Transition, UserErrorCode> {
  const move = transitions.find(
    (row) =>
      row.trigger === 'changeStatus' &&
      row.to === requested.status &&
      row.reason === requested.status_reason_code &&
      (tester_moves || !row.sandbox) &&
      leavesFrom(row, present),
  )
  if (move) return ok(move)
  const become = `become ${requested.status} (${requested.status_reason_code})`
  return moveRejected(present, become)
}

/** Finds the transition of a platform trigger from the present state. */
export function checkTrigger(
  present: UserState,
  trigger: PlatformTrigger,
): Result<Transition, UserErrorCode> {
  const row = transitions.find((row) => row.trigger === trigger && leavesFrom(row, present))
  return row ? ok(row) : moveRejected(present, `be moved by ${words(trigger)}`)
}

const leavesFrom = ({ from, from_reasons }: Transition, present: UserState) =>
  from.includes(present.status) &&
  (from_reasons === undefined || from_reasons.includes(present.status_reason_code))

const words = (trigger: Trigger) => trigger.replaceAll('_', ' ')

function moveRejected({ status, status_reason_code }: UserState, cannot: string) {
  return fail('user_status_move_refused', {
    detail: `A user that is ${status} (${status_reason_code}) cannot ${cannot}.`,
    extra: { status_of_user: status, status_reason_code },
  })
}

/** The status that a new user starts in (D-15): the first row of creation that fits. */
export function firstState(type: UserType, tenant: Onboarding): UserState {
  const row = transitions.find(({ creates }) => {
    if (!creates?.types.includes(type)) return false
    const { require_document_verification = null, require_kyc = null } = creates
    return (
      [null, tenant.require_document_verification].includes(require_document_verification) &&
      [null, tenant.require_kyc].includes(require_kyc)
    )
  })
  if (!row) throw new Error(`the table of transitions has no creation of a ${type}`)
  return { status: row.to, status_reason_code: row.reason }
}

/**
 * Whether a check of the user is open: the next step is that of the user, the client, a provider or
 * compliance (D-616). An ACTIVE user has other reasons only once a document has expired.
 */
export function awaitsChecks({ status, status_reason_code }: UserState): boolean {
  if (status === 'ACTIVE') return status_reason_code !== 'A0' && status_reason_code !== 'A7'
  if (status === 'SUSPENDED') return status_reason_code === 'S5'
  return status !== 'TERMINATED'
}

const known = new Set(transitions.map(({ to, reason }) => `${to}/${reason}`))

/** Whether any row leads to this state. */
export const isKnownState = ({ status, status_reason_code }: UserState): boolean =>
  known.has(`${status}/${status_reason_code}`)

/** Which KYC requests are allowed, and their results (spec "KYC request", D-22). */

import { fail, ok, type Result } from '#lib/result.ts'
import type { VerificationErrorCode } from '../errors.ts'

export const kycPolicies = ['UAE_INDIVIDUAL_PRIMARY', 'UAE_INDIVIDUAL_SECONDARY'] as const
export type KycPolicy = (typeof kycPolicies)[number]

export const kycResults = ['OK', 'FAILED'] as const
export type KycResult = (typeof kycResults)[number]
export const kycStatuses = ['SUBMITTED', ...kycResults] as const

type Answer = { result: KycResult | 'PENDING' | 'COMPLIANCE'; matches: readonly unknown[] }

/** The result of an answer that is not PENDING: with a match nobody passes but by people. */
export const resultOf = ({ result, matches }: Answer): KycResult | 'COMPLIANCE' =>
  result === 'FAILED' || (result === 'OK' && matches.length === 0) ? result : 'COMPLIANCE'

type KycState = { status_code: string; status_description: string }
export const kycStates: Readonly<Record<(typeof kycStatuses)[number], KycState>> = {
  SUBMITTED: { status_code: 'I0', status_description: 'Submitted' },
  OK: { status_code: 'P0', status_description: 'Passed' },
  FAILED: { status_code: 'F0', status_description: 'Not passed' },
}

type Person = { status: string; status_reason_code: string }
export type KycCandidate = {
  user: Person
  kyc_policy: KycPolicy
  /** Undefined when the user has no parent. */
  parent: { kyc_policy_passed: string | null } | undefined
}

/** A user must be PENDINGKYC, and for a secondary policy its parent must have passed. */
export function checkRequest({
  user,
  kyc_policy,
  parent,
}: KycCandidate): Result<KycPolicy, VerificationErrorCode> {
  const { status, status_reason_code } = user
  if (status !== 'PENDINGKYC') {
    return fail('kyc_not_awaited', {
      detail: `The user is ${status} (${status_reason_code}), not PENDINGKYC.`,
      extra: { status_of_user: status, status_reason_code },
    })
  }
  if (kyc_policy === 'UAE_INDIVIDUAL_SECONDARY' && !parent?.kyc_policy_passed) {
    const why = parent ? 'The parent has not passed KYC.' : 'The user has no parent.'
    return fail('parent_kyc_missing', {
      detail: `${kyc_policy} follows the parent’s KYC: ${why}`,
    })
  }
  return ok(kyc_policy)
}

/** Statuses of users, their reason codes, and the triggers that change them. */

import type { UserType } from './fields.ts'

export const userStatuses = [
  'PENDINGIDVERIFICATION',
  'PENDINGKYC',
  'PENDINGKYB',
  'ACTIVE',
  'SUSPENDED',
  'TERMINATED',
] as const
export type Status = (typeof userStatuses)[number]

/** The reason codes with their meanings, as the specification states them if it does. */
export const reasons = {
  I0: 'Initial',
  A0: 'Active',
  A6: 'Document expired or about to expire',
  A7: 'ID renewed',
  A8: 'Re-verification failed after expiry',
  B0: 'Documents uploaded for IDV',
  B1: 'User not verified',
  B2: 'Generate a new SDK token',
  B5: 'The provider asked for another document',
  B6: 'The applicant abandoned the verification',
  B9: 'Document issuing country mismatch',
  B10: 'IDV consider-with-caution and issuing country mismatch',
  B0E: 'Documents re-uploaded after expiry',
  B2E: 'Generate SDK token after expiry',
  B9E: 'Document issuing country mismatch upon re-verification after expiry',
  B10E: 'Consider-with-caution and issuing country mismatch upon re-verification after expiry',
  S0: 'Suspended by the client',
  S5: 'Admin rejected, ID verification failed',
  T0: 'Terminated by the client',
  T12: 'Terminated, ID rejected',
  T13: 'Terminated, ID suspected',
  T12E: 'Terminated, ID rejected after expiry',
  T13E: 'Terminated, ID suspected after expiry',
} as const satisfies Readonly<Record<string, string>>
export type Reason = keyof typeof reasons
// The keys of an object have the type string[]; these are the ones above.
export const reasonCodes = Object.keys(reasons) as readonly Reason[]

/**
 * The triggers that move a user: clients by creating and by changeStatus, compliance by its review,
 * the provider by its report, the KYC service by its result, and the expiry job.
 */
export const triggers = [
  'creation',
  'changeStatus',
  'review_approval',
  'review_rejection',
  'idv_clear',
  'idv_not_verified',
  'idv_suspected',
  'idv_rejected',
  'idv_country',
  'idv_caution_and_country',
  'idv_document_requested',
  'idv_abandoned',
  'kyc_not_required',
  'kyc_ok',
  'document_expiry',
] as const
export type Trigger = (typeof triggers)[number]

/** A row of the table. A missing `from_reasons` is any reason of those statuses. */
export type Transition = {
  trigger: Trigger
  /** The description of the transition, as text for the documentation. */
  when: string
  /** The condition beside the state; the slice of the trigger checks it. */
  condition?: string
  /** Users that a creation applies to. An absent setting has no effect. */
  creates?: {
    types: readonly UserType[]
    require_document_verification?: boolean
    require_kyc?: boolean
  }
  /** Empty for a creation. */
  from: readonly Status[]
  from_reasons?: readonly Reason[]
  to: Status
  reason: Reason
  /** Effects beside the USER_STATUS_CHANGE event that every change has. */
  effects?: readonly string[]
  /** Only if testers may make it (D-116), which is in sandbox. */
  sandbox?: true
}

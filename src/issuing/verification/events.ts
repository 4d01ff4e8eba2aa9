/** Events of verification (spec "Events", D-60, D-61). */

import { reasons, type UserRow } from '#issuing/users/users.ts'
import type { Event } from '#kit/event.ts'
import type { CheckRow } from './store.ts'

/** With the token that the applicant needs, or without one when the user was not verified. */
export function identityVerification(
  user: UserRow,
  check: CheckRow,
  details: { sdk_token?: string; note?: string; old_status_reason_code?: string; modified: Date },
): Event {
  const { status, status_reason_code } = user
  return {
    event: 'IDENTITY_VERIFICATION',
    object_id: user.id,
    payload: {
      user_id: user.id,
      ...(check.applicant_id !== null && { applicant_id: check.applicant_id }),
      status,
      status_reason_code,
      status_description: reasons[status_reason_code] ?? status_reason_code,
      created: check.created,
      ...details,
    },
  }
}

type KycState = {
  id: string
  user_id: string
  kyc_policy: string
  status: string
  old_status: string | null
  status_code: string
  status_description: string
  note: string | null
  created: Date
  modified: Date
}

export function kycResult({ id, note, old_status, ...request }: KycState): Event {
  const { user_id, kyc_policy, status, status_code, status_description } = request
  const { created, modified } = request
  return {
    event: 'KYC_RESULT',
    object_id: user_id,
    payload: {
      kyc_policy,
      kyc_id: id,
      user_id,
      ...(note !== null && { note }),
      ...(old_status !== null && { old_status }),
      status,
      status_code,
      status_description,
      created,
      modified,
    },
  }
}

type Alert = { user_id: string; identification_id: string; type: string; expiration_date: Date }

export function documentAlert({ user_id, identification_id, type, ...alert }: Alert): Event {
  return {
    event: 'USER_DOCUMENT_ALERT',
    object_id: user_id,
    payload: {
      user_id,
      identification_id,
      document_type: type,
      expiry_date: alert.expiration_date,
    },
  }
}

/** Events of verification (spec "Events", D-60, D-61). */

import { type Static, Type } from 'typebox'
import { UserStatus } from '#issuing/users/schema.ts'
import { reasons, type UserRow } from '#issuing/users/users.ts'
import { defineEvent } from '#kit/event.ts'
import { Field, Instant, Uuid } from '#kit/http/schema.ts'
import { KycRequest, ScreeningMatch } from './schema.ts'
import type { MatchRow } from './screening/matches_store.ts'
import type { CheckRow } from './store.ts'

const text = (description: string) => Type.String({ description })
const user_id = Field('Id of the user.', Uuid)

const identity = defineEvent({
  event: 'IDENTITY_VERIFICATION',
  emitted:
    'An applicant gets a token: at creation (I0), by B2 or B2E. Without a token: a user is not ' +
    'verified, for B1 or any other reason that is not a pass.',
  object: 'user',
  payload: {
    user_id,
    applicant_id: Type.Optional(text('Id of the applicant at the identity provider.')),
    sdk_token: Type.Optional(
      text('Token of the applicant for the identity provider, good for 90 minutes.'),
    ),
    note: Type.Optional(text('Note of the report.')),
    status: Field('Status of the user.', UserStatus),
    old_status_reason_code: Type.Optional(text('Reason code before the change.')),
    status_reason_code: text('Reason code of the status.'),
    status_description: text('Text of the reason code.'),
    created: Field('When the verification was started.', Instant),
    modified: Field('Time of the last change.', Instant),
  },
})

/** The event has the token that the applicant needs, or none when the user was not verified. */
export function identityVerification(
  user: UserRow,
  check: CheckRow,
  details: { sdk_token?: string; note?: string; old_status_reason_code?: string; modified: Date },
) {
  const { status, status_reason_code } = user
  return identity.about(user.id, {
    user_id: user.id,
    ...(check.applicant_id !== null && { applicant_id: check.applicant_id }),
    status,
    status_reason_code,
    status_description: reasons[status_reason_code] ?? status_reason_code,
    created: check.created,
    ...details,
  })
}

const kyc = KycRequest.properties
const result = defineEvent({
  event: 'KYC_RESULT',
  emitted: 'A KYC request is submitted, and again when it is processed.',
  object: 'user',
  payload: {
    kyc_policy: kyc.kyc_policy,
    kyc_id: kyc.id,
    user_id,
    note: kyc.note,
    old_status: kyc.old_status,
    status: kyc.status,
    status_code: kyc.status_code,
    status_description: kyc.status_description,
    created: kyc.created,
    modified: kyc.modified,
  },
})

/** The stored state: absent members are null. */
type KycState = Omit<Static<typeof KycRequest>, 'note' | 'old_status'> & {
  note: string | null
  old_status: string | null
}

export function kycResult({ id, note, old_status, ...request }: KycState) {
  const { user_id, kyc_policy, status, status_code, status_description } = request
  const { created, modified } = request
  return result.about(user_id, {
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
  })
}

const alert = defineEvent({
  event: 'USER_DOCUMENT_ALERT',
  emitted: 'A document of a user has expired or is about to.',
  object: 'user',
  payload: {
    user_id,
    identification_id: Field('Id of the identification.', Uuid),
    document_type: text('Type of the document.'),
    expiry_date: Field('Date of expiry of the document.', Instant),
  },
})

type Alert = { user_id: string; identification_id: string; type: string; expiration_date: Date }

export function documentAlert({ user_id, identification_id, type, expiration_date }: Alert) {
  return alert.about(user_id, {
    user_id,
    identification_id,
    document_type: type,
    expiry_date: expiration_date,
  })
}

const found = ScreeningMatch.properties
const match = defineEvent({
  event: 'SCREENING_MATCH',
  emitted:
    'An entry of a watchlist that may be the user is found, or becomes more alike. The operator ' +
    'reviews it; the status of the user stays.',
  object: 'user',
  payload: {
    user_id,
    match_id: found.id,
    purpose: found.purpose,
    list: found.list,
    score: found.score,
    created: found.created,
    modified: found.modified,
  },
})

/** Without the entry itself: the operator alone sees whom it names. */
export function screeningMatch({ id, user_id, ...row }: MatchRow) {
  const { purpose, list, score, created, modified } = row
  return match.about(user_id, { user_id, match_id: id, purpose, list, score, created, modified })
}

export const verificationEvents = [identity, result, alert, match] as const

declare module '#kit/event.ts' {
  interface EmittedKinds {
    verification: typeof verificationEvents
  }
}

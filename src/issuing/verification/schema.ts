/** The contract of verification: KYC requests, reviews, and what the sandbox plays. */

import { type Static, Type } from 'typebox'
import { Identification } from '#issuing/identifications/schema.ts'
import { User } from '#issuing/users/schema.ts'
import {
  Instant,
  LINE_LENGTH,
  ListOf,
  ListQuery,
  NOTE_LENGTH,
  Note,
  OneOf,
  Strict,
  Uuid,
} from '#kit/schema.ts'
import { LIMIT_MAX } from '#lib/paging.ts'
import { kycPolicies, kycStatuses } from './rules/kyc.ts'
import { type KycField, kycFields, matchers, operators, sortFields } from './rules/kyc_search.ts'

const FILTERS_MAX = 10
const VALUES_MAX = 50
const CURSOR_LENGTH = 200

export const NewKycRequest = Strict({
  id: Type.Optional(Uuid),
  kyc_policy: OneOf(kycPolicies),
})

const kycRequest = {
  id: Uuid,
  user_id: Uuid,
  kyc_policy: OneOf(kycPolicies),
  status: OneOf(kycStatuses),
  status_code: Type.String(),
  status_description: Type.String(),
  note: Type.Optional(Type.String()),
  old_status: Type.Optional(Type.String()),
  created: Instant,
  modified: Instant,
}
export const KycRequest = Type.Object(kycRequest, { title: 'KycRequest' })

// The names are the keys of a table that this list is made from.
const fieldNames = Object.keys(kycFields) as KycField[]
const Cursors = {
  after: Type.Optional(Type.String({ maxLength: CURSOR_LENGTH })),
  has_more: Type.Optional(Type.Boolean()),
}

export const KycSearchBody = Strict({
  /** An id, or part of the policy, status, note or the user's name. */
  query: Type.Optional(Type.String({ maxLength: LINE_LENGTH })),
  sort_by: Type.Optional(OneOf(sortFields)),
  order_by: Type.Optional(OneOf(['asc', 'desc'] as const)),
  /** Between the filters, from left to right. */
  matcher: Type.Optional(Type.Array(OneOf(matchers), { maxItems: FILTERS_MAX })),
  filters: Type.Optional(
    Type.Array(
      Strict({
        field: OneOf(fieldNames),
        operator: OneOf(operators),
        values: Type.Array(Type.String({ maxLength: LINE_LENGTH }), { maxItems: VALUES_MAX }),
      }),
      { maxItems: FILTERS_MAX },
    ),
  ),
  /** As a page before has answered them; has_more says nothing here. */
  cursors: Type.Optional(Strict(Cursors)),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMIT_MAX })),
})
export type KycSearchBody = Static<typeof KycSearchBody>

export const KycRequestList = Type.Object({
  ...ListOf(KycRequest).properties,
  cursors: Type.Object({ after: Type.Optional(Type.String()), has_more: Type.Boolean() }),
})

export const ReviewQuery = ListQuery({ tenant_id: Type.Optional(Uuid) })
export type ReviewQuery = Static<typeof ReviewQuery>

/** A user who waits for compliance, with what there is to look at. */
export const Review = Type.Object(
  {
    tenant_id: Uuid,
    user: User,
    identifications: Type.Array(Identification),
    kyc_requests: Type.Array(KycRequest),
  },
  { title: 'Review' },
)
export const ReviewList = ListOf(Review)

const Reason = Type.String({ minLength: 1, maxLength: NOTE_LENGTH })
export const Approval = Strict({ reason: Type.Optional(Reason), note: Type.Optional(Note) })
/** Who is turned down is told why. */
export const Rejection = Strict({ reason: Reason, note: Type.Optional(Note) })
export type Judgement = Static<typeof Approval>

export const DocumentApproval = Strict({ reason: Type.Optional(Reason) })
export const DocumentRejection = Strict({ reason: Reason })
export const ReviewedDocument = Identification
export const ReviewedUser = User

/** Request and response schemas of KYC requests and compliance reviews. */

import { type Static, Type } from 'typebox'
import { Identification } from '#issuing/identifications/schema.ts'
import { User, UserStatus, UserTypeValue } from '#issuing/users/schema.ts'
import {
  Field,
  Instant,
  LINE_LENGTH,
  ListOf,
  ListQuery,
  NOTE_LENGTH,
  Note,
  OneOf,
  Strict,
  Uuid,
} from '#kit/http/schema.ts'
import { LIMIT_DEFAULT, LIMIT_MAX } from '#lib/paging.ts'
import { purposes } from './provider.ts'
import { kycPolicies, kycStatuses } from './rules/kyc.ts'
import { type KycField, kycFields, matchers, operators, sortFields } from './rules/kyc_search.ts'

const FILTERS_MAX = 10
const VALUES_MAX = 50
const CURSOR_LENGTH = 200

export const NewKycRequest = Strict({
  id: Type.Optional(Field('Id of the new request; generated when absent.', Uuid)),
  kyc_policy: Field('Policy that the user is checked against.', OneOf(kycPolicies)),
})

const kycRequest = {
  id: Field('Id of the request.', Uuid),
  user_id: Field('Id of the user.', Uuid),
  kyc_policy: Field('Policy that the user is checked against.', OneOf(kycPolicies)),
  status: Field('SUBMITTED without a result, then OK or FAILED.', OneOf(kycStatuses)),
  status_code: Type.String({ description: 'Code of the status: I0, P0 or F0.' }),
  status_description: Type.String({ description: 'Text of the status code.' }),
  note: Type.Optional(Type.String({ description: 'Note of the result.' })),
  old_status: Type.Optional(Type.String({ description: 'Status before the result.' })),
  created: Field('When the request was submitted.', Instant),
  modified: Field('When the request last changed.', Instant),
}
export const KycRequest = Type.Object(kycRequest, { title: 'KycRequest' })

// The names are the keys of a table that this list is made from.
const fieldNames = Object.keys(kycFields) as KycField[]
const Cursors = {
  after: Type.Optional(
    Type.String({ maxLength: CURSOR_LENGTH, description: 'Cursor of the page before.' }),
  ),
  has_more: Type.Optional(Type.Boolean({ description: 'Has no effect in a request.' })),
}

export const KycSearchBody = Strict({
  query: Type.Optional(
    Type.String({
      maxLength: LINE_LENGTH,
      description: 'Id of a request or user, or part of the policy, status, note or user name.',
    }),
  ),
  sort_by: Type.Optional(Field('Field to sort by; `created` by default.', OneOf(sortFields))),
  order_by: Type.Optional(
    Field('Direction of the sort; `desc` by default.', OneOf(['asc', 'desc'] as const)),
  ),
  matcher: Type.Optional(
    Type.Array(OneOf(matchers), {
      maxItems: FILTERS_MAX,
      description:
        'Operators between the filters from left to right: one for all, or one fewer than there ' +
        'are filters; `and` by default.',
    }),
  ),
  filters: Type.Optional(
    Type.Array(
      Strict({
        field: Field('Field of the request to compare.', OneOf(fieldNames)),
        operator: Field('How to compare; it must fit the field.', OneOf(operators)),
        values: Type.Array(Type.String({ maxLength: LINE_LENGTH }), {
          maxItems: VALUES_MAX,
          description: 'Values to compare with: exactly one, except for `any_of`.',
        }),
      }),
      { maxItems: FILTERS_MAX, description: 'Conditions on fields.' },
    ),
  ),
  cursors: Type.Optional(
    Strict(Cursors, { description: 'Position to continue from, as the page before returned it.' }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LIMIT_MAX,
      description: `Number of requests on a page, ${LIMIT_DEFAULT} by default.`,
    }),
  ),
})
export type KycSearchBody = Static<typeof KycSearchBody>

export const KycRequestList = Type.Object({
  ...ListOf(KycRequest).properties,
  cursors: Type.Object(
    {
      after: Type.Optional(Type.String({ description: 'Cursor of the next page.' })),
      has_more: Type.Boolean({ description: 'Whether another page follows.' }),
    },
    { description: 'Position of the next page.' },
  ),
})

export const ReviewQuery = ListQuery({
  tenant_id: Type.Optional(Field('Restricts the list to one tenant.', Uuid)),
  status: Type.Optional(Field('Only users with this status.', UserStatus)),
  user_type: Type.Optional(Field('Only users of this type.', UserTypeValue)),
})
export type ReviewQuery = Static<typeof ReviewQuery>

export const matchStatuses = ['OPEN', 'DISMISSED', 'CONFIRMED'] as const

const tenant_id = Field('Id of the tenant of the user.', Uuid)
export const ScreeningMatch = Type.Object(
  {
    tenant_id,
    id: Field('Id of the match.', Uuid),
    user_id: Field('Id of the user that it is about.', Uuid),
    purpose: Field('The check that found it.', OneOf(purposes)),
    provider: Type.String({ description: 'Name of the provider that found it.' }),
    list: Type.String({ description: 'Name of the list, as the provider has it.' }),
    listed_id: Type.String({ description: 'Id of the entry within the list.' }),
    name: Type.String({ description: 'Name as the list has it.' }),
    score: Type.Integer({ description: 'How alike they are, in whole per cent.' }),
    reason: Type.String({ description: 'Likeness of the entry and the user, in words.' }),
    status: Field('OPEN until the operator judges it.', OneOf(matchStatuses)),
    note: Type.Optional(Type.String({ description: 'Reason of the judgement.' })),
    created: Field('When it was found first.', Instant),
    modified: Field('When it last changed.', Instant),
  },
  {
    title: 'ScreeningMatch',
    description: 'An entry of a watchlist that may be the user.',
  },
)
export const ScreeningMatchList = ListOf(ScreeningMatch)

export const MatchQuery = ListQuery({
  tenant_id: Type.Optional(Field('Restricts the list to one tenant.', Uuid)),
  user_id: Type.Optional(Field('Only matches of this user.', Uuid)),
  status: Type.Optional(Field('Only matches with this status.', OneOf(matchStatuses))),
})
export type MatchQuery = Static<typeof MatchQuery>

export const checkStatuses = ['WAITING', 'DONE'] as const
const ReviewCheck = Type.Object(
  {
    purpose: Field('KYC, KYB, or ONGOING for a further check.', OneOf(purposes)),
    status: Field('WAITING until the provider has answered.', OneOf(checkStatuses)),
    attempts: Type.Integer({ description: 'Calls that failed since the provider last answered.' }),
    failure: Type.Optional(Type.String({ description: 'Why the last call failed.' })),
    due: Type.Optional(Field('When the provider is asked next.', Instant)),
    created: Field('When the check began.', Instant),
  },
  { title: 'ReviewCheck', description: 'A check of a user by a provider.' },
)

export const Review = Type.Object(
  {
    tenant_id,
    user: User,
    identifications: Type.Array(Identification, { description: 'Its identity documents.' }),
    kyc_requests: Type.Array(KycRequest, { description: 'Its KYC requests without a result.' }),
    matches: Type.Array(ScreeningMatch, {
      description:
        'Entries of watchlists that may be the user, or one of the people of a BUSINESS, but for ' +
        'those that were dismissed; the most alike first.',
    }),
    checks: Type.Array(ReviewCheck, {
      description:
        'The last check that a provider was asked for, and KYC requests it has yet to decide.',
    }),
  },
  { title: 'Review', description: 'A user that awaits a compliance review.' },
)
export const ReviewList = ListOf(Review)

const Reason = Type.String({
  minLength: 1,
  maxLength: NOTE_LENGTH,
  description: 'Reason of the decision; it becomes the note when `note` is absent.',
})
const DecisionNote = Field('Note of the decision, in place of the reason.', Note)
export const Approval = Strict({
  reason: Type.Optional(Reason),
  note: Type.Optional(DecisionNote),
})
export const Rejection = Strict({ reason: Reason, note: Type.Optional(DecisionNote) })

export const MatchJudgement = Strict({
  reason: Field('Why it is, or is not, the user; kept with the match.', Reason),
})
export type MatchDecision = Static<typeof MatchJudgement>

const reviewed = (of: string) => ({
  modified: Type.Optional(
    Type.String({
      format: 'date-time',
      description: `\`modified\` of the ${of} as it was reviewed: one that has changed is refused.`,
    }),
  ),
})
export const UserApproval = Strict({ ...Approval.properties, ...reviewed('user') })
export const UserRejection = Strict({ ...Rejection.properties, ...reviewed('user') })
export type Decision = Static<typeof UserApproval>

export const DocumentApproval = Strict({
  reason: Type.Optional(Field('Becomes `document_status_reason`; `verified` by default.', Reason)),
  ...reviewed('identification'),
})
export const DocumentRejection = Strict({
  reason: Field('Becomes `document_status_reason`.', Reason),
  ...reviewed('identification'),
})
export type DocumentDecision = Static<typeof DocumentApproval>
export const ReviewedDocument = Identification
export const ReviewedUser = User

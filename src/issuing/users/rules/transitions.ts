/** Every transition of a user's status: the rows behind rules/status.ts. */

import type { UserType } from './fields.ts'
import { type Transition, userStatuses } from './states.ts'

const onboarded: readonly UserType[] = [
  'BUSINESS',
  'DIRECTOR',
  'SIGNATURE',
  'SHAREHOLDER',
  'SHAREHOLDER_BUSINESS',
]

const creations: readonly Transition[] = [
  {
    trigger: 'creation',
    when: 'an INDIVIDUAL is created',
    condition: 'require_document_verification is true',
    creates: { types: ['INDIVIDUAL'], require_document_verification: true },
    from: [],
    to: 'PENDINGIDVERIFICATION',
    reason: 'I0',
    effects: ['IDENTITY_VERIFICATION event with applicant_id and sdk_token'],
  },
  {
    trigger: 'creation',
    when: 'an INDIVIDUAL is created',
    condition: 'require_document_verification is false, require_kyc is true',
    creates: { types: ['INDIVIDUAL'], require_document_verification: false, require_kyc: true },
    from: [],
    to: 'PENDINGKYC',
    reason: 'I0',
  },
  {
    trigger: 'creation',
    when: 'an INDIVIDUAL is created',
    condition: 'neither is required',
    creates: { types: ['INDIVIDUAL'], require_document_verification: false, require_kyc: false },
    from: [],
    to: 'ACTIVE',
    reason: 'A0',
  },
  {
    trigger: 'creation',
    when: 'a business or one of its sub-users is created',
    creates: { types: onboarded },
    from: [],
    to: 'PENDINGKYB',
    reason: 'I0',
    effects: ['identifications start with document_status PENDINGKYB'],
  },
]

const clientMoves: readonly Transition[] = [
  {
    trigger: 'changeStatus',
    when: 'the client suspends an active user',
    from: ['ACTIVE'],
    to: 'SUSPENDED',
    reason: 'S0',
  },
  {
    trigger: 'changeStatus',
    when: 'the client lifts its own suspension',
    from: ['SUSPENDED'],
    from_reasons: ['S0'],
    to: 'ACTIVE',
    reason: 'A0',
  },
  {
    trigger: 'changeStatus',
    when: 'the client terminates a user',
    from: userStatuses.filter((status) => status !== 'TERMINATED'),
    to: 'TERMINATED',
    reason: 'T0',
  },
  {
    trigger: 'changeStatus',
    when: 'the client re-initiates identity verification',
    from: ['PENDINGIDVERIFICATION'],
    from_reasons: ['B1', 'B5', 'B6'],
    to: 'PENDINGIDVERIFICATION',
    reason: 'B2',
    effects: ['an IDENTITY_VERIFICATION event with a new SDK token'],
  },
  {
    trigger: 'changeStatus',
    when: 'a tester asks for a new SDK token before the first check',
    from: ['PENDINGIDVERIFICATION'],
    from_reasons: ['I0'],
    sandbox: true,
    to: 'PENDINGIDVERIFICATION',
    reason: 'B2',
    effects: ['an IDENTITY_VERIFICATION event with a new SDK token'],
  },
  {
    trigger: 'changeStatus',
    when: 'the client has uploaded documents for identity verification',
    condition: 'a document is stored',
    from: ['PENDINGIDVERIFICATION'],
    from_reasons: ['I0', 'B1', 'B2', 'B5', 'B6', 'B9', 'B10'],
    to: 'PENDINGIDVERIFICATION',
    reason: 'B0',
    effects: ['identity verification starts'],
  },
  {
    trigger: 'changeStatus',
    when: 'the client re-initiates identity verification after expiry',
    from: ['ACTIVE'],
    from_reasons: ['A6', 'A8'],
    to: 'ACTIVE',
    reason: 'B2E',
    effects: ['an IDENTITY_VERIFICATION event with a new SDK token'],
  },
  {
    trigger: 'changeStatus',
    when: 'the client has uploaded documents again after expiry',
    condition: 'a document is stored',
    from: ['ACTIVE'],
    from_reasons: ['A6', 'A8', 'B2E', 'B9E', 'B10E'],
    to: 'ACTIVE',
    reason: 'B0E',
    effects: ['identity verification starts'],
  },
]

const reviews: readonly Transition[] = [
  {
    trigger: 'review_approval',
    when: 'compliance approves',
    from: ['PENDINGKYB'],
    to: 'ACTIVE',
    reason: 'A0',
  },
  {
    trigger: 'review_approval',
    when: 'compliance lifts its own suspension',
    from: ['SUSPENDED'],
    from_reasons: ['S5'],
    to: 'ACTIVE',
    reason: 'A0',
  },
  {
    trigger: 'review_rejection',
    when: 'compliance does not find the documents in order',
    from: ['PENDINGIDVERIFICATION', 'PENDINGKYC', 'PENDINGKYB', 'ACTIVE'],
    to: 'SUSPENDED',
    reason: 'S5',
    effects: ['additional documents are requested'],
  },
  {
    trigger: 'review_rejection',
    when: 'compliance rejects a user that the client has suspended',
    from: ['SUSPENDED'],
    from_reasons: ['S0'],
    to: 'SUSPENDED',
    reason: 'S5',
    effects: ['additional documents are requested'],
  },
]

const kyc: readonly Transition[] = [
  {
    trigger: 'kyc_not_required',
    when: 'identity verification has passed',
    condition: 'require_kyc is false',
    from: ['PENDINGKYC'],
    to: 'ACTIVE',
    reason: 'A0',
  },
  {
    trigger: 'kyc_ok',
    when: 'a KYC request ends OK',
    from: ['PENDINGKYC'],
    to: 'ACTIVE',
    reason: 'A0',
    effects: ['kyc_policy_passed is set', 'KYC_RESULT event'],
  },
]

type Reported = readonly [
  trigger: Transition['trigger'],
  to: Transition['to'],
  reason: Transition['reason'],
  when: string,
]

/** The effect of a report on a user that awaits one in this status with one of these reasons. */
const reportedIn =
  (status: Transition['to'], from_reasons: NonNullable<Transition['from_reasons']>) =>
  ([trigger, to, reason, when]: Reported): Transition => ({
    trigger,
    when,
    from: [status],
    from_reasons,
    to,
    reason,
    ...(trigger !== 'idv_clear' && { effects: ['IDENTITY_VERIFICATION event'] }),
  })

/** The first verification: a report is awaited in I0, B2 and B0. */
const verification: readonly Transition[] = (
  [
    ['idv_clear', 'PENDINGKYC', 'I0', 'IDV completes successfully'],
    ['idv_not_verified', 'PENDINGIDVERIFICATION', 'B1', 'IDV finds the user not verified'],
    ['idv_suspected', 'TERMINATED', 'T13', 'a re-initiated IDV gets SUSPECTED'],
    ['idv_rejected', 'TERMINATED', 'T12', 'a re-initiated IDV gets REJECTED'],
    ['idv_country', 'PENDINGIDVERIFICATION', 'B9', 'the issuing country is not allowed'],
    [
      'idv_caution_and_country',
      'PENDINGIDVERIFICATION',
      'B10',
      'IDV considers with caution, and the issuing country is not allowed',
    ],
    [
      'idv_document_requested',
      'PENDINGIDVERIFICATION',
      'B5',
      'the provider asks for another document',
    ],
    ['idv_abandoned', 'PENDINGIDVERIFICATION', 'B6', 'the applicant abandons the verification'],
  ] as const
).map(reportedIn('PENDINGIDVERIFICATION', ['I0', 'B0', 'B2']))

/** Verification after expiry: a report is awaited in B2E and B0E. */
const renewal: readonly Transition[] = (
  [
    ['idv_clear', 'ACTIVE', 'A7', 're-verification report CLEAR'],
    ['idv_not_verified', 'ACTIVE', 'A8', 're-verification report CONSIDER, caution'],
    ['idv_suspected', 'TERMINATED', 'T13E', 're-verification CONSIDER, suspected outcome'],
    ['idv_rejected', 'TERMINATED', 'T12E', 're-verification CONSIDER, terminated outcome'],
    ['idv_country', 'ACTIVE', 'B9E', 'the issuing country is not allowed, after expiry'],
    [
      'idv_caution_and_country',
      'ACTIVE',
      'B10E',
      'CONSIDER, caution, and the issuing country is not allowed, after expiry',
    ],
    ['idv_document_requested', 'ACTIVE', 'A8', 'the provider asks for another document'],
    ['idv_abandoned', 'ACTIVE', 'A8', 'the applicant abandons the re-verification'],
  ] as const
).map(reportedIn('ACTIVE', ['B0E', 'B2E']))

const expiry: readonly Transition[] = [
  {
    trigger: 'document_expiry',
    when: 'the expiry job finds a document that has expired or is about to',
    condition: 'INDIVIDUAL, in an applicable status',
    from: ['ACTIVE'],
    from_reasons: ['A0', 'A7'],
    to: 'ACTIVE',
    reason: 'A6',
    effects: ['USER_DOCUMENT_ALERT event'],
  },
]

export const transitions: readonly Transition[] = [
  ...creations,
  ...clientMoves,
  ...reviews,
  ...verification,
  ...renewal,
  ...kyc,
  ...expiry,
]

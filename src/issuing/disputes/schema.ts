/** The API schemas of disputes (D-1060 to D-1064). */

import { type Static, Type } from 'typebox'
import {
  Amount,
  AmountInput,
  Field,
  Instant,
  ListOf,
  ListQuery,
  Note,
  OneOf,
  Strict,
  Uuid,
} from '#kit/http/schema.ts'
import { credits, type ProvisionalCredit } from './rules/money.ts'
import {
  type EvidenceName,
  evidenceNames,
  type Reason,
  reasons,
  type Scheme,
  schemes,
} from './rules/reasons.ts'
import {
  type DisputeStatus,
  networkSteps,
  type Outcome,
  type Outgoing,
  outcomes,
  outgoings,
  type Step,
  statuses,
  steps,
} from './rules/states.ts'

const EXPLANATION_MOST = 4000
const EVIDENCE_MOST = 2000

const AMOUNT =
  'Amount that is disputed, in major units of the currency of the account. At most what is ' +
  'settled of the transaction and neither refunded nor disputed'
const EXPLANATION = 'What happened, for the reviewer at the merchant’s side.'
const CODE = 'Code of the scheme, one of those that the reason has; the first of them if left out.'

const Explanation = Type.String({
  minLength: 1,
  maxLength: EXPLANATION_MOST,
  format: 'not-blank',
  description: EXPLANATION,
})
const Code = Type.String({ maxLength: 8, description: CODE })
const ReasonInput = Field('Reason of the dispute.', OneOf(reasons))

const evidenceText = (description: string) =>
  Type.Optional(Type.String({ maxLength: EVIDENCE_MOST, description }))
// One text for each name of the table.
const texts = Object.fromEntries(
  Object.entries(evidenceNames).map(([name, description]) => [name, evidenceText(description)]),
) as { [Name in EvidenceName]: ReturnType<typeof evidenceText> }
const Evidence = Strict(texts, { title: 'DisputeEvidence', description: 'Texts of evidence.' })
export type Evidence = Static<typeof Evidence>

export const NewDispute = Strict({
  id: Type.Optional(Field('Id of the dispute; generated when left out.', Uuid)),
  transaction_id: Field('Id of the card transaction.', Uuid),
  amount: Type.Optional(Field(`${AMOUNT}; all of that if left out.`, AmountInput)),
  reason: ReasonInput,
  reason_code: Type.Optional(Code),
  explanation: Explanation,
  evidence: Type.Optional(Evidence),
})
export type NewDispute = Static<typeof NewDispute>

export const DisputeChanges = Strict({
  amount: Type.Optional(Field(`${AMOUNT}.`, AmountInput)),
  reason: Type.Optional(ReasonInput),
  reason_code: Type.Optional(Code),
  explanation: Type.Optional(Explanation),
  evidence: Type.Optional(Evidence),
})
export type DisputeChanges = Static<typeof DisputeChanges>

export const MoveNote = Strict({
  note: Type.Optional(Field('Note for the history of the dispute.', Note)),
})
export type MoveNote = Static<typeof MoveNote>

export const NetworkMove = Strict({
  step: Field(
    'SENT: the message in `outgoing` has left; a SUBMITTED dispute is CHARGED_BACK then. ' +
      'REPRESENT: the merchant’s side presented the transaction again. WIN, LOSE: it was ' +
      'decided. REJECT: the centre did not take what was sent.',
    OneOf(networkSteps),
  ),
  amount: Type.Optional(
    Field(
      'Part that a second presentment takes back, for REPRESENT; all if left out.',
      AmountInput,
    ),
  ),
  note: Type.Optional(Field('Note for the history, as the text of a rejection.', Note)),
})
export type NetworkMove = Static<typeof NetworkMove>

const STATUS =
  'DRAFT until it is submitted. SUBMITTED until the chargeback has left. CHARGED_BACK until the ' +
  'merchant’s side answers. REPRESENTED until the issuer accepts or arbitrates. PRE_ARBITRATION ' +
  'until the scheme decides. WON, LOST, ACCEPTED, WITHDRAWN and EXPIRED are final.'
const status = Field(STATUS, OneOf(statuses))

const Author = Type.Object(
  {
    kind: Type.String({ description: 'Kind of the actor: client, operator, network or system.' }),
    id: Type.String({ description: 'Id of the actor, of a person in a session.' }),
  },
  { description: 'Author of the step.' },
)

const DisputeMove = Type.Object({
  step: Field('Step that was made; OPEN for the first.', OneOf(['OPEN', ...steps])),
  status: Field('Status after it.', OneOf(statuses)),
  author: Author,
  note: Type.Optional(Type.String({ description: 'Note of the author.' })),
  amount: Type.Optional(Field('Part that a second presentment took back.', Amount)),
  created: Field('Time of the step.', Instant),
})

export const Dispute = Type.Object(
  {
    id: Field('Id of the dispute.', Uuid),
    transaction_id: Field('Id of the card transaction.', Uuid),
    account_id: Field('Id of the account.', Uuid),
    card_id: Field('Id of the card.', Uuid),
    user_id: Type.Optional(Field('Id of the user that holds the card.', Uuid)),
    status,
    outcome: Type.Optional(
      Field('How it ended; absent while it is open, and if it was never decided.', OneOf(outcomes)),
    ),
    reason: Field('Reason of the dispute.', OneOf(reasons)),
    scheme: Type.Optional(Field('Scheme of the card, if it is one of these.', OneOf(schemes))),
    reason_code: Type.Optional(Type.String({ description: 'Code of the reason at the scheme.' })),
    explanation: Type.String({ description: EXPLANATION }),
    evidence: Evidence,
    amount: Field('Amount that is disputed, in major units of `currency`.', Amount),
    currency: Type.String({ description: 'ISO 4217 code of the currency of the account.' }),
    provisional_credit: Field(
      'When the cardholder gets the amount provisionally: the setting ' +
        '`dispute_provisional_credit` as it was when the dispute was submitted, or opened.',
      OneOf(credits),
    ),
    credited_amount: Field('Amount that the account has got of it so far.', Amount),
    recovered_amount: Field('Amount that the card network has given back so far.', Amount),
    represented_amount: Field('Amount that the merchant’s side took back.', Amount),
    outgoing: Type.Optional(
      Field('Message that has still to leave for the card network.', OneOf(outgoings)),
    ),
    deadline: Type.Optional(
      Field('Until when whose turn it is may act; then the dispute is EXPIRED.', Instant),
    ),
    moves: Type.Array(DisputeMove, { description: 'Steps so far, oldest first.' }),
    created: Field('Time at which it was opened.', Instant),
    modified: Field('Time of the last change.', Instant),
  },
  { title: 'Dispute' },
)
export type Dispute = Static<typeof Dispute>
export const DisputeList = ListOf(Dispute)

export const DisputeFilePath = Strict({
  id: Field('Id of the dispute.', Uuid),
  file_id: Field('Id of the file.', Uuid),
})
export type DisputeFilePath = Static<typeof DisputeFilePath>

export const DisputeFile = Type.Object(
  {
    id: Field('Id of the file.', Uuid),
    dispute_id: Field('Id of the dispute.', Uuid),
    source: Field(
      'Side whose evidence it is. That of the MERCHANT comes with a second presentment, and stays.',
      OneOf(['ISSUER', 'MERCHANT']),
    ),
    file_name: Type.String({ description: 'Name of the file.' }),
    content_type: Type.String({ description: 'Media type under which the file is served.' }),
    size: Type.Integer({ minimum: 1, description: 'Size in bytes.' }),
    scan_status: Type.Optional(
      Field(
        'Result of the virus scan, absent without a scanner; only a CLEAN file is served then.',
        OneOf(['HELD', 'CLEAN', 'INFECTED']),
      ),
    ),
    created: Field('When the file was uploaded.', Instant),
  },
  { title: 'DisputeFile' },
)
export type DisputeFile = Static<typeof DisputeFile>
export const DisputeFileList = ListOf(DisputeFile)
export const DisputeFilesQuery = ListQuery({})

const FILES_PER_CALL_MAX = 5
const Bytes = Type.String({ format: 'binary', description: 'Content of a file.' })
export const DisputeUploadForm = Type.Object(
  {
    id: Type.Optional(Field('Id of the new file; generated when absent.', Uuid)),
    file_name: Type.Optional(
      Type.String({ description: 'Name of the file; that of its part when absent.' }),
    ),
    file: Type.Optional(Field('Content of a single file.', Bytes)),
    files: Type.Optional(
      Type.Array(Bytes, {
        minItems: 1,
        maxItems: FILES_PER_CALL_MAX,
        description: 'Contents of one to five files.',
      }),
    ),
  },
  { title: 'DisputeUpload' },
)

/** The part `file` answers its file, parts `files` answer a list. */
export const DisputeFilesUploaded = Type.Unsafe<DisputeFile | { data: DisputeFile[] }>({
  anyOf: [
    DisputeFile,
    Strict({ data: Type.Array(DisputeFile, { description: 'The new files.' }) }),
  ],
})

export const DisputeQuery = ListQuery({
  transaction_id: Type.Optional(Field('Lists only disputes of this transaction.', Uuid)),
  account_id: Type.Optional(Field('Lists only disputes of this account.', Uuid)),
  card_id: Type.Optional(Field('Lists only disputes of this card.', Uuid)),
  status: Type.Optional(Field('Lists only disputes of this status.', OneOf(statuses))),
  reason: Type.Optional(Field('Lists only disputes with this reason.', OneOf(reasons))),
  deadline_before: Type.Optional(
    Field('Lists only those whose deadline is before this time.', Instant),
  ),
  sort_by: Type.Optional(
    Field(
      '`created` lists all, newest first; `deadline` those that have a deadline, the next one ' +
        'first. `created` by default.',
      OneOf(['created', 'deadline'] as const),
    ),
  ),
})
export type DisputeQuery = Static<typeof DisputeQuery>

export const OutgoingQuery = Strict({
  tenant_id: Field('Tenant of the disputes.', Uuid),
})

export const OutgoingDisputes = Type.Object({
  data: Type.Array(Dispute, { description: 'Disputes, longest first.' }),
})

export const ReasonCodes = Type.Object({
  data: Type.Array(
    Type.Object(
      {
        scheme: Field('Scheme of the card.', OneOf(schemes)),
        code: Type.String({ description: 'Code of the scheme.' }),
        name: Type.String({ description: 'Name of the code.' }),
        reasons: Type.Array(OneOf(reasons), { description: 'Reasons for which it is used.' }),
        days: Type.Integer({ description: 'Days from the settlement to the submission.' }),
        evidence: Type.Array(Type.String(), { description: 'Names of the evidence that helps.' }),
      },
      { title: 'DisputeReasonCode' },
    ),
    { description: 'The first row of a scheme that has the reason is the one that is used.' },
  ),
})

/** As stored: the amount in minor units as text, because JSON has no bigint. */
export type StoredMove = {
  step: 'OPEN' | Step
  status: DisputeStatus
  author: { kind: string; id: string }
  note?: string
  amount?: string
  created: string
}

/** A dispute that the network may answer, with the steps that its status allows. */
export type AnswerableDispute = Pick<
  DisputeRow,
  'id' | 'transaction_id' | 'card_id' | 'amount' | 'settled' | 'currency'
> & { steps: readonly ('REPRESENT' | 'REJECT')[] }

/** A dispute with a message that has to leave. */
export type OutgoingDispute = DisputeRow & { outgoing: Outgoing }

/** A dispute as it is stored; amounts in minor units of `currency`. */
export type DisputeRow = {
  id: string
  transaction_id: string
  account_id: string
  card_id: string
  user_id: string | null
  status: DisputeStatus
  outcome: Outcome | null
  reason: Reason
  scheme: Scheme | null
  reason_code: string | null
  explanation: string
  evidence: Evidence
  amount: bigint
  currency: string
  settled: bigint
  represented: bigint
  provisional_credit: ProvisionalCredit
  credited: bigint
  recovered: bigint
  outgoing: Outgoing | null
  deadline: Date | null
  due: Date | null
  alerted: boolean
  moves: readonly StoredMove[]
  created: Date
  modified: Date
}

/** The contract of the disputes of a merchant (D-1065). */

import type { Selectable } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Database } from '#kit/db/tables.ts'
import {
  AmountInput,
  Field,
  Instant,
  ListOf,
  ListQuery,
  OneOf,
  Strict,
  Uuid,
} from '#kit/http/schema.ts'
import { networkSteps, statuses } from './rules.ts'

const TEXT_MOST = 4000
const text = (description: string) => Type.String({ description })
const FOUR_DECIMALS = 'in major units, with four decimals'
const SIX_DECIMALS = 'UTC with six decimals'

const STATUS =
  '`NEEDS_RESPONSE` until the merchant sends evidence or accepts, at the latest at `respond_by`. ' +
  '`UNDER_REVIEW` until it is decided. `WON` and `WITHDRAWN` give the amount back.'

const evidenceText = (description: string) =>
  Type.Optional(
    Type.String({ minLength: 1, maxLength: TEXT_MOST, format: 'not-blank', description }),
  )
const evidence = {
  explanation: evidenceText('What the merchant says about it.'),
  shipping_tracking: evidenceText('Carrier, tracking number and day of the delivery.'),
  proof_of_delivery: evidenceText('Who received it, when and where.'),
  customer_communication: evidenceText('Messages with the customer.'),
  refund_policy: evidenceText('The terms that the customer accepted.'),
  receipt: evidenceText('The receipt or invoice.'),
  other_transaction: evidenceText('The payment that is said to be the same one.'),
}
export const Evidence = Strict(evidence, { title: 'MerchantEvidence' })
export type Evidence = Static<typeof Evidence>
export const evidenceNames = Object.keys(evidence) as (keyof Evidence)[]

export const members = {
  dispute_id: Field('Id of the dispute.', Uuid),
  order_id: Field('Id of the order.', Uuid),
  reference: text('Reference of the order.'),
  status: Field(STATUS, OneOf(statuses)),
  reason: text('Reason of the cardholder, in the words of the network.'),
  reason_code: Type.Optional(text('Code of the scheme.')),
  currency: text('ISO 4217 alphabetic code.'),
  amount: text(`Amount that the network took back, ${FOUR_DECIMALS}.`),
  returned: Type.Optional(
    text(`Amount that was given back, ${FOUR_DECIMALS}; of what is \`WON\` or \`WITHDRAWN\`.`),
  ),
  fee: text(`Fee of the dispute, ${FOUR_DECIMALS}; it is not given back.`),
  respond_by: Type.Optional(text(`Until when the merchant may answer, ${SIX_DECIMALS}.`)),
}

export const Chargeback = Type.Object(
  {
    ...members,
    evidence: Type.Object(evidence, { description: 'Evidence that the merchant has sent.' }),
    created_at: text(`Time at which it was opened, ${SIX_DECIMALS}.`),
    updated_at: text(`Time of the last change, ${SIX_DECIMALS}.`),
  },
  { title: 'MerchantDispute' },
)
export type Chargeback = Static<typeof Chargeback>
export const Chargebacks = ListOf(Chargeback)

const sorts = ['created', 'respond_by'] as const

export const ChargebacksQuery = ListQuery({
  status: Type.Optional(Field('Lists only disputes of this status.', OneOf(statuses))),
  reason: Type.Optional(
    Type.String({ maxLength: 200, description: 'Lists only disputes with this reason.' }),
  ),
  respond_before: Type.Optional(
    Field('Lists only those that are to be answered before this time.', Instant),
  ),
  sort_by: Type.Optional(
    Field(
      '`created` lists all, newest first; `respond_by` those that wait for an answer, the next ' +
        'deadline first. `created` by default.',
      OneOf(sorts),
    ),
  ),
  reference: Type.Optional(
    Type.String({ maxLength: 200, description: 'Lists only disputes of the order with it.' }),
  ),
})
export type ChargebacksQuery = Static<typeof ChargebacksQuery>
export const ChargebackPath = Strict({ id: Field('Id of the dispute.', Uuid) })

export const NewChargeback = Strict({
  merchant_id: Field('Id of the merchant.', Uuid),
  reference: Type.String({ maxLength: 200, description: 'Reference of the order.' }),
  amount: Type.Optional(
    Field('Amount in major units of the order; all that is left of it if left out.', AmountInput),
  ),
  reason: Type.String({
    ...{ minLength: 1, maxLength: 200, format: 'not-blank' },
    description: 'Reason, in the words of the network.',
  }),
  reason_code: Type.Optional(Field('Code of the scheme.', Type.String({ maxLength: 8 }))),
  respond_by: Type.Optional(
    Field('Until when the merchant may answer; 20 days from now by default.', Instant),
  ),
})
export type NewChargeback = Omit<Static<typeof NewChargeback>, 'respond_by'> & {
  respond_by?: Date | string
}

export const NetworkStep = Strict({
  step: Field(
    'WIN and LOSE: it was decided, as the merchant sees it. WITHDRAW: the issuer took it back.',
    OneOf(networkSteps),
  ),
})

export type ChargebackRow = Selectable<Database['chargebacks']>

export const ChargebackFilePath = Strict({
  id: Field('Id of the dispute.', Uuid),
  file_id: Field('Id of the file.', Uuid),
})
export type ChargebackFilePath = Static<typeof ChargebackFilePath>

export const ChargebackFile = Type.Object(
  {
    id: Field('Id of the file.', Uuid),
    dispute_id: Field('Id of the dispute.', Uuid),
    file_name: text('Name of the file.'),
    content_type: text('Media type under which the file is served.'),
    size: Type.Integer({ minimum: 1, description: 'Size in bytes.' }),
    sha256: text('SHA-256 of the content, in hex.'),
    scan_status: Type.Optional(
      Field(
        'Result of the virus scan, absent without a scanner; only a CLEAN file is served then.',
        OneOf(['HELD', 'CLEAN', 'INFECTED']),
      ),
    ),
    created_at: text(`Time of the upload, ${SIX_DECIMALS}.`),
  },
  { title: 'MerchantDisputeFile' },
)
export type ChargebackFile = Static<typeof ChargebackFile>
export const ChargebackFiles = ListOf(ChargebackFile)
export const ChargebackFilesQuery = ListQuery({})

const FILES_PER_CALL_MAX = 5
const Bytes = Type.String({ format: 'binary', description: 'Content of a file.' })
export const ChargebackUploadForm = Type.Object(
  {
    id: Type.Optional(Field('Id of the new file; generated when absent.', Uuid)),
    file_name: Type.Optional(text('Name of the file; that of its part when absent.')),
    file: Type.Optional(Field('Content of a single file.', Bytes)),
    files: Type.Optional(
      Type.Array(Bytes, {
        minItems: 1,
        maxItems: FILES_PER_CALL_MAX,
        description: 'Contents of one to five files.',
      }),
    ),
  },
  { title: 'MerchantDisputeUpload' },
)

/** The part `file` answers its file, parts `files` answer a list. */
export const ChargebackFilesUploaded = Type.Unsafe<ChargebackFile | { data: ChargebackFile[] }>({
  anyOf: [
    ChargebackFile,
    Strict({ data: Type.Array(ChargebackFile, { description: 'The new files.' }) }),
  ],
})

export const DeletedChargebackFile = Type.Object({
  id: Field('Id of the file.', Uuid),
  deleted: Type.Boolean({ description: 'Always true.' }),
})

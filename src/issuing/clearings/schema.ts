/** The API schemas of clearing files (D-1040 to D-1043). */

import { type Static, Type } from 'typebox'
import { Field, Instant, ListOf, ListQuery, OneOf, Strict, Uuid } from '#kit/http/schema.ts'
import { recordKinds } from './rules/facts.ts'
import { recordStates, suspenseReasons } from './rules/ways.ts'

const reasons = Object.entries(suspenseReasons).map(([reason, text]) => `${reason}: ${text}`)

export const fileStates = ['CHECKING', 'REJECTED', 'POSTING', 'POSTED'] as const

const ClearingSum = Type.Object({
  state: Field('State of the records.', OneOf(recordStates)),
  kind: Field('Kind of the records.', OneOf(recordKinds)),
  currency: Type.Optional(
    Type.String({
      description: 'Currency of the transaction (DE49); left out where the records have no amount.',
    }),
  ),
  direction: Field(
    'DEBIT where the network takes the money, CREDIT where it pays.',
    OneOf(['DEBIT', 'CREDIT']),
  ),
  count: Type.Integer({ description: 'Number of records.' }),
  amount: Type.Number({ description: 'Sum of their amounts (DE4).' }),
})

export const Clearing = Type.Object(
  {
    id: Field('Id of the file on the platform.', Uuid),
    file: Type.Optional(
      Type.String({
        description: 'Id of the file at the network (PDS 0105); left out where it has none.',
      }),
    ),
    sha256: Type.Optional(
      Type.String({
        description: 'Digest of its bytes in hexadecimal; left out while it is checked.',
      }),
    ),
    state: Field(
      'REJECTED files are posted in no part. POSTING has records that wait.',
      OneOf(fileStates),
    ),
    records: Type.Integer({ description: 'Number of records, header and trailer too.' }),
    faults_count: Type.Integer({ description: 'Number of faults of a rejected file.' }),
    faults: Type.Array(Type.String(), { description: 'The first 100 of them.' }),
    created: Field('Time of the import.', Instant),
    sums: Type.Optional(
      Type.Array(ClearingSum, { description: 'Its records by state, kind and currency.' }),
    ),
  },
  { title: 'Clearing' },
)
export type Clearing = Static<typeof Clearing>
/** The answer of an import, whose version is that of the file. */
export const ImportedClearing = Type.Object(
  {
    ...Clearing.properties,
    known: Type.Boolean({ description: 'Whether it was imported before; nothing changed then.' }),
  },
  { title: 'ImportedClearing' },
)
export type ImportedClearing = Static<typeof ImportedClearing>
export const Clearings = ListOf(Clearing)
export const ClearingsQuery = ListQuery({})

export const ClearingPath = Strict({ id: Field('Id of the file on the platform.', Uuid) })
export const RecordPath = Strict({
  id: Field('Id of the file on the platform.', Uuid),
  number: Type.String({ maxLength: 36, description: 'Number of the record in its file.' }),
})

/** The form of the upload. */
export const ClearingUpload = Type.Object({
  file: Type.String({ format: 'binary', description: 'The clearing file.' }),
  tenant_id: Type.Optional(
    Field(
      'Tenant of records without a card of the platform; left out, that of the first other one.',
      Uuid,
    ),
  ),
})
export type NewClearing = { id: string; known: boolean }

export const ClearingRecordAnswer = Type.Object(
  {
    number: Type.Integer({ description: 'Number in its file, from 1.' }),
    byte: Type.Integer({ description: 'Place in its file.' }),
    tenant_id: Field('Tenant of its card.', Uuid),
    mti: Type.String({ description: 'Message type.' }),
    function_code: Type.String({ description: 'DE24.' }),
    kind: Field('Meaning of the message type.', OneOf(recordKinds)),
    state: Field(
      'POSTED to a card or to a dispute, BOOKED to fees, SUSPENDED until a person resolves it, ' +
        'or SHOWN, because it moves no money.',
      OneOf(recordStates),
    ),
    direction: Field('DEBIT where the network takes the money.', OneOf(['DEBIT', 'CREDIT'])),
    amount: Type.Optional(Type.Number({ description: 'DE4.' })),
    currency: Type.Optional(Type.String({ description: 'DE49.' })),
    booked_amount: Type.Optional(Type.Number({ description: 'Amount in suspense or fees.' })),
    booked_currency: Type.Optional(Type.String({ description: 'Its currency.' })),
    card_id: Type.Optional(Field('Card of its number.', Uuid)),
    transaction_id: Type.Optional(
      Field('Transaction that it has posted, or was declined as.', Uuid),
    ),
    dispute_id: Type.Optional(Field('Dispute that it has moved.', Uuid)),
    status_code: Type.Optional(Type.String({ description: 'Code of the engine.' })),
    reason: Type.Optional(
      Type.String({
        description: `Why it is in suspense. ${reasons.join('; ')}.`,
      }),
    ),
    reversed: Type.Boolean({ description: 'Whether a later record has reversed it.' }),
    resolution: Type.Optional(
      Type.String({
        description: 'POSTED, RETURNED or WRITTEN_OFF, by a person.',
      }),
    ),
    note: Type.Optional(Type.String({ description: 'Note of that person.' })),
    resolved: Type.Optional(Field('Time of that.', Instant)),
    content: Type.Record(Type.String(), Type.String(), {
      description: 'The record field by field; its card number is masked.',
    }),
  },
  { title: 'ClearingRecord' },
)
export type ClearingRecordAnswer = Static<typeof ClearingRecordAnswer>

const RECORDS_MAX = 200
export const RecordsQuery = Strict({
  state: Type.Optional(Field('Records in this state only.', OneOf(recordStates))),
  after: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Records behind the one with this number.' }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: RECORDS_MAX, description: 'Records of the answer: 50.' }),
  ),
})
export type RecordsQuery = Static<typeof RecordsQuery>
export const ClearingRecords = Type.Object({
  data: Type.Array(ClearingRecordAnswer, { description: 'Records in the order of the file.' }),
  has_more: Type.Boolean({ description: 'Whether others follow.' }),
})

export const actions = ['POST', 'RETURN', 'WRITE_OFF'] as const
export const Resolution = Strict({
  action: Field(
    'POST posts it to a card, RETURN takes its amount out of suspense, because the network gets ' +
      'or gives it back, WRITE_OFF books it to fees.',
    OneOf(actions),
  ),
  card_id: Type.Optional(Field('Card of a POST; left out, the one of its number.', Uuid)),
  note: Type.String({ minLength: 1, maxLength: 500, description: 'Why it is resolved so.' }),
})
export type Resolution = Static<typeof Resolution>

export const NewExport = Strict({
  tenant_id: Field('Tenant whose messages leave.', Uuid),
  institution: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,11}$',
      description: 'Id of the issuer at the network, in PDS 0105 and DE94; zeros if left out.',
    }),
  ),
  ebcdic: Type.Optional(Type.Boolean({ description: 'EBCDIC (code page 500), not ASCII.' })),
  blocked: Type.Optional(Type.Boolean({ description: 'Blocks of 1,014 bytes.' })),
})
export type NewExport = Static<typeof NewExport>

export const ClearingExport = Type.Object(
  {
    id: Field('Id of the file on the platform.', Uuid),
    file: Type.String({ description: 'Id of the file (PDS 0105).' }),
    messages: Type.Integer({ description: 'Messages between header and trailer.' }),
    amount: Type.String({ description: 'Sum of their DE4, as its trailer has it.' }),
    created: Field('When it was made.', Instant),
  },
  { title: 'ClearingExport' },
)
export type ClearingExport = Static<typeof ClearingExport>
export const ClearingExports = ListOf(ClearingExport)

const ofTenant = { tenant_id: Field('Tenant of the file.', Uuid) }
export const ExportQuery = ListQuery(ofTenant)
export type ExportQuery = Static<typeof ExportQuery>
export const OneExportQuery = Strict(ofTenant)

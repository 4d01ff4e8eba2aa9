/** Settlement files as the operator sees them. Amounts are in major units. */

import { type Static, Type } from 'typebox'
import { Amount, Field, Instant, ListOf, ListQuery, OneOf, Strict, Uuid } from '#kit/http/schema.ts'
import { type FindingKind, findingKinds } from './compare.ts'
import { recordTypes } from './file.ts'

const text = (description: string) => Type.String({ description })
const count = (description: string) => Type.Integer({ description })
const currency = text('ISO 4217 code.')
const kind = Field('Kind of the finding.', OneOf(Object.keys(findingKinds) as FindingKind[]))
const type = (description: string) => Field(description, OneOf(['CAPTURE', 'REFUND']))

const Sum = Type.Object({
  type: Field('Captures, refunds, or parts of chargebacks.', OneOf(recordTypes)),
  currency,
  count: count('How many records the file has of it.'),
  amount: Field('Sum of these records.', Amount),
})

const summary = {
  id: Field('Id of the import.', Uuid),
  file: text('The acquirer and the day, by which both sides know the file.'),
  acquirer_id: text('The acquirer (DE32).'),
  date: text('The day, YYYY-MM-DD of UTC.'),
  sha256: text('Digest of the bytes of the file, in hexadecimal.'),
  records: count('How many records the file has.'),
  sums: Type.Array(Sum, { description: 'Its records by currency and type.' }),
  status: Field('AGREES where nothing was found.', OneOf(['AGREES', 'DIFFERS'])),
  findings_count: count('How many findings there are.'),
  findings_by_kind: Type.Array(
    Type.Object({ kind, count: count('How many findings are of the kind.') }),
    { description: 'How many findings there are of each kind.' },
  ),
  over_midnight: count('Postings near midnight that may be in the file of the day beside.'),
  created: Field('When it was imported, in real time.', Instant),
}

const Finding = Type.Object({
  kind,
  type: type('Type of the record or the posting.'),
  rrn: text('Retrieval reference number (DE37).'),
  record: Type.Optional(
    Type.Object(
      {
        number: count('Number of the record in the file.'),
        stan: text('Trace number (DE11).'),
        amount: Field('Its amount.', Amount),
        currency,
      },
      { description: 'Record of the file; absent if the file lacks the posting.' },
    ),
  ),
  issuer: Type.Optional(
    Type.Object(
      {
        tenant_id: Field('Id of the tenant whose card it is.', Uuid),
        transaction_id: Field('Id of the transaction.', Uuid),
        amount: Field('Amount that was posted.', Amount),
        currency,
        time: Field('When it was posted, on the clock of the tenant.', Instant),
      },
      { description: 'Posting of the issuer; absent if the issuer lacks the record.' },
    ),
  ),
  detail: text('The finding in a sentence.'),
})

export const SettlementSummary = Type.Object(summary, { title: 'SettlementSummary' })
export type SettlementSummary = Static<typeof SettlementSummary>
export const Settlement = Type.Object(
  { ...summary, findings: Type.Array(Finding, { description: 'The first 500 findings.' }) },
  { title: 'Settlement' },
)
export type Settlement = Static<typeof Settlement>
export const SettlementsQuery = ListQuery({})
export type SettlementsQuery = Static<typeof SettlementsQuery>
export const Settlements = ListOf(SettlementSummary)
export const SettlementPath = Strict({ id: summary.id })

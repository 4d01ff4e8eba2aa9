/** The reconciliation of a day, as the API and the command show it. Amounts are in major units. */

import { type Static, Type } from 'typebox'
import { Amount, AmountOfCurrency, Field, Instant, OneOf, Strict, Uuid } from '#kit/http/schema.ts'
import { type FileKind, fileKinds } from './files/kinds.ts'
import { books, entries, type Kind, kinds, type OpenReason, openReasons } from './rules/kinds.ts'

/** More differences, and more open entries, are in the CSV alone. */
export const LISTED_MAX = 500

const currency = Type.String({ description: 'ISO 4217 code.' })

const Sum = Type.Object({
  count: Type.Integer({ description: 'How many entries of the day the book has.' }),
  amount: Field('Sum of these entries, in major units.', Amount),
})

const BookSums = Type.Object({
  book: Field('Orders of merchants, messages of the acquirer, or the issuer.', OneOf(books)),
  currency,
  authorizations: Field('Payments, which move no money.', Sum),
  captures: Field('Captures of payments.', Sum),
  refunds: Field('Refunds of captured payments.', Sum),
})

const MerchantSums = Type.Object({
  tenant_id: Field('Id of the tenant of the merchant.', Uuid),
  merchant_id: Type.Optional(Field('Id of the merchant, where it is one of the program.', Uuid)),
  merchant_name: Type.Optional(Type.String({ description: 'Name of the merchant.' })),
  card_acceptor_id: Type.Optional(
    Type.String({ description: 'DE42, where the merchant is none of the program.' }),
  ),
  books: Type.Array(BookSums, { description: 'The books, by currency.' }),
})

const Side = Type.Object({
  id: Field('Id of the order, operation, message, transaction, chargeback or dispute.', Uuid),
  tenant_id: Field('Id of the tenant in whose book it is.', Uuid),
  amount: AmountOfCurrency,
  currency,
  time: Field('When it was made, on the clock of its tenant.', Instant),
})

const entry = {
  entry: Field('Kind of the entry.', OneOf(entries)),
  tenant_id: Field('Id of the tenant.', Uuid),
  merchant_id: Type.Optional(Field('Id of the merchant.', Uuid)),
  order_id: Type.Optional(Field('Id of the order.', Uuid)),
  order_reference: Type.Optional(Type.String({ description: 'Reference of the order.' })),
  rrn: Type.Optional(Type.String({ description: 'Retrieval reference number (DE37).' })),
  orders: Type.Optional(Field('Entry of the orders.', Side)),
  acquirer: Type.Optional(Field('Entry of the messages of the acquirer.', Side)),
  issuer: Type.Optional(Field('Entry of the issuer.', Side)),
  detail: Type.String({ description: 'The difference, or why the entry is open, in a sentence.' }),
}

const Difference = Type.Object({
  kind: Field('Kind of the difference.', OneOf(Object.keys(kinds) as Kind[])),
  ...entry,
})
const Open = Type.Object({
  reason: Field('Why it is no difference.', OneOf(Object.keys(openReasons) as OpenReason[])),
  ...entry,
})

const FileSums = Type.Object({
  clearing_id: Field('Id of the file on the platform.', Uuid),
  file: Type.Optional(Type.String({ description: 'Id of the file at the network (PDS 0105).' })),
  tenant_id: Field('Id of the tenant of the records.', Uuid),
  currency,
  records: Field('Records of the file in the currency: the sum of the parts.', Sum),
  posted: Field('Posted to cards and disputes.', Sum),
  fees: Field('Booked to fees.', Sum),
  suspense: Field('In suspense.', Sum),
  resolved: Field('Resolved by a person.', Sum),
  shown: Field('Records that move no money.', Sum),
  waiting: Field('Not posted yet.', Sum),
})

const FileDifference = Type.Object({
  kind: Field('Kind of the difference.', OneOf(Object.keys(fileKinds) as FileKind[])),
  tenant_id: Field('Id of the tenant.', Uuid),
  clearing_id: Type.Optional(Field('Id of the file on the platform.', Uuid)),
  number: Type.Optional(Type.Integer({ description: 'Number of the record in its file.' })),
  transaction_id: Type.Optional(Field('Id of the transaction.', Uuid)),
  detail: Type.String({ description: 'The difference in a sentence, with its amounts.' }),
})

export const Reconciliation = Type.Object(
  {
    date: Type.String({ description: 'The day, YYYY-MM-DD of UTC.' }),
    from: Field('First instant of the day.', Instant),
    to: Field('First instant of the next day.', Instant),
    as_of: Field('When the books were read, in real time.', Instant),
    status: Field('AGREES where nothing differs.', OneOf(['AGREES', 'DIFFERS'])),
    issuer: Field(
      'ELSEWHERE where payments go to another program: its book is then not compared.',
      OneOf(['OWN', 'ELSEWHERE']),
    ),
    payments: Type.Integer({ description: 'How many payments were compared.' }),
    disputed_payments: Type.Optional(
      Type.Integer({
        description:
          'How many payments with a chargeback or a dispute of the day were compared; absent ' +
          'if none.',
      }),
    ),
    books: Type.Array(BookSums, { description: 'The books of all merchants, by currency.' }),
    files: Type.Array(FileSums, {
      description: 'The clearing files of the day, by currency; none of one merchant.',
    }),
    merchants: Type.Array(MerchantSums, { description: 'The same for each merchant.' }),
    differences_count: Type.Integer({ description: 'How many differences there are.' }),
    differences: Type.Array(Difference, { description: `The first ${LISTED_MAX} differences.` }),
    open_count: Type.Integer({ description: 'How many entries are under way.' }),
    open: Type.Array(Open, { description: `The first ${LISTED_MAX} entries under way.` }),
    file_differences_count: Type.Integer({
      description: 'How many differences clearing files have.',
    }),
    file_differences: Type.Array(FileDifference, { description: `The first ${LISTED_MAX}.` }),
  },
  { title: 'Reconciliation' },
)
export type Reconciliation = Static<typeof Reconciliation>

export const ReconciliationQuery = Strict({
  date: Field('The day, YYYY-MM-DD of UTC.', Type.String({ format: 'date' })),
  tenant_id: Type.Optional(Field('Compares only the books of this tenant.', Uuid)),
  merchant_id: Type.Optional(Field('Compares only the payments of this merchant.', Uuid)),
})
export type ReconciliationQuery = Static<typeof ReconciliationQuery>

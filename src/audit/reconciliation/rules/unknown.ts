/** The issuer's transactions with a retrieval reference that no message of the acquirer has. */

import { type Day, isWithin } from './day.ts'
import type { EntryType } from './kinds.ts'
import type { Compared, Counted, IssuerTransaction } from './model.ts'
import { detailOf } from './words.ts'

/** One difference for the transaction; all its entries of the day count in the issuer's book. */
export function unknownReference(
  transaction: IssuerTransaction,
  merchant_id: string | undefined,
  day: Day,
): Compared {
  const { tenant_id, id, rrn, currency, created: at, authorized, type } = transaction
  const { acceptor, postings } = transaction
  const whose = { tenant_id, merchant_id, acceptor: acceptor ?? undefined, currency }
  const isOfDay = ({ created }: { created: Date }) => isWithin(day, created)
  const posted = type === 'REFUND' ? 'REFUND' : 'CAPTURE'
  const counted: Counted[] = postings
    .filter(isOfDay)
    .map(({ amount }) => ({ ...whose, book: 'ISSUER', entry: posted, amount }))
  if (type === 'PURCHASE' && isOfDay(transaction)) {
    counted.push({ ...whose, book: 'ISSUER', entry: 'AUTHORIZATION', amount: authorized })
  }
  const entry: EntryType = type === 'PURCHASE' && isOfDay(transaction) ? 'AUTHORIZATION' : posted
  const side = { id, currency, at, tenant_id, amount: authorized }
  const detail = detailOf.unknown_reference(entry, side, rrn)
  const found = { entry, tenant_id, merchant_id, rrn, sides: { ISSUER: side }, detail }
  const none = { order_id: undefined, order_reference: undefined }
  return { differences: [{ ...found, ...none, kind: 'unknown_reference' }], open: [], counted }
}

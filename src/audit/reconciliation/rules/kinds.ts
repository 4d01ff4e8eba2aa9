/** The names in a reconciliation: the books, their entries, differences, and open entries. */

export const books = ['ORDERS', 'ACQUIRER', 'ISSUER'] as const
export type Book = (typeof books)[number]

/** An authorization is counted with its amount, and moves no money. */
export const entryTypes = ['AUTHORIZATION', 'CAPTURE', 'REFUND'] as const
export type EntryType = (typeof entryTypes)[number]

/** A chargeback of a shop and the dispute of the issuer are compared, and are in no sum. */
export const entries = [...entryTypes, 'CHARGEBACK'] as const
export type AnyEntry = (typeof entries)[number]

/** Differences by their kinds, in the order in which one entry can have them (D-717). */
export const kinds = {
  missing_authorization: 'A payment is in one book and not in another.',
  missing_capture: 'A capture is in one book and not in another.',
  missing_refund: 'A refund is in one book and not in another.',
  missing_reversal: 'The acquirer took a message back, and it is in effect at the issuer.',
  doubled_authorization: 'One book has a payment once more than the others.',
  doubled_capture: 'One book has a capture once more than the others.',
  doubled_refund: 'One book has a refund once more than the others.',
  other_currency: 'Two books have an entry in different currencies.',
  other_amount: 'Two books have an entry with different amounts.',
  other_day: 'Two books have an entry on different days, and it was not under way in between.',
  unknown_reference: 'The issuer has a retrieval reference that no message of the acquirer has.',
  hold_remains: 'The issuer holds funds for a payment of which nothing more is captured.',
  missing_chargeback: 'The issuer has charged a payment back, and its shop has no chargeback.',
  missing_dispute: 'A shop has a chargeback, and the issuer has not charged the payment back.',
  other_status: 'A chargeback and its dispute are in states that do not belong together.',
  payout_differs:
    'A payout lacks a chargeback of its day, or has it with another amount or another fee.',
  ledger_differs: 'The ledger of the issuer moved another amount than its transaction says.',
} as const satisfies Record<string, string>
export type Kind = keyof typeof kinds

/** Work under way is no difference (D-718). */
export const openReasons = {
  unanswered: 'The outcome of its message is not known yet.',
  reversing: 'Its message is being reversed.',
  in_file: 'It reaches the issuer by a clearing file, which the issuer has not posted yet.',
  operation_pending: 'The merchant’s request is under way.',
  over_midnight: 'It was under way at midnight: one book has it the day before, another after.',
  changing: 'It changed while it was compared.',
} as const satisfies Record<string, string>
export type OpenReason = keyof typeof openReasons

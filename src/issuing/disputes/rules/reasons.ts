/**
 * The reasons of disputes: the codes of the schemes, the days within which each is submitted, and
 * the evidence that the merchant's side asks for (D-1060). Data; docs/disputes.md shows it.
 */

export const schemes = ['MASTERCARD', 'VISA'] as const
export type Scheme = (typeof schemes)[number]

export const reasons = [
  'FRAUD',
  'NOT_RECEIVED',
  'NOT_AS_DESCRIBED',
  'CANCELLED',
  'CREDIT_NOT_PROCESSED',
  'DUPLICATE',
  'WRONG_AMOUNT',
  'PAID_BY_OTHER_MEANS',
  'CASH_NOT_DISPENSED',
  'OTHER',
] as const
export type Reason = (typeof reasons)[number]

/** The texts of evidence, and what each contains. */
export const evidenceNames = {
  cardholder_statement: 'What the cardholder says, in their own words.',
  merchant_contact: 'When and how the cardholder tried to settle it with the merchant.',
  expected_date: 'The day on which the goods or the service were due.',
  description: 'What was ordered, and in which way it differs.',
  return_proof: 'Proof that the goods were sent back or offered back.',
  cancellation: 'When and how the purchase was cancelled, and the terms of cancellation.',
  credit_proof: 'The credit note or promise of the merchant.',
  other_transaction: 'The other payment: its id, day, amount and means.',
  correct_amount: 'The amount that was agreed, and its receipt.',
  card_possession: 'Where the card was, and whether it was lost or stolen.',
} as const
export type EvidenceName = keyof typeof evidenceNames

/** A code of a scheme, and the reasons for which it is used; the first row that fits is taken. */
export type ReasonCode = {
  scheme: Scheme
  code: string
  name: string
  reasons: readonly Reason[]
  /** Days from the settlement within which a dispute is submitted. */
  days: number
  evidence: readonly EvidenceName[]
}

type Row = readonly [
  code: string,
  name: string,
  reasons: readonly Reason[],
  days: number,
  evidence: readonly EvidenceName[],
]

const asFraud = ['cardholder_statement', 'card_possession'] as const
const asGoods = ['merchant_contact', 'description', 'return_proof'] as const
const asCancelled = ['merchant_contact', 'cancellation'] as const
const asTwice = ['other_transaction'] as const

const mastercard: readonly Row[] = [
  ['4837', 'No cardholder authorization', ['FRAUD'], 120, asFraud],
  ['4870', 'Chip liability shift', ['FRAUD'], 120, asFraud],
  ['4871', 'Chip and PIN liability shift', ['FRAUD'], 120, asFraud],
  [
    '4853',
    'Cardholder dispute',
    ['NOT_RECEIVED', 'NOT_AS_DESCRIBED', 'CANCELLED', 'CREDIT_NOT_PROCESSED', 'OTHER'],
    120,
    ['merchant_contact', 'expected_date', 'description', 'cancellation', 'credit_proof'],
  ],
  [
    '4834',
    'Point-of-interaction error',
    ['DUPLICATE', 'WRONG_AMOUNT', 'PAID_BY_OTHER_MEANS', 'CASH_NOT_DISPENSED'],
    90,
    ['other_transaction', 'correct_amount'],
  ],
  ['4808', 'Authorization-related chargeback', ['OTHER'], 90, []],
]

const visa: readonly Row[] = [
  ['10.4', 'Other fraud, card absent', ['FRAUD'], 120, asFraud],
  ['10.1', 'EMV liability shift, counterfeit', ['FRAUD'], 120, asFraud],
  ['10.2', 'EMV liability shift, not counterfeit', ['FRAUD'], 120, asFraud],
  ['10.3', 'Other fraud, card present', ['FRAUD'], 120, asFraud],
  ['10.5', 'Fraud monitoring program', ['FRAUD'], 120, asFraud],
  ['13.1', 'Merchandise or services not received', ['NOT_RECEIVED'], 120, ['expected_date']],
  ['13.3', 'Not as described or defective', ['NOT_AS_DESCRIBED'], 120, asGoods],
  ['13.4', 'Counterfeit merchandise', ['NOT_AS_DESCRIBED'], 120, asGoods],
  ['13.7', 'Cancelled merchandise or services', ['CANCELLED'], 120, asCancelled],
  ['13.2', 'Cancelled recurring', ['CANCELLED'], 120, asCancelled],
  ['13.6', 'Credit not processed', ['CREDIT_NOT_PROCESSED'], 120, ['credit_proof']],
  ['12.6', 'Duplicate, or paid by other means', ['DUPLICATE'], 120, asTwice],
  ['12.6', 'Duplicate, or paid by other means', ['PAID_BY_OTHER_MEANS'], 120, asTwice],
  ['12.5', 'Incorrect amount', ['WRONG_AMOUNT'], 120, ['correct_amount']],
  ['13.9', 'Cash not received at a terminal', ['CASH_NOT_DISPENSED'], 120, []],
  ['13.5', 'Misrepresentation', ['OTHER'], 120, asGoods],
  ['13.8', 'Original credit not accepted', ['OTHER'], 120, []],
  ['11.1', 'Card recovery bulletin', ['OTHER'], 75, []],
  ['11.2', 'Declined authorization', ['OTHER'], 75, []],
  ['11.3', 'No authorization', ['OTHER'], 75, []],
  ['12.1', 'Late presentment', ['OTHER'], 120, []],
  ['12.2', 'Incorrect transaction code', ['OTHER'], 120, []],
  ['12.3', 'Incorrect currency', ['OTHER'], 120, []],
  ['12.4', 'Incorrect account number', ['OTHER'], 120, []],
  ['12.7', 'Invalid data', ['OTHER'], 75, []],
]

const codesOf = (scheme: Scheme, rows: readonly Row[]): ReasonCode[] =>
  rows.map(([code, name, of, days, evidence]) => ({
    scheme,
    code,
    name,
    reasons: of,
    days,
    evidence,
  }))

export const reasonCodes: readonly ReasonCode[] = [
  ...codesOf('MASTERCARD', mastercard),
  ...codesOf('VISA', visa),
]

/** The days of a card of no known scheme, which has no codes. */
export const DAYS_WITHOUT_SCHEME = 120

/** The scheme of a card by the beginning of its number. */
export function schemeOf(bin: string): Scheme | null {
  if (bin.startsWith('4')) return 'VISA'
  return /^(5[1-5]|2[2-7])/.test(bin) ? 'MASTERCARD' : null
}

/** The row of a reason at a scheme, with that code if one is named; undefined if there is none. */
export const codeOf = (scheme: Scheme | null, reason: Reason, code?: string) =>
  reasonCodes.find(
    (row) =>
      row.scheme === scheme &&
      row.reasons.includes(reason) &&
      (code === undefined || row.code === code),
  )

/**
 * Days from one step to the next (D-1061): those of the merchant's side for a chargeback, of the
 * issuer for a representment, and of the scheme for an arbitration. With `silence_wins` the side
 * that does not answer a chargeback or an arbitration loses it. An unknown scheme says none of it.
 */
type Terms = { answer: number; arbitrate: number; verdict: number; silence_wins: boolean }
export const terms: Readonly<Record<Scheme, Terms>> = {
  MASTERCARD: { answer: 45, arbitrate: 45, verdict: 45, silence_wins: true },
  VISA: { answer: 30, arbitrate: 30, verdict: 30, silence_wins: true },
}

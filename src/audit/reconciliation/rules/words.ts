/** The sentences of a reconciliation. */

import { isCurrency } from '#lib/currency.ts'
import { formatDecimal } from '#lib/money.ts'
import type { Book, EntryType, Kind } from './kinds.ts'
import type { IssuerTransaction, Side, Sides } from './model.ts'
import type { Slot } from './slots.ts'

export const bookName = {
  ORDERS: 'The orders',
  ACQUIRER: 'The acquirer',
  ISSUER: 'The issuer',
} as const satisfies Record<Book, string>
const inBook = {
  ORDERS: 'the orders',
  ACQUIRER: 'the messages of the acquirer',
  ISSUER: 'the book of the issuer',
} as const satisfies Record<Book, string>
const entryName = {
  AUTHORIZATION: 'payment',
  CAPTURE: 'capture',
  REFUND: 'refund',
} as const satisfies Record<EntryType, string>

type Own = readonly [Book, Side]

/** Major units with as many decimals as the currency has; minor units if it is none. */
export const decimal = (amount: bigint, currency: string): string =>
  isCurrency(currency) ? formatDecimal(amount, currency) : String(amount)

/** The amount in major units with its currency; an unknown currency has minor units. */
export function amountText({ amount, currency }: Pick<Side, 'amount' | 'currency'>): string {
  return `${decimal(amount, currency)} ${currency}`.trim()
}

export function missingText(
  kind: Kind,
  entry: EntryType,
  sides: Sides,
  missing: readonly Book[],
): string {
  const [first] = Object.values(sides)
  const what = first ? `The ${entryName[entry]} of ${amountText(first)}` : `The ${entryName[entry]}`
  const present = listed(Object.keys(sides) as Book[])
  return kind.startsWith('doubled')
    ? `${what} is once more in ${present} than elsewhere.`
    : `${what} is in ${present}, and not in ${listed(missing)}.`
}

const listed = (names: readonly Book[]) => names.map((book) => inBook[book]).join(' and ')

const both = (entry: EntryType, one: string, other: string) =>
  `The ${entryName[entry]} is ${one}, and ${other}.`
const amountIn = ([book, side]: Own) => `${amountText(side)} in ${inBook[book]}`
const dayIn = ([book, { at }]: Own) => `of ${at.toISOString()} in ${inBook[book]}`

export const detailOf = {
  other_currency: (entry: EntryType, one: Own, other: Own) =>
    both(entry, amountIn(one), amountIn(other)),
  other_amount: (entry: EntryType, one: Own, other: Own) =>
    both(entry, amountIn(one), amountIn(other)),
  other_day: (entry: EntryType, one: Own, other: Own) => both(entry, dayIn(one), dayIn(other)),
  over_midnight: (entry: EntryType, one: Own, other: Own) => both(entry, dayIn(one), dayIn(other)),
  missing_reversal: (entry: EntryType, side: Side) =>
    `The acquirer reversed the ${entryName[entry]} of ${amountText(side)}, and the issuer has it ` +
    'in effect.',
  ledger_differs: ({ cleared_amount, posted_amount }: IssuerTransaction) =>
    `The transaction has cleared ${cleared_amount} minor units, and the ledger moved ` +
    `${posted_amount}.`,
  unknown_reference: (entry: EntryType, side: Side, rrn: string) =>
    `The issuer has a ${entryName[entry]} of ${amountText(side)} with the retrieval reference ` +
    `${rrn}, which no message of the acquirer has.`,
  unanswered: ({ entry, message }: Slot) =>
    `The outcome of message ${message?.mti} of the ${entryName[entry]} is not known yet.`,
  reversing: ({ entry, message }: Slot) =>
    `Message ${message?.mti} of the ${entryName[entry]} is being reversed.`,
  in_file: ({ entry }: Slot) =>
    `The ${entryName[entry]} reaches the issuer by a clearing file, which it has not posted yet.`,
  operation_pending: ({ entry }: Slot) => `The ${entryName[entry]} is under way.`,
} as const

/** The type by processing code (DE3), and which way the money goes. iso8583.md section 5.3. */

import type { TransactionType } from '#issuing/transactions/schema.ts'
import type { AuthorizationRequest } from '../schema.ts'

export type Direction = 'debit' | 'credit' | 'none'

export type Kind = { type: TransactionType; direction: Direction }

const kinds: Readonly<Record<string, Kind>> = {
  '00': { type: 'PURCHASE', direction: 'debit' },
  '01': { type: 'WITHDRAWAL', direction: 'debit' },
  '09': { type: 'CASH_BACK', direction: 'debit' },
  '10': { type: 'ACCOUNT_FUNDING', direction: 'debit' },
  '11': { type: 'QUASI_CASH', direction: 'debit' },
  '12': { type: 'CASH_DISBURSEMENT', direction: 'debit' },
  '17': { type: 'CASH_DISBURSEMENT', direction: 'debit' },
  '18': { type: 'QUASI_CASH', direction: 'debit' },
  '20': { type: 'REFUND', direction: 'credit' },
  '21': { type: 'DEPOSIT', direction: 'credit' },
  '22': { type: 'LOAD', direction: 'credit' },
  '23': { type: 'UNLOAD', direction: 'debit' },
  '26': { type: 'ORIGINAL_CREDIT', direction: 'credit' },
  '28': { type: 'PAYMENT', direction: 'credit' },
  '30': { type: 'BALANCE_INQUIRY', direction: 'none' },
  '31': { type: 'BALANCE_INQUIRY', direction: 'none' },
  '33': { type: 'VERIFICATION', direction: 'none' },
  '39': { type: 'VERIFICATION', direction: 'none' },
  '40': { type: 'TRANSFER', direction: 'debit' },
}

const UNKNOWN: Kind = { type: 'UNKNOWN', direction: 'none' }
const VERIFICATION: Kind = { type: 'VERIFICATION', direction: 'none' }

/** The kinds by two digits as one number, so that no text is made to find one. */
const kindsByDigits = new Map(Object.entries(kinds).map(([code, kind]) => [digitsOf(code), kind]))

function digitsOf(processing_code: string): number {
  return processing_code.charCodeAt(0) * 0x10000 + processing_code.charCodeAt(1)
}

/** A zero amount that only verifies the card is a verification, whatever its code. */
export function kindOf(request: AuthorizationRequest): Kind {
  if (request.is_verification && request.amount === 0n) return VERIFICATION
  return kindsByDigits.get(digitsOf(request.processing_code)) ?? UNKNOWN
}

/** The two digits that give the type; none of a verification. */
export const codeOf = ({ processing_code }: AuthorizationRequest, { type }: Kind): string =>
  type === 'VERIFICATION' ? '' : processing_code.slice(0, 2)

const codes = new Map(
  Object.entries(kinds)
    .toReversed()
    .map(([code, { type }]) => [type, code]),
)

/** A processing code of the type: the first of several, which all checks treat alike. */
export const processingCodeOf = (type: TransactionType): string => `${codes.get(type) ?? '99'}0000`

/** Takes cash: processing codes 01, 12, 17 and 23 (D-105). */
export const isWithdrawal = (type: TransactionType): boolean =>
  type === 'WITHDRAWAL' || type === 'CASH_DISBURSEMENT' || type === 'UNLOAD'

const debits: ReadonlySet<TransactionType> = new Set(
  Object.values(kinds).flatMap(({ type, direction }) => (direction === 'debit' ? [type] : [])),
)
const credits: ReadonlySet<TransactionType> = new Set(
  Object.values(kinds).flatMap(({ type, direction }) => (direction === 'credit' ? [type] : [])),
)

/** Whether transactions of this type debit the cardholder. */
export const isDebit = (type: TransactionType): boolean => debits.has(type)

/** Whether transactions of this type credit the cardholder. */
export const isCredit = (type: TransactionType): boolean => credits.has(type)

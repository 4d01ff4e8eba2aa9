/** The values that the fields of a request offer, the usual ones first. */

import type { Channel, TransactionType, Typed } from './typed.ts'

export const CHANNELS: readonly Channel[] = [
  ...(['ECOMMERCE', 'CREDENTIAL_ON_FILE', 'CHIP', 'CONTACTLESS'] as const),
  ...(['MAGSTRIPE', 'FALLBACK', 'MANUAL'] as const),
]

export const TYPES: readonly TransactionType[] = [
  ...(['PURCHASE', 'WITHDRAWAL', 'CASH_BACK', 'VERIFICATION', 'BALANCE_INQUIRY'] as const),
  ...(['REFUND', 'QUASI_CASH', 'CASH_DISBURSEMENT', 'ACCOUNT_FUNDING'] as const),
  ...(['ORIGINAL_CREDIT', 'DEPOSIT', 'LOAD', 'UNLOAD', 'PAYMENT', 'TRANSFER'] as const),
]

export const RESULTS: readonly Typed['three_ds'][] = ['NONE', 'ATTEMPTED', 'AUTHENTICATED']

export const CRYPTOGRAMS: readonly Typed['cryptogram'][] = ['RIGHT', 'WRONG', 'ABSENT']

export const VERSIONS: readonly Exclude<Typed['version'], ''>[] = [
  ...(['VISA_CVN10', 'VISA_CVN18', 'VISA_CVN22'] as const),
  ...(['MASTERCARD_CVN16', 'MASTERCARD_CVN17', 'MASTERCARD_CVN20'] as const),
  'MASTERCARD_CVN21',
]

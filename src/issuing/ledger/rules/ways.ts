/** Between which kinds of accounts each kind of transfer moves money (D-958). Pure. */

/** Calls and charges, which name no card transaction unless they are charged for one. */
const ofCalls = {
  LOAD: ['FUNDING>CARD'],
  UNLOAD: ['CARD>FUNDING'],
  TRANSFER: ['CARD>CARD'],
  PROGRAM_FUNDING: ['EXTERNAL>FUNDING'],
  CHARGE: ['CARD>FEES'],
  CHARGE_REVERSAL: ['FEES>CARD'],
  SUSPENSE: ['SUSPENSE>SETTLEMENT', 'SETTLEMENT>SUSPENSE'],
  SUSPENSE_WRITE_OFF: ['SUSPENSE>FEES', 'FEES>SUSPENSE'],
  SCHEME_FEE: ['FEES>SETTLEMENT', 'SETTLEMENT>FEES'],
} as const

const OUT = ['CARD>SETTLEMENT'] as const
const IN = ['SETTLEMENT>CARD'] as const

const ofTransactions = {
  CLEARING: OUT,
  PURCHASE: OUT,
  WITHDRAWAL: OUT,
  CASH_BACK: OUT,
  ACCOUNT_FUNDING: OUT,
  QUASI_CASH: OUT,
  CASH_DISBURSEMENT: OUT,
  UNLOAD: OUT,
  TRANSFER: OUT,
  REFUND: IN,
  DEPOSIT: IN,
  LOAD: IN,
  ORIGINAL_CREDIT: IN,
  PAYMENT: IN,
  REVERSAL: [...OUT, ...IN],
  FX_DIFFERENCE: ['FX>SETTLEMENT', 'SETTLEMENT>FX'],
  CHARGE: ofCalls.CHARGE,
  CHARGE_REVERSAL: ofCalls.CHARGE_REVERSAL,
  DISPUTE_CHARGEBACK: ['SETTLEMENT>DISPUTES'],
  DISPUTE_REPRESENTMENT: ['DISPUTES>SETTLEMENT'],
  DISPUTE_EXCHANGE: ['FX>DISPUTES', 'DISPUTES>FX'],
  DISPUTE_CREDIT: ['DISPUTES>CARD'],
  DISPUTE_CREDIT_REVERSAL: ['CARD>DISPUTES'],
  DISPUTE_WRITE_OFF: ['FEES>DISPUTES'],
} as const

type Ways = Readonly<Record<string, readonly string[]>>

const listed = (ways: Ways, of: string): string[] =>
  Object.entries(ways).flatMap(([kind, pairs]) => pairs.map((pair) => `${kind}${of}${pair}`))

/** `LOAD FUNDING>CARD`, and `REFUND of a transaction SETTLEMENT>CARD`. */
export const waysInAudit: readonly string[] = [
  ...listed(ofCalls, ' '),
  ...listed(ofTransactions, ' of a transaction '),
]

const sentenceOf = (ways: Ways): string => {
  const kinds = Map.groupBy(Object.entries(ways), ([, pairs]) => pairs.join(' or '))
  return [...kinds]
    .map(([pairs, of]) => `${of.map(([kind]) => kind).join(', ')} ${pairs.replaceAll('>', ' to ')}`)
    .join('; ')
}

/** The same as sentences, for docs/doctor.md. */
export const waysInWords: readonly string[] = [
  `A transfer of a call moves: ${sentenceOf(ofCalls)}.`,
  `A transfer of a card transaction moves: ${sentenceOf(ofTransactions)}.`,
]

/**
 * The switches of products and cards, one row each (D-948). The API schemas, the check of a
 * decision with its codes, docs/codes.md, the client library and with it the console and
 * `bezant trigger`, and the tests read this table. Everything is allowed that is not switched off
 * (D-104).
 *
 * If the documents leave it open, a switch means the same as its name in ISO 8583: money that comes
 * to the cardholder is stopped only by the switches that are about such money.
 */

/** The part of a message that a switch may ask. */
export type SwitchMessage = {
  /** The first two digits of the processing code; none for a verification of the card. */
  code: string
  direction: 'debit' | 'credit' | 'none'
  is_verification: boolean
  /** The environment and the entry mode of a transaction, as its schema has them. */
  environment: string
  entry_mode: string
  is_chip: boolean
  /** The card itself was read: by chip, contactless or stripe. */
  is_read: boolean
  is_3ds: boolean
  has_cvv2: boolean
  has_pin: boolean
  is_recurring: boolean
  /** It raises what an earlier message holds. */
  is_increment: boolean
  mcc: string | undefined
  /** The hour of the day at the tenant, 0 to 23. Computed when it is asked. */
  localHour: () => number
}

type SwitchRow = {
  name: string
  /** The end of the sentence "Allows …." of its description in the API. */
  allows: string
  /** The code of a decline by the product, and by the card (D-105). */
  product: string
  card: string
  /** The code of a decline by the setting of the tenant that has the same name. */
  tenant?: string
  /** Members of a simulated authorization that no other switch declines before this one. */
  sample: Readonly<Record<string, string | number>>
  /** The hour at the tenant at which the sample is declined; absent for any. */
  hour?: number
  /** Whether the message is of the sort that the switch is about. */
  applies: (message: SwitchMessage) => boolean
}

/** Wire transfers, stored value, foreign money and cryptocurrency, betting (iso8583.md 5.3). */
const QUASI_CASH_MCCS: ReadonlySet<string | undefined> = new Set(['4829', '6051', '6540', '7995'])

const CASH = { transaction_type: 'WITHDRAWAL', entry_mode: 'CHIP' } as const

const isPayment = ({ direction }: SwitchMessage) => direction === 'debit'
const isCredit = ({ direction }: SwitchMessage) => direction === 'credit'
const isAt = ({ environment }: SwitchMessage, place: string) => environment === place
const hasCode =
  (...codes: readonly string[]) =>
  ({ code }: SwitchMessage) =>
    codes.includes(code)

/** It takes cash (D-105). */
const isWithdrawal = hasCode('01', '12', '17', '23')

/** A card keyed at a counter is as present as one that was read. */
const isPresent = (message: SwitchMessage) =>
  message.is_read || isAt(message, 'POS') || isAt(message, 'ATM')

/**
 * The shop's own request, with a stored card or to raise what it holds: the cardholder is absent,
 * so no proof of the cardholder can be missing (iso8583.md 5.6).
 */
const isOfShop = ({ is_recurring, entry_mode, is_increment }: SwitchMessage) =>
  is_recurring || entry_mode === 'CREDENTIAL_ON_FILE' || is_increment

/** The cardholder pays at a distance. */
const isEcommerce = (message: SwitchMessage) =>
  isPayment(message) && message.entry_mode === 'ECOMMERCE' && !isOfShop(message)

/** In the order in which they are checked, at the product and then at the card. */
const rows = [
  {
    name: 'atm',
    allows: 'transactions at an ATM, other than credits',
    product: '1832',
    card: '1862',
    sample: CASH,
    applies: (message) => isAt(message, 'ATM') && !isCredit(message),
  },
  {
    name: 'pos',
    allows: 'transactions at a point of sale, other than credits',
    product: '1863',
    card: '1863',
    sample: { entry_mode: 'CONTACTLESS' },
    applies: (message) => isAt(message, 'POS') && !isCredit(message),
  },
  {
    name: 'chip',
    allows: 'transactions with a chip, by contact or contactless, other than credits',
    product: '1864',
    card: '1864',
    sample: { entry_mode: 'CHIP' },
    applies: (message) => message.is_chip && !isCredit(message),
  },
  {
    name: 'magstripe',
    allows: 'transactions with a magnetic stripe, other than credits',
    product: '1865',
    card: '1865',
    sample: { entry_mode: 'MAGSTRIPE' },
    applies: (message) => message.entry_mode === 'MAGSTRIPE' && !isCredit(message),
  },
  {
    name: 'chip_fallback',
    allows: 'magnetic stripe fallback of a chip card, other than credits',
    product: '1866',
    card: '1866',
    sample: { entry_mode: 'FALLBACK' },
    applies: (message) => message.entry_mode === 'FALLBACK' && !isCredit(message),
  },
  {
    name: 'pin_absent',
    allows: 'payments with the card present and without a PIN',
    product: '1837',
    card: '1867',
    sample: { entry_mode: 'CONTACTLESS' },
    applies: (message) =>
      isPayment(message) && isPresent(message) && !message.is_increment && !message.has_pin,
  },
  {
    name: 'ecommerce_3ds',
    allows: 'remote payments with 3-D Secure',
    product: '1839',
    card: '1869',
    sample: { three_ds: 'AUTHENTICATED' },
    applies: (message) =>
      isPayment(message) &&
      ['ECOMMERCE', 'CREDENTIAL_ON_FILE'].includes(message.entry_mode) &&
      message.is_3ds,
  },
  {
    name: 'ecommerce_non_3ds',
    allows: 'e-commerce payments without 3-D Secure, other than recurring ones',
    product: '1838',
    card: '1868',
    sample: {},
    applies: (message) => isEcommerce(message) && !message.is_3ds,
  },
  {
    name: 'ecommerce_without_cvv2',
    allows: 'e-commerce payments without a CVV2, other than recurring ones',
    product: '1840',
    card: '1870',
    sample: { three_ds: 'ATTEMPTED' },
    applies: (message) => isEcommerce(message) && !message.has_cvv2,
  },
  {
    name: 'quasi_cash',
    allows: 'quasi-cash, by processing code 11 or 18 or by MCC 4829, 6051, 6540 or 7995',
    product: '1841',
    card: '1871',
    sample: { transaction_type: 'QUASI_CASH' },
    applies: (message) =>
      hasCode('11', '18')(message) || (isPayment(message) && QUASI_CASH_MCCS.has(message.mcc)),
  },
  {
    name: 'account_funding',
    allows: 'account funding, processing code 10',
    product: '1842',
    card: '1872',
    sample: { transaction_type: 'ACCOUNT_FUNDING' },
    applies: hasCode('10'),
  },
  {
    name: 'credit',
    allows: 'credits, processing codes 26 and 28',
    product: '1843',
    card: '1873',
    sample: { transaction_type: 'ORIGINAL_CREDIT' },
    applies: hasCode('26', '28'),
  },
  {
    name: 'account_verification_without_cvv2',
    allows: 'account verification without a CVV2 or a read card',
    product: '1844',
    card: '1874',
    sample: { transaction_type: 'VERIFICATION', amount: 0 },
    // A card that was read sends no CVV2.
    applies: ({ is_verification, is_read, has_cvv2 }) => is_verification && !is_read && !has_cvv2,
  },
  {
    name: 'cash_in',
    allows: 'cash deposits, processing codes 21 and 22',
    product: '1899',
    card: '1899',
    sample: { transaction_type: 'DEPOSIT' },
    applies: hasCode('21', '22'),
  },
  {
    name: 'cash_out',
    allows: 'cash withdrawals, processing codes 01, 12, 17 and 23',
    product: '1900',
    card: '1900',
    sample: CASH,
    applies: isWithdrawal,
  },
  {
    name: 'atm_deposit',
    allows: 'deposits at an ATM, processing code 21',
    product: '1901',
    card: '1901',
    tenant: '1902',
    sample: { transaction_type: 'DEPOSIT' },
    applies: (message) => message.code === '21' && isAt(message, 'ATM'),
  },
  {
    name: 'atm_night',
    allows:
      'cash withdrawals, processing codes 01, 12, 17 and 23, from 00:00 until 06:00 in the ' +
      '`time_zone` of the tenant',
    product: '1903',
    card: '1903',
    sample: CASH,
    hour: 3,
    applies: (message) => isWithdrawal(message) && message.localHour() < 6,
  },
  {
    name: 'incoming_transfers',
    allows: 'transfers to the card, processing code 26',
    product: '1849',
    card: '1849',
    sample: { transaction_type: 'ORIGINAL_CREDIT' },
    applies: hasCode('26'),
  },
  {
    name: 'outgoing_transfers',
    allows: 'transfers from the card, processing code 40',
    product: '1850',
    card: '1850',
    sample: { transaction_type: 'TRANSFER' },
    applies: hasCode('40'),
  },
  {
    name: 'recurring',
    allows: 'recurring payments, by DE22 10, DE25 73 or DE61',
    product: '1895',
    card: '1895',
    sample: { entry_mode: 'CREDENTIAL_ON_FILE' },
    applies: (message) => isPayment(message) && message.is_recurring,
  },
] as const satisfies readonly SwitchRow[]

export type Switch = (typeof rows)[number]['name']

export const switchTable: readonly (SwitchRow & { name: Switch })[] = rows

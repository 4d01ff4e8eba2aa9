/** Amounts on the wire: minor units of their currency's ISO 4217 exponent, without a sign. */

/** C is in the cardholder's favour, D is against. */
export type Side = 'C' | 'D'

export type SignedAmount = { side: Side; amount: bigint }

/** One entry of DE54. */
export type AdditionalAmount = SignedAmount & {
  /** As in DE3: 00 default, 10 savings, 20 checking, 30 credit. */
  account_type: string
  /** 01 ledger balance, 02 available balance, 40 cash back, 57 original amount. */
  amount_type: string
  /** Numeric code. */
  currency: string
}

const sideOf = (text: string): Side => (text === 'C' ? 'C' : 'D')

const AMOUNT_DIGITS = 12

/** Whether `writeAmount` can write these minor units in twelve digits. */
export const fitsAmount = (amount: bigint): boolean =>
  amount >= 0n && amount.toString().length <= AMOUNT_DIGITS

/** Minor units as `digits` digits. Throws RangeError when it is negative or does not fit. */
export function writeAmount(amount: bigint, digits = AMOUNT_DIGITS): string {
  const text = amount.toString().padStart(digits, '0')
  if (amount < 0n || text.length > digits) throw new RangeError(`not an amount of ${digits} digits`)
  return text
}

/** Null for text with other characters than digits. */
export function parseAmount(text: string): bigint | null {
  return /^\d+$/.test(text) ? BigInt(text) : null
}

/** x+n: DE28 to 31 have 8 digits, DE97 has 16. */
export function writeSignedAmount({ side, amount }: SignedAmount, digits = 8): string {
  return side + writeAmount(amount, digits)
}

export function parseSignedAmount(text: string): SignedAmount | null {
  if (!/^[CD]\d+$/.test(text)) return null
  return { side: sideOf(text.slice(0, 1)), amount: BigInt(text.slice(1)) }
}

const ENTRY = /^(\d\d)(\d\d)([0-9A-Z]{3})([CD])(\d{12})$/
const ENTRY_LENGTH = 20
const MAX_ENTRIES = 6

/** DE54. Throws RangeError past six entries or for one that breaks the layout. */
export function writeAdditionalAmounts(entries: readonly AdditionalAmount[]): string {
  if (entries.length > MAX_ENTRIES) throw new RangeError(`DE54 holds ${MAX_ENTRIES} amounts`)
  return entries.map(writeEntry).join('')
}

function writeEntry({ account_type, amount_type, currency, side, amount }: AdditionalAmount) {
  const text = account_type + amount_type + currency + side + writeAmount(amount)
  if (!ENTRY.test(text)) throw new RangeError('not an entry of DE54')
  return text
}

/** Null when any entry breaks the layout. */
export function parseAdditionalAmounts(text: string): AdditionalAmount[] | null {
  if (text.length > ENTRY_LENGTH * MAX_ENTRIES) return null
  const entries: AdditionalAmount[] = []
  for (let at = 0; at < text.length; at += ENTRY_LENGTH) {
    const parts = ENTRY.exec(text.slice(at, at + ENTRY_LENGTH))
    if (parts === null) return null
    const [, account_type = '', amount_type = '', currency = '', side = '', amount = ''] = parts
    entries.push({
      account_type,
      amount_type,
      currency,
      side: sideOf(side),
      amount: BigInt(amount),
    })
  }
  return entries
}

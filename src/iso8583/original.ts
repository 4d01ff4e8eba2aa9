/** DE90, which names the message that a reversal or completion is about, and DE95. */

import { parseSignedAmount, type SignedAmount, writeAmount, writeSignedAmount } from './amounts.ts'

/** The original's MTI, DE11, DE7, DE32 and DE33; the two last as eleven zero-filled digits. */
export type OriginalData = {
  mti: string
  stan: string
  transmitted: string
  acquirer: string
  forwarder: string
}

const ORIGINAL = /^(\d{4})(\d{6})(\d{10})(\d{11})(\d{11})$/
const INSTITUTION_DIGITS = 11

/** DE32 or DE33 as DE90 writes it, to compare the two; absent is all zeros. */
export function zeroFilled(institution = ''): string {
  return institution.padStart(INSTITUTION_DIGITS, '0')
}

/** Institutions may come as DE32 and DE33 write them. Throws RangeError when a part is wrong. */
export function writeOriginal(original: OriginalData): string {
  const { mti, stan, transmitted, acquirer, forwarder } = original
  const text = mti + stan + transmitted + zeroFilled(acquirer) + zeroFilled(forwarder)
  if (!ORIGINAL.test(text)) throw new RangeError('not original data elements')
  return text
}

/** Null when it is not 42 digits. */
export function parseOriginal(text: string): OriginalData | null {
  const parts = ORIGINAL.exec(text)
  if (parts === null) return null
  const [, mti = '', stan = '', transmitted = '', acquirer = '', forwarder = ''] = parts
  return { mti, stan, transmitted, acquirer, forwarder }
}

/** The amount that remains of the original after a partial reversal (D-107); fees likewise. */
export type ReplacementAmounts = {
  actual: bigint
  settlement: bigint
  transaction_fee: SignedAmount
  settlement_fee: SignedAmount
}

const REPLACEMENT = /^(\d{12})(\d{12})([CD]\d{8})([CD]\d{8})$/

export function writeReplacement(amounts: ReplacementAmounts): string {
  return (
    writeAmount(amounts.actual) +
    writeAmount(amounts.settlement) +
    writeSignedAmount(amounts.transaction_fee) +
    writeSignedAmount(amounts.settlement_fee)
  )
}

const ACTUAL = /^(\d{12})[\s\S]{30}$/

/** The first amount of DE95, which alone decides (D-1033). Null when it is none. */
export function parseActualAmount(text: string): bigint | null {
  const [, actual] = ACTUAL.exec(text) ?? []
  return actual === undefined ? null : BigInt(actual)
}

/** Null when it breaks the layout. */
export function parseReplacement(text: string): ReplacementAmounts | null {
  const [, actual = '', settlement = '', first = '', second = ''] = REPLACEMENT.exec(text) ?? []
  const transaction_fee = parseSignedAmount(first)
  const settlement_fee = parseSignedAmount(second)
  if (transaction_fee === null || settlement_fee === null) return null
  return { actual: BigInt(actual), settlement: BigInt(settlement), transaction_fee, settlement_fee }
}

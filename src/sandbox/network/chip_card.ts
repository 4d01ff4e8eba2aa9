/** A simulated chip: makes DE55 of a sale as the card and its terminal would (D-452). Pure. */

import { makeCryptogram } from '#emv/cryptogram.ts'
import { writeTlv } from '#emv/tlv.ts'
import type { VersionName } from '#emv/versions.ts'
import { writeAmount } from '#iso8583/amounts.ts'
import type { TdesKey } from '#lib/ciphers.ts'
import type { Secret } from '#lib/secret.ts'

const VISA = 'a0000000031010'
const MASTERCARD = 'a0000000041010'

/** Issuer application data and name of the application. */
const applications: Readonly<Record<VersionName, readonly [iad: string, name: string]>> = {
  VISA_CVN10: ['06010a03a00000', VISA],
  VISA_CVN18: ['06011203a00000', VISA],
  VISA_CVN22: [`1f2201${'00'.repeat(29)}`, VISA],
  MASTERCARD_CVN16: ['0110a00003220000000000000000000000ff', MASTERCARD],
  MASTERCARD_CVN17: ['0111a00003220000000000000000000322ff', MASTERCARD],
  MASTERCARD_CVN20: ['0114a00003220000000000000000000000ff', MASTERCARD],
  MASTERCARD_CVN21: ['0115a00003220000000000000000000322ff', MASTERCARD],
}

export type ChipSale = {
  version: VersionName
  /** Application transaction counter, 0 to 65535. */
  atc: number
  /** Minor units. */
  amount: bigint
  /** Three digits. */
  currency: string
  /** DE3. */
  processing_code: string
  /** YYMMDD. */
  date: string
  /** Four bytes. */
  unpredictable: Buffer
  /** Tags that replace the usual ones before the cryptogram is made; null leaves one out. */
  tags?: Readonly<Record<string, string | null>>
}

/** The version that a card of this number uses if none is named. */
export const usualVersion = (pan: Secret): VersionName =>
  /^[25]/.test(pan.reveal()) ? 'MASTERCARD_CVN16' : 'VISA_CVN10'

/** The tags of DE55 with a right cryptogram, under a key that the caller has. */
export function chipTags(
  card: { imk_ac: TdesKey; pan: Secret },
  sale: ChipSale,
): Map<string, Buffer> {
  const tags = saleTags(sale)
  return tags.set('9F26', makeCryptogram(card, tags))
}

/** The tags of DE55 but for the cryptogram. */
export function saleTags(sale: ChipSale): Map<string, Buffer> {
  const [iad, application] = applications[sale.version]
  const hex: Record<string, string | null> = {
    '9F27': '80',
    '9F10': iad,
    '84': application,
    '82': '1980',
    '95': '0000008000',
    '9A': sale.date,
    '9C': sale.processing_code.slice(0, 2),
    '5F2A': `0${sale.currency}`,
    '9F02': writeAmount(sale.amount % 1_000_000_000_000n),
    '9F03': '000000000000',
    '9F1A': '0784',
    '9F36': sale.atc.toString(16).padStart(4, '0'),
    '9F37': sale.unpredictable.toString('hex'),
    '5F34': '00',
    ...sale.tags,
  }
  return new Map<string, Buffer>(
    Object.entries(hex).flatMap(([tag, value]) =>
      value === null ? [] : [[tag, Buffer.from(value, 'hex')] as const],
    ),
  )
}

/** DE55 in hex. */
export const chipData = (tags: ReadonlyMap<string, Buffer>): string =>
  writeTlv([...tags].map(([tag, value]) => ({ tag, value })))
    .toString('hex')
    .toUpperCase()

/** A chip whose keys a test knows: the data (DE55) of its sales. */

import type { VersionName } from '#emv/versions.ts'
import { TdesKey } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { type ChipSale, chipData, chipTags } from '#sandbox/network/chip_card.ts'

/** The issuer's keys of chips as a sandbox installs them, in hex. */
export const CHIP_KEYS = {
  imk_ac: '0123456789ABCDEFFEDCBA9876543210',
  imk_smi: 'FEDCBA98765432100123456789ABCDEF',
}

export const chipKey = (hex: string): TdesKey => new TdesKey(new Secret(Buffer.from(hex, 'hex')))

export type TestChip = {
  /** DE55 of the next sale, of 1.00 AED unless it says otherwise. */
  data: (sale?: Partial<ChipSale>) => string
  /** The same as tags. */
  tags: (sale?: Partial<ChipSale>) => Map<string, Buffer>
}

export function openChip(pan: string, version: VersionName = 'VISA_CVN10'): TestChip {
  let atc = 0
  const card = { imk_ac: chipKey(CHIP_KEYS.imk_ac), pan: new Secret(pan) }
  const tags = (sale: Partial<ChipSale> = {}) => {
    atc = sale.atc ?? atc + 1
    const usual = { version, amount: 100n, currency: '784', processing_code: '000000' }
    const unpredictable = Buffer.from('01020304', 'hex')
    return chipTags(card, { ...usual, date: '260612', unpredictable, ...sale, atc })
  }
  return { tags, data: (sale) => chipData(tags(sale)) }
}

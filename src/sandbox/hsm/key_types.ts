/** The types of keys: their codes in the variant scheme, and their usages in key blocks. */

import { need } from './errors.ts'

export type KeyType = {
  code: string
  /** The pair of the LMK: 7 is 14-15. */
  pair: number
  variant: number
  /** The usages that a key block of such a key may name; the first is written. */
  usages: readonly string[]
  /** The mode of use that is written. */
  mode: string
}

export const KEY_TYPES: readonly KeyType[] = [
  { code: '000', pair: 2, variant: 0, usages: ['K0', 'K1', '51', '52', '54'], mode: 'B' },
  { code: '001', pair: 3, variant: 0, usages: ['P0', '72'], mode: 'B' },
  { code: '002', pair: 7, variant: 0, usages: ['V2', 'V1', 'V0', 'P0', '71'], mode: 'N' },
  { code: '402', pair: 7, variant: 4, usages: ['C0', '11', '12', '13'], mode: 'C' },
  { code: '003', pair: 8, variant: 0, usages: ['M3', 'M0', 'M1', 'M6'], mode: 'C' },
  { code: '008', pair: 13, variant: 0, usages: ['M3', 'M0', 'M1', 'M6'], mode: 'C' },
  { code: '009', pair: 14, variant: 0, usages: ['B0'], mode: 'X' },
  { code: '109', pair: 14, variant: 1, usages: ['E0'], mode: 'X' },
  { code: '209', pair: 14, variant: 2, usages: ['E2'], mode: 'X' },
  { code: '309', pair: 14, variant: 3, usages: ['E1'], mode: 'X' },
]

/** The key type of a key block LMK: the block itself says what the key is for. */
export const OF_BLOCK = 'FFF'

export function keyTypeOf(code: string): KeyType {
  const type = KEY_TYPES.find((one) => one.code === code)
  need(type !== undefined, 'keyType')
  return type
}

/** The type whose keys a key block of this usage may hold. */
export function keyTypeOfUsage(usage: string): KeyType {
  const type = KEY_TYPES.find(({ usages }) => usages.includes(usage))
  need(type !== undefined, 'keyUsage')
  return type
}

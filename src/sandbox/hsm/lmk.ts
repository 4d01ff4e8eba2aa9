/**
 * The local master keys of the simulator. They are published and protect nothing (D-1120): 00 has
 * the test keys that makers of modules and open simulators publish, 01 has own ones. Each has pairs
 * for the variant scheme and one key for key blocks.
 */

import { TdesKey, xor } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { need } from './errors.ts'

export type Lmk = {
  id: string
  /** LMK 00-01, 02-03 … 38-39: 16 bytes each. */
  pairs: readonly Secret<Buffer>[]
  block: { version: '0' | '1'; key: Secret<Buffer> }
}

const PUBLISHED = `
  01010101010101017902CD1FD36EF8BA 20202020202020203131313131313131
  40404040404040405151515151515151 61616161616161617070707070707070
  80808080808080809191919191919191 A1A1A1A1A1A1A1A1B0B0B0B0B0B0B0B0
  C1C1010101010101D0D0010101010101 E0E0010101010101F1F1010101010101
  1C587F1C13924FEF0101010101010101 01010101010101010101010101010101
  02020202020202020404040404040404 07070707070707071010101010101010
  13131313131313131515151515151515 16161616161616161919191919191919
  1A1A1A1A1A1A1A1A1C1C1C1C1C1C1C1C 23232323232323232525252525252525
  26262626262626262929292929292929 2A2A2A2A2A2A2A2A2C2C2C2C2C2C2C2C
  2F2F2F2F2F2F2F2F3131313131313131 01010101010101010101010101010101`

/** Published for AES, and for TDES of three parts. */
const AES_BLOCK_KEY = '9B71333A13F9FAE72F9D0E2DAB4AD6784718012F9244033F3F26A2DE0C8AA11A'
const TDES_BLOCK_KEY = '0123456789ABCDEF8080808080808080FEDCBA9876543210'

const secretOf = (hex: string) => new Secret(Buffer.from(hex, 'hex'))
const published = PUBLISHED.trim().split(/\s+/).map(secretOf)
/** Changes the published pairs to those of LMK 01; the parity of each byte stays odd. */
const CHANGE = Buffer.alloc(16, 0x0c)

export const LMKS: readonly Lmk[] = [
  { id: '00', pairs: published, block: { version: '1', key: secretOf(AES_BLOCK_KEY) } },
  {
    id: '01',
    pairs: published.map((pair) => pair.map((bytes) => xor(bytes, CHANGE))),
    block: { version: '0', key: secretOf(TDES_BLOCK_KEY) },
  },
]

export function lmkOf(id: string): Lmk {
  const lmk = LMKS.find((one) => one.id === id)
  need(lmk !== undefined, 'lmk')
  return lmk
}

/** Pair 7 is LMK 14-15. */
export function pairOf(lmk: Lmk, pair: number): Secret<Buffer> {
  const found = lmk.pairs[pair]
  need(found !== undefined, 'lmk')
  return found
}

/** 16 hexadecimal digits: zeros that each pair has encrypted after the one before it. */
export function checkValueOfLmk({ pairs }: Lmk): string {
  const block = pairs.reduce<Buffer>((sum, pair) => new TdesKey(pair).encrypt(sum), Buffer.alloc(8))
  return block.toString('hex').toUpperCase()
}

/** The header of a key block: the permitted use of the key (ANSI X9.143, TR-31). */

import { type OptionalBlock, parseOptionalBlocks } from './tr31_optional.ts'

export type KeyBlockVersion = 'A' | 'B' | 'C' | 'D'

export type KeyBlockHeader = {
  version: KeyBlockVersion
  /** P0 PIN encryption, V2 PVV, C0 CVV, K0 key encryption, E0 EMV master key … */
  key_usage: string
  /** T TDES, A AES, D DES, H HMAC, R RSA, E elliptic curve, S DSA. */
  algorithm: string
  /** E encrypt, D decrypt, B both, V verify, G generate, C both, N no restriction, S, T, X, Y. */
  mode_of_use: string
  /** Two characters; 00 means unversioned. */
  key_version: string
  /** E under a key block, S at discretion, N not. */
  exportability: string
  optional_blocks: OptionalBlock[]
}

export type ParsedHeader = { header: KeyBlockHeader; length: number }

/** Characters of the header before its optional blocks. */
export const HEADER_LENGTH = 16

/** The longest block that is read; its length field has four decimal digits. */
export const KEY_BLOCK_MAX = 9999

const USE = /([0-9A-Z]{2})([ADEHRST])([BCDEGNSTVXY])([0-9A-Za-z]{2})([ENS])/.source
/** Version, length, use, number of optional blocks, key context (0 to 2) and a zero. */
const FIXED = new RegExp(`^([ABCD])([0-9]{4})${USE}([0-9]{2})([0-2]0)`)

/** The header at the start of the block and how many characters it takes; undefined when broken. */
export function parseHeader(block: string): ParsedHeader | undefined {
  const match = FIXED.exec(block)
  if (match === null || block.length > KEY_BLOCK_MAX) return undefined
  const [, version = '', length, key_usage = '', algorithm = '', mode_of_use = ''] = match
  const [key_version = '', exportability = '', count] = match.slice(6)
  if (Number(length) !== block.length || !isVersion(version)) return undefined

  const optional = parseOptionalBlocks(block, HEADER_LENGTH, Number(count))
  if (optional === undefined || (optional.end - HEADER_LENGTH) % blockBytesOf(version) !== 0)
    return undefined
  const use = { version, key_usage, algorithm, mode_of_use, key_version, exportability }
  return { header: { ...use, optional_blocks: optional.blocks }, length: optional.end }
}

/** Bytes of a cipher block under the version: TDES 8, AES 16. */
export function blockBytesOf(version: KeyBlockVersion): number {
  return version === 'D' ? 16 : 8
}

function isVersion(text: string): text is KeyBlockVersion {
  return /^[ABCD]$/.test(text)
}

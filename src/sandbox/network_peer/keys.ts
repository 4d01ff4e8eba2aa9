/** The keys of a scheme that sends them under a zone master key (D-1032). */

import { randomBytes } from 'node:crypto'
import { elementIds, writeElements } from '#iso8583/tlv48.ts'
import { AesKey, type BlockKey, checkValueOf, TdesKey, withOddParity } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { wrapKeyBlock } from '#pin/tr31.ts'
import type { KeyBlockHeader } from '#pin/tr31_header.ts'

export type SchemeKeyUse = 'ZAK' | 'ZPK'
export type SchemeKey = { use: SchemeKeyUse; key: BlockKey; bytes: Secret<Buffer> }

/** `isBlock`: keys travel in key blocks (TR-31). Those of AES, or under it, have no other form. */
export type SentForm = { zmk: Secret<Buffer>; isBlock: boolean }

/** Bytes of a key of two parts, for TDES. */
const TDES_BYTES = 16
/** A key of AES is known by its length: no TDES key has it. */
const AES_BYTES = 32
/** The usages of a key block: codes of ISO 9797-1, CMAC, and PIN encryption. */
const USAGES = { ZAK: { T: 'M3', A: 'M6' }, ZPK: { T: 'P0', A: 'P0' } } as const
const MODES = { ZAK: 'C', ZPK: 'B' } as const
const FILL_BYTES = 40

export const newKeyBytes = (isAes: boolean): Buffer =>
  isAes ? randomBytes(AES_BYTES) : withOddParity(randomBytes(TDES_BYTES))

export const newSchemeKey = (use: SchemeKeyUse, isAes: boolean): SchemeKey =>
  schemeKeyOf(use, newKeyBytes(isAes))

export function schemeKeyOf(use: SchemeKeyUse, key: Buffer): SchemeKey {
  const bytes = new Secret(key)
  return { use, key: blockKeyOf(bytes), bytes }
}

/** A key of 16 or 24 bytes is for TDES, one of 32 for AES. */
export const blockKeyOf = (bytes: Secret<Buffer>): BlockKey =>
  isAes(bytes) ? new AesKey(bytes) : new TdesKey(bytes)

/** DE48 that brings a key: a key block, or elements with its check value. */
export function sentAs({ use, key, bytes }: SchemeKey, { zmk, isBlock }: SentForm): string {
  if (isInBlock(bytes, { zmk, isBlock })) return blockOf(use, bytes, zmk)
  const sent = new TdesKey(zmk).encrypt(bytes.reveal())
  return writeElements([
    [elementIds.key, sent.toString('hex').toUpperCase()],
    [elementIds.key_check_value, checkValueOf(key)],
    [elementIds.key_use, use],
  ])
}

/** DE48 whose key is not of its check value, or whose key block does not have its own code. */
export function sentWrongly(key: SchemeKey, form: SentForm): string {
  const other = newSchemeKey(key.use, false)
  const text = sentAs({ ...key, key: other.key }, form)
  if (!isInBlock(key.bytes, form)) return text
  return `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`
}

const isInBlock = (bytes: Secret<Buffer>, { zmk, isBlock }: SentForm): boolean =>
  isBlock || isAes(zmk) || isAes(bytes)

const isAes = (key: Secret<Buffer>): boolean => key.reveal().length === AES_BYTES

function blockOf(use: SchemeKeyUse, bytes: Secret<Buffer>, zmk: Secret<Buffer>): string {
  const algorithm = isAes(bytes) ? 'A' : 'T'
  const header: Omit<KeyBlockHeader, 'optional_blocks'> = {
    version: isAes(zmk) ? 'D' : 'B',
    key_usage: USAGES[use][algorithm],
    algorithm,
    mode_of_use: MODES[use],
    key_version: '00',
    exportability: 'N',
  }
  return wrapKeyBlock(header, bytes, zmk, randomBytes(FILL_BYTES))
}

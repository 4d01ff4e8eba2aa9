/** Keys in the fields of commands: as they stand there, and in the clear. */

import { randomBytes } from 'node:crypto'
import { AesKey, TdesKey, withOddParity } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import {
  type ModuleBlockHeader,
  moduleBlockHeader,
  unwrapModuleBlock,
  wrapModuleBlock,
} from '#pin/module_block.ts'
import { decryptByVariants, encryptByVariants } from '#pin/variant_keys.ts'
import { CommandError, type ErrorName, need } from './errors.ts'
import type { Fields } from './fields.ts'
import type { KeyType } from './key_types.ts'
import { type Lmk, pairOf } from './lmk.ts'

/** The attributes that a key block states of its key, or is to state. */
export type KeyUse = Pick<
  ModuleBlockHeader,
  'key_usage' | 'mode_of_use' | 'key_version' | 'exportability'
>

export type ModuleKey = {
  bytes: Secret<Buffer>
  cipher: TdesKey | AesKey
  /** Undefined for a key of the variant scheme. */
  use: KeyUse | undefined
}

/** Hexadecimal digits of a key, by its scheme. X and Y have no variants: under a ZMK only. */
const DIGITS: Readonly<Record<string, number>> = { U: 32, X: 32, T: 48, Y: 48 }

/** A key as it stands in a message, with the letter of its scheme. */
export function keyText(fields: Fields): string {
  const scheme = fields.ahead(1)
  need(scheme !== 'K', 'userStorage')
  // Without a scheme it is a single DES key.
  need(!/^[0-9A-F]$/.test(scheme), 'keyLength')
  const digits = DIGITS[scheme]
  if (digits !== undefined) return fields.bytes(1).toString('latin1') + fields.hex(digits)
  need(scheme === 'S' || scheme === 'R', 'scheme')
  const length = /^.[0-9A-Z]([0-9]{4})/.exec(fields.ahead(6))?.[1]
  need(length !== undefined, 'blockForm')
  return fields.text(1 + Number(length), /^[\x20-\x7e]+$/)
}

/** The algorithm that a key's own text shows, before it is decrypted. */
export const isAesText = (text: string): boolean =>
  text.startsWith('S') && moduleBlockHeader(text.slice(1))?.algorithm === 'A'

/** Decrypted keys by what they are called by; all are dropped when it is full. */
const opened = new Map<string, ModuleKey>()
const OPENED_MAX = 1_000

/** A key under the LMK, of one of these types. */
export function openKey(
  text: string,
  lmk: Lmk,
  types: readonly KeyType[],
  parity: ErrorName = 'firstParity',
): ModuleKey {
  const name = `${lmk.id} ${types.map(({ code }) => code).join()} ${text}`
  const known = opened.get(name)
  if (known) return known
  const key = text.startsWith('S')
    ? openBlock(text, lmk, types)
    : openVariant(text, lmk, types, parity)
  if (opened.size >= OPENED_MAX) opened.clear()
  opened.set(name, key)
  return key
}

function openVariant(
  text: string,
  lmk: Lmk,
  [type]: readonly KeyType[],
  parity: ErrorName,
): ModuleKey {
  need(/^[UT]/.test(text), 'scheme')
  need(type !== undefined, 'keyType')
  const clear = decryptByVariants(
    Buffer.from(text.slice(1), 'hex'),
    pairOf(lmk, type.pair),
    type.variant,
  )
  need(hasOddParity(clear), parity)
  return keyOf(new Secret(clear), 'T', undefined)
}

function openBlock(text: string, lmk: Lmk, types: readonly KeyType[]): ModuleKey {
  const block = text.slice(1)
  const of = moduleBlockHeader(block)?.lmk
  need(of === undefined || of === lmk.id, 'otherLmk')
  const key = unwrapped(block, lmk.block.key)
  need(
    types.some(({ usages }) => usages.includes(key.use?.key_usage ?? '')),
    'keyUsage',
  )
  return key
}

/** A key in a block of scheme S under an LMK or a ZMK, whatever it is for. */
export function unwrapped(block: string, under: Secret<Buffer>): ModuleKey {
  const read = unwrapModuleBlock(block, under)
  if (!read.ok)
    throw new CommandError(read.fault === 'tampered' ? 'blockNotAuthentic' : 'blockForm')
  return keyOf(read.key, read.header.algorithm, read.header)
}

export function keyOf(
  bytes: Secret<Buffer>,
  algorithm: string,
  use: KeyUse | undefined,
): ModuleKey {
  need(algorithm === 'T' || algorithm === 'A', 'keyAlgorithm')
  const lengths = algorithm === 'A' ? [16, 24, 32] : [16, 24]
  need(lengths.includes(bytes.reveal().length), 'keyLength')
  return { bytes, cipher: algorithm === 'A' ? new AesKey(bytes) : new TdesKey(bytes), use }
}

/** The cipher of a TDES key, which has two parts where `bytes` is 16. */
export function tdesOf({ cipher }: ModuleKey, bytes?: 16): TdesKey {
  need(cipher instanceof TdesKey, 'keyAlgorithm')
  need(bytes === undefined || cipher.keyBytes === bytes, 'keyLength')
  return cipher
}

export const algorithmOf = ({ cipher }: ModuleKey): 'A' | 'T' =>
  cipher instanceof AesKey ? 'A' : 'T'

/** A key as it leaves the module under its LMK. */
export function closeKey(key: ModuleKey, scheme: string, type: KeyType, lmk: Lmk): string {
  if (scheme === 'S') return closeBlock(key, purposeOf(key, type), lmk.block, lmk.id)
  need(scheme === 'U' || scheme === 'T', 'scheme')
  tdesOf(key)
  need(key.bytes.reveal().length === (scheme === 'U' ? 16 : 24), 'keyLength')
  const encrypted = encryptByVariants(key.bytes, pairOf(lmk, type.pair), type.variant)
  return scheme + upperHex(encrypted)
}

export function closeBlock(
  key: ModuleKey,
  use: KeyUse,
  under: { version: '0' | '1'; key: Secret<Buffer> },
  lmk: string,
): string {
  const algorithm = algorithmOf(key)
  // A block under TDES would be weaker than a key of AES in it.
  need(algorithm === 'T' || under.version === '1', 'keyAlgorithm')
  const { key_usage, mode_of_use, key_version, exportability } = use
  const attributes = { key_usage, mode_of_use, key_version, exportability }
  const header = { version: under.version, algorithm, ...attributes, lmk }
  return `S${wrapModuleBlock(header, key.bytes, under.key, randomBytes(14))}`
}

/** The purpose of a key: as it is known, or as its type has it. */
export const purposeOf = ({ use }: ModuleKey, { usages, mode }: KeyType): KeyUse =>
  use ?? {
    key_usage: usages[0] ?? '',
    mode_of_use: mode,
    key_version: '00',
    exportability: 'E',
  }

export const upperHex = (bytes: Buffer): string => bytes.toString('hex').toUpperCase()

export const hasOddParity = (bytes: Buffer): boolean => withOddParity(bytes).equals(bytes)

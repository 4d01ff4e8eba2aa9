/** Keys under a transport key (ZMK): as they come in, and as they leave. */

import { randomBytes } from 'node:crypto'
import { AesKey, withOddParity } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { unwrapKeyBlock, wrapKeyBlock } from '#pin/tr31.ts'
import { decryptByVariants, encryptByVariants } from '#pin/variant_keys.ts'
import { CommandError, need } from './errors.ts'
import type { KeyType } from './key_types.ts'
import {
  algorithmOf,
  closeBlock,
  hasOddParity,
  keyOf,
  type ModuleKey,
  purposeOf,
  tdesOf,
  unwrapped,
  upperHex,
} from './keys.ts'

/** The LMK that a block under a transport key names: none. */
const NO_LMK = 'FF'

/** A key that comes in; its parity is corrected, and `hadParity` says whether it was right. */
export type Brought = { key: ModuleKey; hadParity: boolean }

export function openUnder(zmk: ModuleKey, text: string): Brought {
  const key = opened(zmk, text)
  if (algorithmOf(key) === 'A') return { key, hadParity: true }
  const hadParity = hasOddParity(key.bytes.reveal())
  return { key: keyOf(key.bytes.map(withOddParity), 'T', key.use), hadParity }
}

function opened(zmk: ModuleKey, text: string): ModuleKey {
  const [scheme, rest] = [text.charAt(0), text.slice(1)]
  if (scheme === 'S') return unwrapped(rest, zmk.bytes)
  if (scheme === 'R') return fromTr31(zmk, rest)
  const cipher = tdesOf(zmk)
  const encrypted = Buffer.from(rest, 'hex')
  if (scheme === 'X' || scheme === 'Y') {
    return keyOf(new Secret(cipher.decrypt(encrypted)), 'T', undefined)
  }
  need(cipher.keyBytes === 16, 'keyLength')
  return keyOf(new Secret(decryptByVariants(encrypted, zmk.bytes)), 'T', undefined)
}

function fromTr31(zmk: ModuleKey, block: string): ModuleKey {
  need(block.startsWith('D') === zmk.cipher instanceof AesKey, 'keyAlgorithm')
  const read = unwrapKeyBlock(block, zmk.bytes)
  if (read.ok) return keyOf(read.key, read.header.algorithm, read.header)
  throw new CommandError(read.fault === 'tampered' ? 'blockNotAuthentic' : 'blockForm')
}

/** A key as it leaves under the transport key: U and T by variants, X and Y plainly, S, R. */
export function closeUnder(zmk: ModuleKey, key: ModuleKey, scheme: string, type: KeyType): string {
  if (scheme === 'R') return toTr31(zmk, key, type)
  if (scheme === 'S') {
    const version = zmk.cipher instanceof AesKey ? '1' : '0'
    return closeBlock(key, purposeOf(key, type), { version, key: zmk.bytes }, NO_LMK)
  }
  need(/^[UTXY]$/.test(scheme), 'scheme')
  const cipher = tdesOf(zmk)
  const bytes = tdesOf(key).keyBytes
  need(bytes === (/^[UX]$/.test(scheme) ? 16 : 24), 'keyLength')
  if (/^[XY]$/.test(scheme)) return scheme + upperHex(cipher.encrypt(key.bytes.reveal()))
  need(cipher.keyBytes === 16, 'keyLength')
  return scheme + upperHex(encryptByVariants(key.bytes, zmk.bytes))
}

function toTr31(zmk: ModuleKey, key: ModuleKey, type: KeyType): string {
  const isAes = zmk.cipher instanceof AesKey
  need(algorithmOf(key) === 'T' || isAes, 'keyAlgorithm')
  const { key_usage, mode_of_use, key_version, exportability } = purposeOf(key, type)
  const use = { key_usage, mode_of_use, key_version, exportability }
  const header = { version: isAes ? 'D' : 'B', algorithm: algorithmOf(key), ...use } as const
  return `R${wrapKeyBlock(header, key.bytes, zmk.bytes, randomBytes(40))}`
}

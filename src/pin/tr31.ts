/**
 * Key blocks of ANSI X9.143 (TR-31), versions A to D: keys that travel under a key block protection
 * key (KBPK), bound to their permitted use.
 */

import {
  AesKey,
  type BlockKey,
  cbcDecrypt,
  cbcEncrypt,
  cmac,
  paddedWithZeros,
  TdesKey,
  xor,
} from '#lib/ciphers.ts'
import { isSameBytes } from '#lib/digest.ts'
import { Secret } from '#lib/secret.ts'
import {
  blockBytesOf,
  HEADER_LENGTH,
  KEY_BLOCK_MAX,
  type KeyBlockHeader,
  type KeyBlockVersion,
  parseHeader,
} from './tr31_header.ts'
import { type OptionalBlock, writeOptionalBlocks } from './tr31_optional.ts'

/**
 * `malformed`: it is no key block, or none that such a KBPK could protect. `tampered`: the code
 * does not match, by a changed character or another KBPK. Nothing of a tampered block is returned.
 */
export type Unwrapped =
  | { ok: true; header: KeyBlockHeader; key: Secret<Buffer> }
  | { ok: false; fault: 'malformed' | 'tampered' }

type Keys = { encryption: BlockKey; authentication: BlockKey }

const malformed: Unwrapped = { ok: false, fault: 'malformed' }
const tampered: Unwrapped = { ok: false, fault: 'tampered' }

/** Bytes of the code at the block's end. */
const macBytes: Record<KeyBlockVersion, number> = { A: 4, B: 8, C: 4, D: 16 }

/** Checks the whole block before anything in it is used. Never throws on a malformed block. */
export function unwrapKeyBlock(block: string, kbpk: Secret<Buffer>): Unwrapped {
  const parsed = parseHeader(block)
  if (parsed === undefined || !protects(kbpk, parsed.header.version)) return malformed
  const { version } = parsed.header
  const rest = block.slice(parsed.length)
  const size = blockBytesOf(version)
  const data = rest.length / 2 - macBytes[version]
  if (!/^[0-9A-F]+$/.test(rest) || data < size || data % size !== 0) return malformed

  const header = Buffer.from(block.slice(0, parsed.length), 'latin1')
  const encrypted = Buffer.from(rest.slice(0, data * 2), 'hex')
  const mac = Buffer.from(rest.slice(data * 2), 'hex')
  const keys = keysFor(version, kbpk)
  const clear = cbcDecrypt(keys.encryption, firstVector(version, header, mac), encrypted)
  if (!isSameBytes(mac, macOf(version, keys, header, encrypted, clear))) return tampered

  const key = keyIn(clear, parsed.header.algorithm)
  return key ? { ok: true, header: parsed.header, key } : malformed
}

/** The header of a new key block. A block PB is added to the optional ones if needed. */
export type KeyBlockUse = Omit<KeyBlockHeader, 'optional_blocks'> & {
  optional_blocks?: readonly OptionalBlock[]
}

/**
 * Makes a key block; `random` pads the key and must return at least 40 fresh bytes. Keys shorter
 * than the longest of their algorithm are padded to it, so that their length does not show. Throws
 * a RangeError when key or KBPK has another length, when the optional blocks cannot be written and
 * when the whole would be longer than a key block may be.
 */
export function wrapKeyBlock(
  use: KeyBlockUse,
  key: Secret<Buffer>,
  kbpk: Secret<Buffer>,
  random: Buffer,
): string {
  const clear = clearData(use, key.reveal(), random)
  if (!protects(kbpk, use.version) || !keyIn(clear, use.algorithm)) {
    throw new RangeError('key or key block protection key has another length')
  }
  const text = headerText(use, (clear.length + macBytes[use.version]) * 2)
  const header = Buffer.from(text, 'latin1')
  const keys = keysFor(use.version, kbpk)
  const isBound = isVariant(use.version)
  const early = isBound ? Buffer.alloc(0) : macOf(use.version, keys, header, clear, clear)
  const encrypted = cbcEncrypt(keys.encryption, firstVector(use.version, header, early), clear)
  const mac = isBound ? macOf(use.version, keys, header, encrypted, clear) : early
  return text + Buffer.concat([encrypted, mac]).toString('hex').toUpperCase()
}

/** The header of a block with `rest` characters after it. */
function headerText(use: KeyBlockUse, rest: number): string {
  const { version, key_usage, algorithm, mode_of_use, key_version, exportability } = use
  const optional = writeOptionalBlocks(use.optional_blocks ?? [], blockBytesOf(version))
  const length = HEADER_LENGTH + optional.text.length + rest
  if (length > KEY_BLOCK_MAX) throw new RangeError('the optional blocks are too long')
  const start = `${version}${decimal(length, 4)}${key_usage}${algorithm}${mode_of_use}`
  return `${start}${key_version}${exportability}${decimal(optional.count, 2)}00${optional.text}`
}

const decimal = (number: number, digits: number) => String(number).padStart(digits, '0')

/** A and C make their keys by variants of the KBPK; B and D derive them. */
const isVariant = (version: KeyBlockVersion): boolean => version === 'A' || version === 'C'

function protects(kbpk: Secret<Buffer>, version: KeyBlockVersion): boolean {
  const { length } = kbpk.reveal()
  return length === 16 || length === 24 || (length === 32 && version === 'D')
}

export function keysFor(version: KeyBlockVersion, kbpk: Secret<Buffer>): Keys {
  if (isVariant(version)) {
    const variant = (byte: number) =>
      new TdesKey(kbpk.map((key) => xor(key, Buffer.alloc(key.length, byte))))
    return { encryption: variant(0x45), authentication: variant(0x4d) }
  }
  const root = version === 'D' ? new AesKey(kbpk) : new TdesKey(kbpk)
  return { encryption: derived(root, 0), authentication: derived(root, 1) }
}

/** Indicators of the derivation, by length of the key. */
const TDES_INDICATORS: Record<number, number> = { 16: 0, 24: 1 }
const AES_INDICATORS: Record<number, number> = { 16: 2, 24: 3, 32: 4 }

/** Key derivation in counter mode with CMAC. `usage` is 0 for encryption, 1 for authentication. */
function derived(root: TdesKey | AesKey, usage: number): BlockKey {
  const isAes = root instanceof AesKey
  const indicator = (isAes ? AES_INDICATORS : TDES_INDICATORS)[root.keyBytes] ?? 0
  const parts: Buffer[] = []
  for (let counter = 1; (counter - 1) * root.blockBytes < root.keyBytes; counter += 1) {
    const input = Buffer.from([counter, 0, usage, 0, 0, indicator, 0, 0])
    input.writeUInt16BE(root.keyBytes * 8, 6)
    parts.push(cmac(root, input))
  }
  const key = new Secret(Buffer.concat(parts, root.keyBytes))
  return isAes ? new AesKey(key) : new TdesKey(key)
}

function firstVector(version: KeyBlockVersion, header: Buffer, mac: Buffer): Buffer {
  return isVariant(version) ? header.subarray(0, 8) : mac
}

/** A and C authenticate what is encrypted, B and D what is in the clear. */
export function macOf(
  version: KeyBlockVersion,
  keys: Keys,
  header: Buffer,
  encrypted: Buffer,
  clear: Buffer,
): Buffer {
  if (!isVariant(version)) return cmac(keys.authentication, Buffer.concat([header, clear]))
  const message = paddedWithZeros(Buffer.concat([header, encrypted]), 8)
  const chain = cbcEncrypt(keys.authentication, Buffer.alloc(8), message)
  return chain.subarray(-8).subarray(0, macBytes[version])
}

/** Lengths of keys, in bytes, of the algorithms whose keys have set lengths. */
const keyLengths: Record<string, number[]> = { D: [8], T: [16, 24], A: [16, 24, 32] }

/** Two bytes of length in bits, the key, padding. */
export function keyIn(clear: Buffer, algorithm: string): Secret<Buffer> | undefined {
  const bits = clear.readUInt16BE(0)
  const length = bits / 8
  const isSound = bits > 0 && bits % 8 === 0 && length <= clear.length - 2
  const isFit = keyLengths[algorithm]?.includes(length) ?? true
  return isSound && isFit ? new Secret(Buffer.from(clear.subarray(2, 2 + length))) : undefined
}

function clearData(
  { version, algorithm }: { version: KeyBlockVersion; algorithm: string },
  key: Buffer,
  random: Buffer,
): Buffer {
  const size = blockBytesOf(version)
  const masked = Math.max(key.length, ...(keyLengths[algorithm] ?? []))
  const total = Math.ceil((2 + masked) / size) * size
  const bits = Buffer.alloc(2)
  bits.writeUInt16BE(key.length * 8)
  const clear = Buffer.concat([bits, key, random])
  if (clear.length < total) throw new RangeError('too few random bytes to pad the key')
  return clear.subarray(0, total)
}

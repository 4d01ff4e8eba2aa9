/**
 * Key blocks of scheme S, in which a payment security module of the payShield family returns keys
 * that are encrypted under its own key (LMK). Header and payload are those of TR-31, but for the
 * last two characters of the header, which name the LMK, and the code, which authenticates what is
 * encrypted: version 0 under TDES, version 1 under AES.
 */

import { cbcDecrypt, cbcEncrypt, cmac } from '#lib/ciphers.ts'
import { isSameBytes } from '#lib/digest.ts'
import type { Secret } from '#lib/secret.ts'
import { keyIn, keysFor, macOf } from './tr31.ts'
import { HEADER_LENGTH, KEY_BLOCK_MAX } from './tr31_header.ts'
import { parseOptionalBlocks } from './tr31_optional.ts'

export type ModuleBlockHeader = {
  /** 0 under a TDES key, 1 under an AES key. */
  version: '0' | '1'
  key_usage: string
  /** T TDES, A AES, D DES, H HMAC, R RSA … */
  algorithm: string
  mode_of_use: string
  key_version: string
  /** E under a key block, S at discretion, N not. */
  exportability: string
  /** Two digits of the LMK; FF under a transport key. */
  lmk: string
}

export type UnwrappedModuleBlock =
  | { ok: true; header: ModuleBlockHeader; key: Secret<Buffer> }
  | { ok: false; fault: 'malformed' | 'tampered' }

const malformed: UnwrappedModuleBlock = { ok: false, fault: 'malformed' }
const tampered: UnwrappedModuleBlock = { ok: false, fault: 'tampered' }

/** Version, length, usage, algorithm, mode, key version, exportability, optional blocks, LMK. */
const HEADER =
  /^([01])([0-9]{4})([0-9A-Z]{2})([A-Z])([A-Z])([0-9A-Za-z]{2})([ENS])([0-9]{2})([0-9F]{2})/

const blockBytes = { '0': 8, '1': 16 } as const
const macBytes = { '0': 4, '1': 8 } as const

/** The header of a block (without its letter S); undefined when the block has not this form. */
export function moduleBlockHeader(block: string): ModuleBlockHeader | undefined {
  const match = HEADER.exec(block)
  if (match === null || Number(match[2]) !== block.length) return undefined
  const [, version, , key_usage = '', algorithm = '', mode_of_use = '', key_version = ''] = match
  const [exportability = '', , lmk = ''] = match.slice(7)
  const use = { key_usage, algorithm, mode_of_use, key_version, exportability, lmk }
  return { version: version === '1' ? '1' : '0', ...use }
}

/** Checks the whole block before anything in it is used. Never throws on a malformed block. */
export function unwrapModuleBlock(block: string, kbpk: Secret<Buffer>): UnwrappedModuleBlock {
  const header = moduleBlockHeader(block)
  if (header === undefined || !protects(kbpk, header.version)) return malformed
  const optional = parseOptionalBlocks(block, HEADER_LENGTH, Number(block.slice(12, 14)))
  const size = blockBytes[header.version]
  if (optional === undefined || optional.end % size !== 0) return malformed
  const rest = block.slice(optional.end)
  const data = rest.length / 2 - macBytes[header.version]
  if (!/^[0-9A-F]+$/.test(rest) || data < size || data % size !== 0) return malformed

  const text = Buffer.from(block.slice(0, optional.end), 'latin1')
  const encrypted = Buffer.from(rest.slice(0, data * 2), 'hex')
  const mac = Buffer.from(rest.slice(data * 2), 'hex')
  if (!isSameBytes(mac, codeOf(header.version, kbpk, text, encrypted))) return tampered
  const { encryption } = keysOf(header.version, kbpk)
  const key = keyIn(cbcDecrypt(encryption, text.subarray(0, size), encrypted), header.algorithm)
  return key ? { ok: true, header, key } : malformed
}

/**
 * Makes a block without its letter S; `random` fills the last cipher block (14 bytes at most).
 * Throws a RangeError when key, KBPK or header has another shape.
 */
export function wrapModuleBlock(
  header: ModuleBlockHeader,
  key: Secret<Buffer>,
  kbpk: Secret<Buffer>,
  random: Buffer,
): string {
  const { version } = header
  const size = blockBytes[version]
  const bits = Buffer.alloc(2)
  bits.writeUInt16BE(key.reveal().length * 8)
  const bytes = Math.ceil((2 + key.reveal().length) / size) * size
  const clear = Buffer.concat([bits, key.reveal(), random]).subarray(0, bytes)
  if (clear.length < bytes) throw new RangeError('too few random bytes to pad the key')

  const text = headerText(header, (bytes + macBytes[version]) * 2)
  if (!protects(kbpk, version) || !keyIn(clear, header.algorithm)) {
    throw new RangeError('key or key block protection key has another length')
  }
  const head = Buffer.from(text, 'latin1')
  const encrypted = cbcEncrypt(keysOf(version, kbpk).encryption, head.subarray(0, size), clear)
  const mac = codeOf(version, kbpk, head, encrypted)
  return text + Buffer.concat([encrypted, mac]).toString('hex').toUpperCase()
}

function headerText(header: ModuleBlockHeader, rest: number): string {
  const length = HEADER_LENGTH + rest
  const { key_usage, algorithm, mode_of_use, key_version, exportability, lmk } = header
  const start = `${header.version}${String(length).padStart(4, '0')}${key_usage}${algorithm}`
  const text = `${start}${mode_of_use}${key_version}${exportability}00${lmk}`
  const isSound = text.length === HEADER_LENGTH && HEADER.test(text) && length <= KEY_BLOCK_MAX
  if (!isSound) throw new RangeError('a field of the header has another shape')
  return text
}

/** The keys of TR-31: by variants of a TDES key as in its version C, or derived as in its D. */
const keysOf = (version: '0' | '1', kbpk: Secret<Buffer>) =>
  keysFor(version === '0' ? 'C' : 'D', kbpk)

function codeOf(version: '0' | '1', kbpk: Secret<Buffer>, head: Buffer, encrypted: Buffer): Buffer {
  const keys = keysOf(version, kbpk)
  if (version === '0') return macOf('C', keys, head, encrypted, encrypted)
  return cmac(keys.authentication, Buffer.concat([head, encrypted])).subarray(0, macBytes[version])
}

function protects(kbpk: Secret<Buffer>, version: '0' | '1'): boolean {
  const { length } = kbpk.reveal()
  return length === 16 || length === 24 || (length === 32 && version === '1')
}

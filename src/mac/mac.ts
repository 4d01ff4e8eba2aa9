/**
 * Message authentication codes (MAC): algorithms 1 and 3 of ISO 9797-1 under a TDES key, and CMAC
 * (NIST SP 800-38B) under a TDES or an AES key (D-1031).
 */

import {
  type BlockKey,
  cbcEncrypt,
  cmac,
  padded,
  paddedWithZeros,
  retailMac,
  TdesKey,
} from '#lib/ciphers.ts'
import { isSameBytes } from '#lib/digest.ts'

/** The names of the algorithms, as a network's settings have them. */
export const macAlgorithms = ['iso9797_1', 'iso9797_3', 'cmac'] as const
export type MacAlgorithm = (typeof macAlgorithms)[number]

/**
 * The padding methods of ISO 9797-1: 1 adds zeros up to a whole block, 2 a byte 80 and then zeros.
 * CMAC pads by itself and ignores it.
 */
export const macPaddings = [1, 2] as const
export type MacPadding = (typeof macPaddings)[number]

export type MacMethod = { algorithm: MacAlgorithm; padding: MacPadding }

/** Bytes of a code that a message carries: all of DES, the left half of AES. */
export const MAC_BYTES = 8

/** Fewer bytes of a code than these prove nothing. */
const LEAST_BYTES = 4

/**
 * The whole code: 8 bytes under TDES, 16 under AES. A message carries its leftmost bytes. Throws a
 * RangeError for an algorithm of ISO 9797-1 under an AES key.
 */
export function macOf(key: BlockKey, { algorithm, padding }: MacMethod, message: Buffer): Buffer {
  if (algorithm === 'cmac') return cmac(key, message)
  if (!(key instanceof TdesKey)) throw new RangeError('ISO 9797-1 needs a TDES key')
  const size = key.blockBytes
  const blocks = padding === 1 ? paddedWithZeros(message, size) : padded(message, size)
  if (algorithm === 'iso9797_3') return retailMac(key, blocks)
  return cbcEncrypt(key, Buffer.alloc(size), blocks).subarray(-size)
}

/** Whether `mac` is the code of the message, or its leftmost 4 bytes or more; in constant time. */
export function isMac(key: BlockKey, method: MacMethod, message: Buffer, mac: Buffer): boolean {
  if (mac.length < LEAST_BYTES || mac.length > key.blockBytes) return false
  return isSameBytes(macOf(key, method, message).subarray(0, mac.length), mac)
}

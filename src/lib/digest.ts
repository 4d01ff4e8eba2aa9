/** Digests, and keys with a checksum that distinguishes a mistyped one from a revoked one. */

import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 62 ** 6 is greater than 2 ** 32, so six characters hold any CRC-32. */
const CHECKSUM_LENGTH = 6
const KEY_MAX = 200

export function sha256Hex(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex')
}

export function hmacSha256(key: string | Buffer, data: string | Buffer): Buffer {
  return createHmac('sha256', key).update(data).digest()
}

/** Compares texts in a time that does not depend on where they differ (their lengths may show). */
export function isSameText(one: string, other: string): boolean {
  return isSameBytes(Buffer.from(one), Buffer.from(other))
}

/** Compares bytes in a time that does not depend on where they differ (their lengths may show). */
export function isSameBytes(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}

/** Writes bytes as one number in base 62, padded to the length that so many bytes can need. */
export function base62(bytes: Buffer): string {
  let rest = BigInt(`0x${bytes.toString('hex') || '0'}`)
  let text = ''
  while (rest > 0n) {
    text = BASE62.charAt(Number(rest % 62n)) + text
    rest /= 62n
  }
  return text.padStart(Math.ceil((bytes.length * 8) / Math.log2(62)), '0')
}

/** prefix + random bytes in base 62 + checksum of both (D-12): `bzt_` and 32 bytes make 53. */
export function keyText(prefix: string, random: Buffer): string {
  const body = prefix + base62(random)
  return body + checksumOf(body)
}

/** True when the last six characters are the checksum of the rest. The key may still be invalid. */
export function hasChecksum(key: string): boolean {
  if (key.length <= CHECKSUM_LENGTH || key.length > KEY_MAX) return false
  const body = key.slice(0, -CHECKSUM_LENGTH)
  return key.slice(-CHECKSUM_LENGTH) === checksumOf(body)
}

function checksumOf(body: string): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc32(body))
  return base62(bytes)
}

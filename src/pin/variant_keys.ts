/**
 * Keys in the variant scheme of the payShield family: each part of a key (8 bytes) is encrypted
 * under a key of two parts whose first byte is changed by the type of the key, and whose ninth by
 * the part. So a key of one type, or a part in another place, decrypts to nothing of use.
 */

import { TdesKey } from '#lib/ciphers.ts'
import type { Secret } from '#lib/secret.ts'

/** The change of the first byte, by the variant of the key's type (0 to 9). */
const TYPE_BYTES = [0, 0xa6, 0x5a, 0x6a, 0xde, 0x2b, 0x50, 0x74, 0x9c, 0xfa] as const
/** The change of the ninth byte, by number of parts and part. */
const PART_BYTES: Readonly<Record<number, readonly number[]>> = {
  16: [0xa6, 0x5a],
  24: [0x6a, 0xde, 0x2b],
}

/** `key` has 16 or 24 bytes, `under` 16. Throws a RangeError for another length or variant. */
export function encryptByVariants(key: Secret<Buffer>, under: Secret<Buffer>, variant = 0): Buffer {
  const parts = partsOf(key.reveal().length, under, variant)
  return Buffer.concat(
    parts.map((part, at) => part.encrypt(key.reveal().subarray(at * 8, at * 8 + 8))),
  )
}

/** The way back. A key without odd parity in each byte is returned as it is. */
export function decryptByVariants(encrypted: Buffer, under: Secret<Buffer>, variant = 0): Buffer {
  const parts = partsOf(encrypted.length, under, variant)
  return Buffer.concat(
    parts.map((part, at) => part.decrypt(encrypted.subarray(at * 8, at * 8 + 8))),
  )
}

function partsOf(bytes: number, under: Secret<Buffer>, variant: number): TdesKey[] {
  const [typeByte, partBytes] = [TYPE_BYTES[variant], PART_BYTES[bytes]]
  if (typeByte === undefined || partBytes === undefined || under.reveal().length !== 16) {
    throw new RangeError('key, variant or encrypting key has another shape')
  }
  return partBytes.map(
    (partByte) =>
      new TdesKey(
        under.map((clear) => {
          const changed = Buffer.from(clear)
          changed[0] = (changed[0] ?? 0) ^ typeByte
          changed[8] = (changed[8] ?? 0) ^ partByte
          return changed
        }),
      ),
  )
}

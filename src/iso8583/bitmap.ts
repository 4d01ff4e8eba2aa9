/** Half a bitmap, 32 bits, as one number from 0 to 2^32 - 1: the first field is the top bit. */

import { HEX, nibbleOf, type Page } from './code_pages.ts'
import type { Source } from './source.ts'

export type BitmapForm = {
  /** The size of half a bitmap in bytes. */
  half: number
  /** -1 when it is not a bitmap. */
  read(source: Source, at: number): number
  write(target: Buffer, at: number, bits: number): void
}

export function rawBitmap(): BitmapForm {
  return {
    half: 4,
    read: ({ bytes }, at) => bytes.readUInt32BE(at),
    write(target, at, bits) {
      target.writeUInt32BE(bits >>> 0, at)
    },
  }
}

const HALF_DIGITS = 8
const hexDigits = Buffer.from('0123456789ABCDEF', 'latin1')

export function hexBitmap({ kinds, toWire }: Page): BitmapForm {
  return {
    half: HALF_DIGITS,
    read({ bytes, text }, at) {
      let bits = 0
      for (let index = at; index < at + HALF_DIGITS; index += 1) {
        if (((kinds[bytes[index] ?? 0] ?? 0) & HEX) === 0) return -1
        bits = (bits << 4) | (nibbleOf[text.charCodeAt(index)] ?? 0)
      }
      return bits >>> 0
    },
    write(target, at, bits) {
      for (let digit = 0; digit < HALF_DIGITS; digit += 1) {
        const nibble = (bits >>> (28 - 4 * digit)) & 15
        target[at + digit] = toWire[hexDigits[nibble] ?? 0] ?? 0
      }
    },
  }
}

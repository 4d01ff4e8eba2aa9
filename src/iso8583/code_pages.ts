/**
 * Code pages as lookup tables: the characters of bytes, and the bytes of characters. One lookup per
 * byte both checks and translates, which keeps the codec fast.
 */

import type { Dialect } from './dialects.ts'

/** Kinds of character, as bits, so that one lookup shows whether a field's type allows it. */
export const DIGIT = 1
export const ALPHANUMERIC = 2
export const PRINTABLE = 4
export const TRACK = 8
export const HEX = 16
export const SIGN = 32

export const ZERO = 0x30
export const SPACE = 0x20
const SEPARATOR_NIBBLE = 13

export type Page = {
  /** Kinds of the character that a byte on the wire stands for; 0 is a byte no field may hold. */
  kinds: Uint8Array
  /** The ASCII code of a byte on the wire; null when the page is ASCII itself. */
  toText: Uint8Array | null
  /** The byte on the wire of an ASCII code. */
  toWire: Uint8Array
  space: number
}

/** Kinds of each ASCII code. Only 20 to 7E are text: no control character passes the codec. */
export const kindsOfText: Uint8Array = Uint8Array.from({ length: 256 }, (_, code) => {
  const text = String.fromCharCode(code)
  const kind = (pattern: RegExp, bit: number) => (pattern.test(text) ? bit : 0)
  return (
    kind(/[0-9]/, DIGIT) |
    kind(/[0-9A-Za-z]/, ALPHANUMERIC) |
    kind(/[ -~]/, PRINTABLE) |
    kind(/[0-9=D]/, TRACK) |
    kind(/[0-9A-Fa-f]/, HEX) |
    kind(/[CD]/, SIGN)
  )
})

/** Kinds of a packed byte, by both its nibbles: digits, or digits and the track separator. */
export const kindsOfPacked: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => {
  const nibbles = [byte >> 4, byte & 15]
  if (nibbles.every((nibble) => nibble <= 9)) return DIGIT | TRACK
  return nibbles.every((nibble) => nibble <= 9 || nibble === SEPARATOR_NIBBLE) ? TRACK : 0
})

/** The nibble of a hex digit's ASCII code; the track separator = is D. Others never get here. */
export const nibbleOf: Uint8Array = Uint8Array.from({ length: 256 }, (_, code) => {
  if (code === 0x3d) return SEPARATOR_NIBBLE
  return Number.parseInt(String.fromCharCode(code), 16) || 0
})

/** Code page 037: the bytes of the ASCII codes 20 to 7E, in order. */
const cp037 = Buffer.from(
  '405A7F7B5B6C507D4D5D5C4E6B604B61F0F1F2F3F4F5F6F7F8F97A5E4C7E6E6F' +
    '7CC1C2C3C4C5C6C7C8C9D1D2D3D4D5D6D7D8D9E2E3E4E5E6E7E8E9BAE0BBB06D' +
    '79818283848586878889919293949596979899A2A3A4A5A6A7A8A9C04FD0A1',
  'hex',
)

function ebcdic(): Page {
  const kinds = new Uint8Array(256)
  const toText = new Uint8Array(256)
  const toWire = new Uint8Array(256)
  cp037.forEach((byte, index) => {
    const code = SPACE + index
    kinds[byte] = kindsOfText[code] ?? 0
    toText[byte] = code
    toWire[code] = byte
  })
  return { kinds, toText, toWire, space: toWire[SPACE] ?? 0 }
}

const identity = Uint8Array.from({ length: 256 }, (_, code) => code)

export const pages: Record<Dialect['page'], Page> = {
  ascii: { kinds: kindsOfText, toText: null, toWire: identity, space: SPACE },
  cp037: ebcdic(),
}

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
/** Any byte at all. */
export const ANY = 64

export const ZERO = 0x30
export const SPACE = 0x20
const SEPARATOR_NIBBLE = 13

export type Page = {
  /** Kinds of the character that a byte on the wire stands for. */
  kinds: Uint8Array
  /** The code of a byte on the wire; null when the page is latin 1 itself. */
  toText: Uint8Array | null
  /** The byte on the wire of a code. */
  toWire: Uint8Array
  space: number
}

/**
 * Kinds of each code of latin 1. Only 20 to 7E are text: another character passes the codec only in
 * a field of free text (D-1033).
 */
export const kindsOfText: Uint8Array = Uint8Array.from({ length: 256 }, (_, code) => {
  const text = String.fromCharCode(code)
  const kind = (pattern: RegExp, bit: number) => (pattern.test(text) ? bit : 0)
  return (
    ANY |
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

/** Code page 037: the code of latin 1 for each byte, in the order of the bytes. */
const cp037 = Buffer.from(
  '000102039C09867F978D8E0B0C0D0E0F101112139D8508871819928F1C1D1E1F' +
    '80818283840A171B88898A8B8C050607909116939495960498999A9B14159E1A' +
    '20A0E2E4E0E1E3E5E7F1A22E3C282B7C26E9EAEBE8EDEEEFECDF21242A293BAC' +
    '2D2FC2C4C0C1C3C5C7D1A62C255F3E3FF8C9CACBC8CDCECFCC603A2340273D22' +
    'D8616263646566676869ABBBF0FDFEB1B06A6B6C6D6E6F707172AABAE6B8C6A4' +
    'B57E737475767778797AA1BFD0DDDEAE5EA3A5B7A9A7B6BCBDBE5B5DAFA8B4D7' +
    '7B414243444546474849ADF4F6F2F3F57D4A4B4C4D4E4F505152B9FBFCF9FAFF' +
    '5CF7535455565758595AB2D4D6D2D3D530313233343536373839B3DBDCD9DA9F',
  'hex',
)

function ebcdic(): Page {
  const kinds = new Uint8Array(256)
  const toText = new Uint8Array(256)
  const toWire = new Uint8Array(256)
  cp037.forEach((code, byte) => {
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

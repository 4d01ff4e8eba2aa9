/**
 * The forms of a value on the wire. A form both checks and converts, in one pass. Reading never
 * throws: it returns null for a value that breaks its type.
 */

import {
  DIGIT,
  HEX,
  kindsOfPacked,
  kindsOfText,
  nibbleOf,
  type Page,
  SIGN,
  SPACE,
  TRACK,
  ZERO,
} from './code_pages.ts'
import type { Source } from './source.ts'

/** `count` is what a length on the wire counts: characters, digits, or bytes of a raw field. */
export type Form = {
  countOf(value: string): number
  bytesFor(count: number): number
  read(source: Source, at: number, count: number): string | null
  /** False when the value breaks its type; the target then has undefined content. */
  write(target: Buffer, at: number, value: string): boolean
}

const lengthOf = (value: string) => value.length
const oneEach = (count: number) => count
const twoEach = (count: number) => (count + 1) >> 1

/** Characters of one kind. */
export function characters(page: Page, kind: number): Form {
  const { kinds } = page
  return {
    countOf: lengthOf,
    bytesFor: oneEach,
    read({ bytes, text }, at, count) {
      const end = at + count
      for (let index = at; index < end; index += 1) {
        if (((kinds[bytes[index] ?? 0] ?? 0) & kind) === 0) return null
      }
      return text.slice(at, end)
    },
    write: (target, at, value) => writeCharacters(page, kind, target, at, value),
  }
}

/** Characters of one kind, then blanks: the standard fills a fixed field of characters so. */
export function blankFilled(page: Page, kind: number): Form {
  const { kinds, space } = page
  return {
    countOf: lengthOf,
    bytesFor: oneEach,
    read({ bytes, text }, at, count) {
      let end = at + count
      while (end > at && bytes[end - 1] === space) end -= 1
      for (let index = at; index < end; index += 1) {
        if (((kinds[bytes[index] ?? 0] ?? 0) & kind) === 0) return null
      }
      return text.slice(at, at + count)
    },
    write(target, at, value) {
      let end = value.length
      while (end > 0 && value.charCodeAt(end - 1) === SPACE) end -= 1
      target.fill(space, at + end, at + value.length)
      return writeCharacters(page, kind, target, at, value.slice(0, end))
    },
  }
}

function writeCharacters(page: Page, kind: number, target: Buffer, at: number, value: string) {
  const { toWire } = page
  for (let index = 0; index < value.length; index += 1) {
    const code = value.charCodeAt(index)
    if (((kindsOfText[code] ?? 0) & kind) === 0) return false
    target[at + index] = toWire[code] ?? 0
  }
  return true
}

/** Digits, two to a byte; an odd count begins with a zero nibble. */
export function packedDigits(): Form {
  return {
    countOf: lengthOf,
    bytesFor: twoEach,
    read: (source, at, count) => readPacked(DIGIT, source, at, count),
    write: (target, at, value) => writePacked(DIGIT, target, at, value),
  }
}

function readPacked(kind: number, source: Source, at: number, count: number): string | null {
  const { bytes } = source
  const end = at + twoEach(count)
  const odd = count & 1
  if (odd === 1 && (bytes[at] ?? 0) > 0x0f) return null
  for (let index = at; index < end; index += 1) {
    if (((kindsOfPacked[bytes[index] ?? 0] ?? 0) & kind) === 0) return null
  }
  return source.hex.slice(2 * at + odd, 2 * end)
}

function writePacked(kind: number, target: Buffer, at: number, value: string): boolean {
  let place = 2 * at + (value.length & 1)
  if (value.length & 1) target[at] = 0
  for (let index = 0; index < value.length; index += 1) {
    const code = value.charCodeAt(index)
    if (((kindsOfText[code] ?? 0) & kind) === 0) return false
    const nibble = nibbleOf[code] ?? 0
    const byte = place >> 1
    target[byte] = place & 1 ? (target[byte] ?? 0) | nibble : nibble << 4
    place += 1
  }
  return true
}

/** Track 2: networks separate by = or by D; the value inside the program always has =. */
export function track(page: Page): Form {
  const plain = characters(page, TRACK)
  return {
    ...plain,
    read: (source, at, count) => separated(plain.read(source, at, count)),
    write: (target, at, value) => plain.write(target, at, value.replaceAll('D', '=')),
  }
}

export function packedTrack(): Form {
  return {
    countOf: lengthOf,
    bytesFor: twoEach,
    read: (source, at, count) => separated(readPacked(TRACK, source, at, count)),
    write: (target, at, value) => writePacked(TRACK, target, at, value),
  }
}

const separated = (value: string | null) => (value === null ? null : value.replaceAll('D', '='))

/** x+n: C or D as a character, then the digits in the dialect's form. */
export function signed(page: Page, digits: Form): Form {
  return {
    countOf: lengthOf,
    bytesFor: (count) => 1 + digits.bytesFor(count - 1),
    read(source, at, count) {
      if (((page.kinds[source.bytes[at] ?? 0] ?? 0) & SIGN) === 0) return null
      const amount = digits.read(source, at + 1, count - 1)
      return amount === null ? null : source.text.charAt(at) + amount
    },
    write: (target, at, value) =>
      writeCharacters(page, SIGN, target, at, value.slice(0, 1)) &&
      digits.write(target, at + 1, value.slice(1)),
  }
}

/** Bytes as they are; the value inside the program is upper-case hex. */
export function raw(): Form {
  return {
    countOf: (value) => value.length / 2,
    bytesFor: oneEach,
    read: (source, at, count) => source.hex.slice(2 * at, 2 * (at + count)),
    write: (target, at, value) => writePacked(HEX, target, at, value),
  }
}

/** Bytes as hex characters. */
export function hexCharacters(page: Page): Form {
  const plain = characters(page, HEX)
  return {
    ...plain,
    read(source, at, count) {
      const value = count & 1 ? null : plain.read(source, at, count)
      return value === null ? null : value.toUpperCase()
    },
    write: (target, at, value) =>
      (value.length & 1) === 0 && plain.write(target, at, value.toUpperCase()),
  }
}

/** A length before a variable field. `read` returns -1 when it is not a number. */
export type LengthForm = {
  bytes: number
  read(bytes: Buffer, at: number): number
  write(target: Buffer, at: number, count: number): void
}

export function lengthInCharacters(page: Page, digits: number): LengthForm {
  const { kinds, toWire } = page
  const zero = toWire[ZERO] ?? 0
  return {
    bytes: digits,
    read(bytes, at) {
      let count = 0
      for (let index = at; index < at + digits; index += 1) {
        const byte = bytes[index] ?? 0
        if (((kinds[byte] ?? 0) & DIGIT) === 0) return -1
        count = count * 10 + byte - zero
      }
      return count
    },
    write(target, at, count) {
      let rest = count
      for (let index = at + digits - 1; index >= at; index -= 1) {
        target[index] = zero + (rest % 10)
        rest = Math.trunc(rest / 10)
      }
    },
  }
}

export function lengthPacked(digits: number): LengthForm {
  const size = twoEach(digits)
  return {
    bytes: size,
    read(bytes, at) {
      let count = 0
      for (let index = at; index < at + size; index += 1) {
        const byte = bytes[index] ?? 0
        if (((kindsOfPacked[byte] ?? 0) & DIGIT) === 0) return -1
        count = count * 100 + (byte >> 4) * 10 + (byte & 15)
      }
      return count
    },
    write(target, at, count) {
      let rest = count
      for (let index = at + size - 1; index >= at; index -= 1) {
        const pair = rest % 100
        target[index] = (Math.trunc(pair / 10) << 4) | (pair % 10)
        rest = Math.trunc(rest / 100)
      }
    },
  }
}

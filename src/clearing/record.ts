/** One record of a clearing file: its MTI, a bitmap of 16 bytes, and its data elements. */

import { type CharacterSet, characters, textOf } from './characters.ts'
import { BITMAP_BYTES, elements, faultOf, MTI_LENGTH, SUBELEMENT_HOLDERS } from './elements.ts'
import { type Misread, readSubelements } from './subelements.ts'

export type ClearingRecord = {
  mti: string
  /** Values as the text of the record, with zeros and blanks; those of bytes as upper-case hex. */
  elements: ReadonlyMap<number, string>
  /** Private subelements by their tags of four digits. */
  subelements: ReadonlyMap<string, string>
}

export type Decoded = { ok: true; record: ClearingRecord } | ({ ok: false } & Misread)

const HEAD = MTI_LENGTH + BITMAP_BYTES
const ELEMENTS = 128
const failed = (at: number, reason: string): Decoded => ({ ok: false, at, reason })

/** Decodes a record as a whole; a fault has its place, in bytes from the begin of the record. */
export function decodeRecord(bytes: Buffer, set: CharacterSet): Decoded {
  if (bytes.length < HEAD) {
    return failed(bytes.length, `the record ends within its MTI and bitmap, ${HEAD} bytes`)
  }
  const text = textOf(bytes, set)
  const mti = text.slice(0, MTI_LENGTH)
  if (!/^[0-9]{4}$/.test(mti)) return failed(0, 'the MTI is not four digits')
  if (!isOn(bytes, 1)) return failed(MTI_LENGTH, 'bit 1 is off: the second bitmap is always there')
  const found = new Map<number, string>()
  const places = new Map<number, number>()
  let at = HEAD
  for (let number = 2; number <= ELEMENTS; number += 1) {
    if (!isOn(bytes, number)) continue
    const one = elementAt(bytes, text, number, at)
    if ('reason' in one) return { ok: false, ...one }
    found.set(number, one.value)
    places.set(number, one.begin)
    at = one.end
  }
  if (at < bytes.length) {
    return failed(at, `${bytes.length - at} bytes are left behind the last element of the bitmap`)
  }
  return withSubelements(mti, found, places)
}

const isOn = (bytes: Buffer, number: number): boolean =>
  (((bytes[MTI_LENGTH + ((number - 1) >> 3)] ?? 0) >> (7 - ((number - 1) & 7))) & 1) === 1

type Found = { value: string; begin: number; end: number }

function elementAt(bytes: Buffer, text: string, number: number, at: number): Found | Misread {
  const element = elements[number]
  if (element === undefined) {
    const place = MTI_LENGTH + ((number - 1) >> 3)
    return { at: place, reason: `DE${number} is no element of a clearing record` }
  }
  const prefix = text.slice(at, at + element.prefix)
  if (!/^[0-9]*$/.test(prefix)) return { at, reason: `the length of DE${number} is not digits` }
  const begin = at + element.prefix
  const length = element.prefix === 0 ? element.max : Number(prefix)
  const end = begin + length
  if (prefix.length < element.prefix || end > text.length) {
    return { at, reason: `DE${number} ends behind the record` }
  }
  const value =
    element.type === 'b' ? bytes.toString('hex', begin, end).toUpperCase() : text.slice(begin, end)
  const fault = faultOf(number, element, value)
  return fault === undefined ? { value, begin, end } : { at, reason: fault }
}

function withSubelements(
  mti: string,
  found: ReadonlyMap<number, string>,
  places: ReadonlyMap<number, number>,
): Decoded {
  const holders = holdersOf(found)
  const subelements = readSubelements(holders)
  if (subelements instanceof Map) return { ok: true, record: { mti, elements: found, subelements } }
  // The place within all holders together is that within one of them.
  let inside = subelements.at
  for (const { number, text } of holders) {
    if (inside < text.length) {
      return failed((places.get(number) ?? 0) + inside, `DE${number}: ${subelements.reason}`)
    }
    inside -= text.length
  }
  return failed(0, subelements.reason)
}

export const holdersOf = (found: ReadonlyMap<number, string>) =>
  SUBELEMENT_HOLDERS.flatMap((number) => {
    const text = found.get(number)
    return text === undefined ? [] : [{ number, text }]
  })

export type Encoded = { ok: true; bytes: Buffer } | { ok: false; reason: string }

/** The bytes of a record; its elements have the subelements already (`json.ts`). */
export function encodeRecord(record: ClearingRecord, set: CharacterSet): Encoded {
  if (!/^[0-9]{4}$/.test(record.mti)) return { ok: false, reason: 'the MTI is not four digits' }
  const { toWire } = characters[set]
  const bitmap = Buffer.alloc(BITMAP_BYTES)
  bitmap[0] = 0x80
  const parts = [wireOf(record.mti, toWire), bitmap]
  for (const [number, value] of [...record.elements].toSorted(([a], [b]) => a - b)) {
    const element = elements[number]
    if (element === undefined) {
      return { ok: false, reason: `DE${number} is no element of a clearing record` }
    }
    const fault = faultOf(number, element, value)
    if (fault !== undefined) return { ok: false, reason: fault }
    if (/[^\0-\xff]/.test(value)) {
      return { ok: false, reason: `DE${number} has a character that latin 1 does not have` }
    }
    const place = (number - 1) >> 3
    bitmap[place] = (bitmap[place] ?? 0) | (0x80 >> ((number - 1) & 7))
    const bytes = element.type === 'b' ? Buffer.from(value, 'hex') : wireOf(value, toWire)
    const length = element.prefix === 0 ? '' : String(bytes.length).padStart(element.prefix, '0')
    parts.push(wireOf(length, toWire), bytes)
  }
  return { ok: true, bytes: Buffer.concat(parts) }
}

function wireOf(text: string, toWire: Uint8Array): Buffer {
  const bytes = Buffer.from(text, 'latin1')
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = toWire[bytes[at] ?? 0] ?? 0
  return bytes
}

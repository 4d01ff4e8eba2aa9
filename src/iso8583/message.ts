/**
 * Bytes to messages and back. `decode` accepts anything a peer may send: it never throws, takes
 * time in proportion to the bytes, and its faults contain place and kind, never a value.
 * `encode` accepts messages of this program and throws when they break the field table.
 */

import { ZERO } from './code_pages.ts'
import type { DialectName } from './dialects.ts'
import type { Form } from './forms.ts'
import { type FieldLayout, type Layout, layouts } from './layouts.ts'
import { Source } from './source.ts'

/**
 * By DE number. Digits and characters as text, b fields as upper-case hex, track 2 with =. A
 * decoded value may be a view of the whole message's text: a value that is kept for long keeps that
 * too.
 */
export type Fields = { [de: number]: string | undefined }

export type Message = {
  mti: string
  fields: Fields
  /** Fields that came with a value which breaks its type or bounds, and decide nothing (D-1033). */
  left_out?: readonly number[]
}

/**
 * too_long: past MAX_MESSAGE. truncated: ends inside what it announces. mti: not four digits of
 * the 1987 edition. bitmap: not one, or bit 65. length: outside the field's bounds. characters:
 * a value breaks its type. trailing: bytes after the last field.
 */
export type FaultReason =
  | 'too_long'
  | 'truncated'
  | 'mti'
  | 'bitmap'
  | 'length'
  | 'characters'
  | 'trailing'

export type Fault = {
  reason: FaultReason
  /** The field at fault; null when it is not a field's. */
  de: number | null
  /** Byte at which the faulty part begins. */
  at: number
  /**
   * The readable part, so that format error can be answered (DE39 30); null without an MTI. A value
   * that breaks its type or its bounds does not move the fields after it: those are here as well,
   * since the sender finds the message of the answer by them (D-899).
   */
  read: Message | null
}

export type Decoded = { ok: true; message: Message } | { ok: false; fault: Fault }

const NONE: ReadonlySet<number> = new Set()

/** Bytes; the most that a two-byte length can announce. */
export const MAX_MESSAGE = 65_535

const LAST_FIELD = 128
const TRACK2 = 35
const MTI_DIGITS = 4

/**
 * Track 2 of an odd number of digits, where a dialect packs it, begins with a zero nibble, or ends
 * with F as other networks have it.
 */
export type Track2Fill = 'left_zero' | 'right_f'

/** The fields of a peer that writes others as it likes (D-1033). Left out, all are strict. */
export type Leniency = {
  /** The fields whose faults count: another one that breaks its type or bounds is left out. */
  read: ReadonlySet<number>
  /** The fields of characters that may have any: latin 1 in ASCII. */
  text: ReadonlySet<number>
  track2_fill?: Track2Fill
}

export function decode(bytes: Buffer, dialect: DialectName, lenient?: Leniency): Decoded {
  if (bytes.length > MAX_MESSAGE) return unreadable('too_long')
  const layout = layouts[dialect]
  const start = layout.mti.bytesFor(MTI_DIGITS)
  if (bytes.length < start) return unreadable('truncated')
  const source = new Source(bytes, layout.page)
  const mti = layout.mti.read(source, 0, MTI_DIGITS)
  if (mti === null || mti.charCodeAt(0) !== ZERO) return unreadable('mti')
  const reading = new Reading(source, layout, { start, lenient })
  reading.message()
  const { fields, left_out } = reading
  const message = left_out.length > 0 ? { mti, fields, left_out } : { mti, fields }
  const { fault } = reading
  return fault === null ? { ok: true, message } : { ok: false, fault: { ...fault, read: message } }
}

const unreadable = (reason: FaultReason): Decoded => ({
  ok: false,
  fault: { reason, de: null, at: 0, read: null },
})

const isFilled = (de: number, count: number, lenient: Leniency | undefined): boolean =>
  de === TRACK2 && count % 2 === 1 && lenient?.track2_fill === 'right_f'

type Way = { start: number; lenient: Leniency | undefined }

class Reading {
  readonly fields: Fields = {}
  readonly left_out: number[] = []
  /** The first fault. */
  fault: Omit<Fault, 'read'> | null = null
  readonly #source: Source
  readonly #layout: Layout
  readonly #lenient: Leniency | undefined
  #at: number

  constructor(source: Source, layout: Layout, { start, lenient }: Way) {
    this.#source = source
    this.#layout = layout
    this.#at = start
    this.#lenient = lenient
  }

  /** Follows the bitmaps to the end of the message, or to a fault that hides what comes next. */
  message(): void {
    const first = this.#half()
    const second = this.#half()
    if (first < 0 || second < 0) return
    const extended = first >>> 31 === 1
    const third = extended ? this.#half() : 0
    const fourth = extended ? this.#half() : 0
    if (third < 0 || fourth < 0) return
    const whole =
      this.#follow(first & 0x7fffffff, 1) &&
      this.#follow(second, 33) &&
      this.#follow(third, 65) &&
      this.#follow(fourth, 97)
    if (whole && this.#at < this.#source.bytes.length) this.#note('trailing', null)
  }

  #half(): number {
    const { half } = this.#layout.bitmap
    if (this.#at + half > this.#source.bytes.length) {
      this.#note('truncated', null)
      return -1
    }
    const bits = this.#layout.bitmap.read(this.#source, this.#at)
    if (bits < 0) this.#note('bitmap', null)
    else this.#at += half
    return bits
  }

  /** Reads the fields whose bits are set; the top bit is the field `base`. */
  #follow(bits: number, base: number): boolean {
    let rest = bits | 0
    while (rest !== 0) {
      const lead = Math.clz32(rest)
      rest &= ~(0x80000000 >>> lead)
      if (!this.#field(base + lead)) return false
    }
    return true
  }

  /** False when the next field's place is not known any more. */
  #field(de: number): boolean {
    const layout = this.#layout.fields[de]
    // Bit 65: a third bitmap, for fields that this edition does not have.
    if (layout === undefined) return this.#lost('bitmap', de)
    const { bytes } = this.#source
    const { form, length, least, most } = layout
    let count = most
    let start = this.#at
    if (length !== null) {
      start += length.bytes
      if (start > bytes.length) return this.#lost('truncated', de)
      count = length.read(bytes, this.#at)
      if (count < 0) return this.#lost('length', de)
    }
    const fits = count >= least && count <= most
    const counts = this.#lenient?.read.has(de) !== false
    if (!fits && counts) this.#note('length', de)
    const end = start + form.bytesFor(count)
    if (end > bytes.length) return this.#lost('truncated', de)
    const value = fits ? this.#value(de, form, start, count) : null
    if (value !== null) this.fields[de] = value
    else if (counts) this.#note('characters', de)
    else this.left_out.push(de)
    this.#at = end
    return true
  }

  #value(de: number, form: Form, start: number, count: number): string | null {
    const isPacked = form.bytesFor(2) === 1
    if (isFilled(de, count, this.#lenient) && isPacked) {
      return this.#filledTrack(start, count)
    }
    const value = form.read(this.#source, start, count)
    if (value !== null || this.#lenient?.text.has(de) !== true) return value
    return this.#layout.text.read(this.#source, start, count)
  }

  /** Digits in nibbles, D between, and F at the end; null for another dialect's track. */
  #filledTrack(start: number, count: number): string | null {
    const packed = this.#source.hex.slice(2 * start, 2 * start + count + 1)
    return /^[0-9]+(?:D[0-9]*)?F$/.test(packed) ? packed.slice(0, -1).replace('D', '=') : null
  }

  #lost(reason: FaultReason, de: number): false {
    this.#note(reason, de)
    return false
  }

  #note(reason: FaultReason, de: number | null): void {
    this.fault ??= { reason, de, at: this.#at }
  }
}

/** Thrown for a message that this program made wrong. It names the field, never the value. */
export class EncodeError extends Error {
  readonly de: number
  constructor(de: number, why: string) {
    super(`${de === 0 ? 'MTI' : `DE${de}`} ${why}`)
    this.name = 'EncodeError'
    this.de = de
  }
}

/**
 * Throws EncodeError for a field that does not exist or a value its type or length forbids; the
 * fields of `text` may have any characters, as they were read.
 */
export function encode(
  message: Message,
  dialect: DialectName,
  text: Leniency['text'] = NONE,
): Buffer {
  const layout = layouts[dialect]
  const { mti, bitmap } = layout
  const bits = [0, 0, 0, 0]
  const body = measure(message.fields, layout, bits)
  const halves = bits[2] || bits[3] ? 4 : 2
  if (halves === 4) bits[0] = (bits[0] ?? 0) | 0x80000000
  const start = mti.bytesFor(MTI_DIGITS)
  const target = Buffer.allocUnsafe(start + halves * bitmap.half + body)
  if (message.mti.length !== MTI_DIGITS) throw new EncodeError(0, 'is not four digits')
  if (!mti.write(target, 0, message.mti)) throw new EncodeError(0, 'is not four digits')
  for (let half = 0; half < halves; half += 1) {
    bitmap.write(target, start + half * bitmap.half, bits[half] ?? 0)
  }
  write(message.fields, layout, { target, start: start + halves * bitmap.half, text })
  return target
}

/** The bytes that the fields take; their bits are set in `bits`. */
function measure(fields: Fields, layout: Layout, bits: number[]): number {
  let size = 0
  for (let de = 1; de <= LAST_FIELD; de += 1) {
    const value = fields[de]
    if (value === undefined) continue
    const field = layout.fields[de]
    if (field === undefined) throw new EncodeError(de, 'is not a field')
    const half = (de - 1) >> 5
    bits[half] = (bits[half] ?? 0) | (0x80000000 >>> ((de - 1) & 31))
    size += sizeOf(field, value, de)
  }
  return size
}

function sizeOf({ form, length, least, most }: FieldLayout, value: string, de: number): number {
  const count = form.countOf(value)
  if (count < least || count > most || !Number.isInteger(count)) {
    throw new EncodeError(de, `has length ${count}, not ${least} to ${most}`)
  }
  return form.bytesFor(count) + (length === null ? 0 : length.bytes)
}

type Target = { target: Buffer; start: number; text: ReadonlySet<number> }

function write(fields: Fields, layout: Layout, { target, start, text }: Target): void {
  let at = start
  for (let de = 2; de <= LAST_FIELD; de += 1) {
    const value = fields[de]
    const field = layout.fields[de]
    if (value === undefined || field === undefined) continue
    const count = field.form.countOf(value)
    if (field.length !== null) {
      field.length.write(target, at, count)
      at += field.length.bytes
    }
    const isWritten =
      field.form.write(target, at, value) || (text.has(de) && layout.text.write(target, at, value))
    if (!isWritten) throw new EncodeError(de, 'breaks its type')
    at += field.form.bytesFor(count)
  }
}

/** A message and what is sent again of it have one name, by trace number and reference. */
export const traceName = ({ fields }: Message): string => `${fields[11] ?? ''} ${fields[37] ?? ''}`

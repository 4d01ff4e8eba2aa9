/**
 * Columns of a batch as PostgreSQL arrays. The driver would quote and search every element of an
 * array for characters that need escaping; ids and numbers need neither, and that is most of a
 * batch.
 */

import { type RawBuilder, sql } from 'kysely'

type Plain = string | number | bigint | boolean | null

/** Ids, numbers, enum values: no element has a quote, comma, brace, backslash or space. */
export function plainArray(elements: readonly Plain[]): string {
  return `{${elements.map((element) => (element === null ? 'NULL' : element)).join()}}`
}

/** Instants, in the form that sorts and casts alike everywhere. */
export function instantArray(elements: readonly (Date | null)[]): string {
  return plainArray(elements.map((instant) => instant?.toISOString() ?? null))
}

/** Bytes, as PostgreSQL has them: nothing is escaped or read as text. */
export function bytesArray(elements: readonly Buffer[]): Buffer {
  const length = elements.reduce((sum, bytes) => sum + 4 + bytes.length, HEADER_BYTES)
  const array = startArray(BYTEA, elements.length, length)
  let at = HEADER_BYTES
  for (const bytes of elements) {
    at = array.writeInt32BE(bytes.length, at)
    at += bytes.copy(array, at)
  }
  return array
}

/**
 * Ids as PostgreSQL has them, for statements of every decision: it takes ten times as long to read
 * one as text. Throws on a value that is no UUID in its canonical form.
 */
export function idArray(ids: readonly (string | null)[]): Buffer {
  const length = ids.reduce((sum, id) => sum + (id === null ? 4 : 4 + ID_BYTES), HEADER_BYTES)
  const array = startArray(UUID, ids.length, length)
  if (ids.includes(null)) array.writeInt32BE(1, HAS_NULL_AT)
  let at = HEADER_BYTES
  for (const id of ids) {
    at = array.writeInt32BE(id === null ? -1 : ID_BYTES, at)
    if (id !== null) at = writeId(array, id, at)
  }
  return array
}

/** Dimensions, whether there are nulls, type, number of elements and number of the first one. */
const HEADER_BYTES = 20
const HAS_NULL_AT = 4
const ID_BYTES = 16
/** Types by their numbers, which are the same in every database. */
const BYTEA = 17
const UUID = 2950

function startArray(type: number, count: number, length: number): Buffer {
  const array = Buffer.alloc(length)
  array.writeInt32BE(1, 0)
  array.writeInt32BE(type, 8)
  array.writeInt32BE(count, 12)
  array.writeInt32BE(1, 16)
  return array
}

/** The value of each hexadecimal digit by its character code; -1 of any other character. */
const DIGITS = Int8Array.from({ length: 128 }, (_, code) => {
  const digit = Number.parseInt(String.fromCharCode(code), 16)
  return Number.isNaN(digit) ? -1 : digit
})
const DASHES: ReadonlySet<number> = new Set([8, 13, 18, 23])

function writeId(array: Buffer, id: string, start: number): number {
  let at = start
  let faulty = id.length === 36 ? 0 : -1
  for (let from = 0; from < 36; from += 2) {
    if (DASHES.has(from)) {
      if (id[from] !== '-') faulty = -1
      from += 1
    }
    const high = DIGITS[id.charCodeAt(from)] ?? -1
    const low = DIGITS[id.charCodeAt(from + 1)] ?? -1
    faulty |= high | low
    array[at++] = (high << 4) | low
  }
  if (faulty < 0) throw new Error('an id is no UUID')
  return at
}

const NEEDS_ESCAPE = /["\\]/

/** Any text: quoted, with quotes and backslashes escaped. */
export function textArray(elements: readonly (string | null)[]): string {
  return `{${elements.map((element) => (element === null ? 'NULL' : quoted(element))).join()}}`
}

function quoted(text: string): string {
  return NEEDS_ESCAPE.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : `"${text}"`
}

/** U+001E, the record separator: JSON text never has an unescaped control character. */
const RECORD_SEPARATOR = '\x1e'

/** JSON texts as a `json[]`: no escaping inside escaping, and PostgreSQL reads each only once. */
export function jsonArray(texts: readonly (string | null)[]): RawBuilder<unknown> {
  const joined = texts.map((text) => text ?? '').join(RECORD_SEPARATOR)
  return sql`string_to_array(${joined}, ${RECORD_SEPARATOR}, '')::json[]`
}

/**
 * Columns of a batch as PostgreSQL array literals. The driver would quote and search every element
 * of an array for what needs escaping; ids and numbers need neither, and that is most of a batch.
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

/** Bytes: the driver would escape each, which for thousands of sealed numbers takes long. */
export function bytesArray(elements: readonly Buffer[]): string {
  return `{${elements.map((bytes) => `"\\\\x${bytes.toString('hex')}"`).join()}}`
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

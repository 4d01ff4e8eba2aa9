/**
 * Columns of a batch as PostgreSQL array literals. The driver would quote and search every element
 * of an array for what needs escaping; ids and numbers need neither, and that is most of a batch.
 */

type Plain = string | number | bigint | null

/** Ids, numbers, enumerated words: no element holds a quote, comma, brace, backslash or space. */
export function plainArray(elements: readonly Plain[]): string {
  return `{${elements.map((element) => (element === null ? 'NULL' : element)).join()}}`
}

/** Instants, in the form that sorts and casts alike everywhere. */
export function instantArray(elements: readonly (Date | null)[]): string {
  return plainArray(elements.map((instant) => instant?.toISOString() ?? null))
}

const NEEDS_ESCAPE = /["\\]/

/** Any text: quoted, with quotes and backslashes escaped. */
export function textArray(elements: readonly (string | null)[]): string {
  return `{${elements.map((element) => (element === null ? 'NULL' : quoted(element))).join()}}`
}

function quoted(text: string): string {
  return NEEDS_ESCAPE.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : `"${text}"`
}

/** Values as one JSON array, for json_array_elements: no escaping inside escaping. */
export function jsonArray(elements: readonly string[]): string {
  return `[${elements.join()}]`
}

/** Lists in pages, newest first, by keyset: a page stays right while rows are added (D-2). */

import { isId } from './id.ts'
import { isInstant } from './time.ts'

export const LIMIT_DEFAULT = 50
export const LIMIT_MAX = 200

/**
 * The last row of a page. `created` is text, as the database writes it, so that its microseconds
 * are not lost; a Date would drop them and the next page would repeat or lose rows.
 */
export type PageKey = { created: string; id: string }

export type Page<Row> = { data: Row[]; after?: string; has_more: boolean }

/** The longest cursor that `encodeCursor` makes is 96 characters. */
const CURSOR_MAX = 128

/** Throws when the key is one that `decodeCursor` would not accept. */
export function encodeCursor(key: PageKey): string {
  if (!isInstant(key.created) || !isId(key.id)) throw new TypeError('not the key of a page')
  return Buffer.from(`${key.created}|${key.id}`, 'latin1').toString('base64url')
}

/** Returns undefined for text that `encodeCursor` did not make: the request is then 400. */
export function decodeCursor(text: string): PageKey | undefined {
  if (text.length > CURSOR_MAX || !/^[\w-]+$/.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.toString('base64url') !== text) return undefined
  const [created = '', id = '', ...rest] = bytes.toString('latin1').split('|')
  if (rest.length > 0 || !isInstant(created) || !isId(id)) return undefined
  return { created, id }
}

/**
 * Makes a page of the rows of a query with `limit + 1`. Every page that has rows has the cursor of
 * its last row, also the last page.
 */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => PageKey,
): Page<Row> {
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  const has_more = rows.length > limit
  return last === undefined
    ? { data, has_more }
    : { data, after: encodeCursor(keyOf(last)), has_more }
}

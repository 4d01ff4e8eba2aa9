/** Lists in pages, newest first, by keyset: a page stays right while rows are added (D-2). */

import { crc32 } from 'node:zlib'
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

/** The longest cursor that `encodeCursor` makes is 107 characters. */
const CURSOR_MAX = 128

/**
 * The cursor of a page of a list, whose name is that of its kind: lists with other filters, or of
 * another object, have the same (D-921). Throws when the key is one that `decodeCursor` would not
 * accept.
 */
export function encodeCursor(list: string, key: PageKey): string {
  if (!isInstant(key.created) || !isId(key.id)) throw new TypeError('not the key of a page')
  const text = `${key.created}|${key.id}|${markOf(list)}`
  return Buffer.from(text, 'latin1').toString('base64url')
}

/** A mark that is short even for a list of a long name. */
const markOf = (list: string): string => crc32(list).toString(36)

/** Undefined for text that `encodeCursor` did not make for this list: the request is then 400. */
export function decodeCursor(list: string, text: string): PageKey | undefined {
  if (text.length > CURSOR_MAX || !/^[\w-]+$/.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.toString('base64url') !== text) return undefined
  const [created = '', id = '', mark, ...rest] = bytes.toString('latin1').split('|')
  if (mark !== markOf(list) || rest.length > 0) return undefined
  if (!isInstant(created) || !isId(id)) return undefined
  return { created, id }
}

/**
 * Makes a page of the rows of a query with `limit + 1`. Every page that has rows has the cursor of
 * its last row, also the last page.
 */
export function pageOf<Row>(
  list: string,
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => PageKey,
): Page<Row> {
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  const has_more = rows.length > limit
  return last === undefined
    ? { data, has_more }
    : { data, after: encodeCursor(list, keyOf(last)), has_more }
}

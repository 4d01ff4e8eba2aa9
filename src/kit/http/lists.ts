/** Lists, newest first (D-2): the place that a cursor names, and the rows after it. */

import { type RawBuilder, sql } from 'kysely'
import { decodeCursor, LIMIT_DEFAULT, type Page, type PageKey, pageOf } from '#lib/paging.ts'
import { ApiError } from '#lib/result.ts'
import type { ListQuery } from './schema.ts'

/** The place of a cursor; undefined at the beginning of a list. */
export function placeOf(cursor: string | undefined): PageKey | undefined {
  const place = cursor === undefined ? undefined : decodeCursor(cursor)
  if (cursor !== undefined && !place) throw new ApiError('cursor_invalid')
  return place
}

/** A page of a list: the number of rows to read, and the place of the row before the first. */
export type PageWanted = { limit: number; key: PageKey | undefined }

/** One row more than the page shows whether more follow. */
export function pageWanted({ limit = LIMIT_DEFAULT, after }: ListQuery): PageWanted {
  return { limit: limit + 1, key: placeOf(after) }
}

/** Whether a row comes after that place, by these two columns. */
export function isBehind(
  place: PageKey | undefined,
  [created, id]: readonly [string, string] = ['created', 'id'],
): RawBuilder<boolean> {
  if (!place) return sql<boolean>`true`
  return sql<boolean>`
    (${sql.ref(created)}, ${sql.ref(id)}) < (${place.created}::timestamptz, ${place.id}::uuid)`
}

/** A page of the rows of a query for one more than `limit`. */
export function newestPage<Row extends { created: Date; id: string }>(
  rows: readonly Row[],
  limit: number,
): Page<Row> {
  return pageOf(rows, limit, ({ created, id }) => ({ created: created.toISOString(), id }))
}

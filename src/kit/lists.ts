/** Lists that run newest first (D-2): the place that a cursor names, and the rows behind it. */

import { type RawBuilder, sql } from 'kysely'
import { decodeCursor, LIMIT_DEFAULT, type Page, type PageKey, pageOf } from '#lib/paging.ts'
import { ApiError } from '#lib/result.ts'
import type { ListQuery } from './schema.ts'

/** The place of a cursor; undefined where a list begins. Refuses with `cursor_invalid`. */
export function placeOf(cursor: string | undefined): PageKey | undefined {
  const place = cursor === undefined ? undefined : decodeCursor(cursor)
  if (cursor !== undefined && !place) throw new ApiError('cursor_invalid')
  return place
}

/** What a list page needs: how many rows, and the place of the row before the first. */
export type PageWanted = { limit: number; key: PageKey | undefined }

/** One row more than the page has tells whether more follow. Refuses with `cursor_invalid`. */
export function pageWanted({ limit = LIMIT_DEFAULT, after }: ListQuery): PageWanted {
  return { limit: limit + 1, key: placeOf(after) }
}

/** Whether a row stands behind that place, by these two columns. */
export function isBehind(
  place: PageKey | undefined,
  [created, id]: readonly [string, string] = ['created', 'id'],
): RawBuilder<boolean> {
  if (!place) return sql<boolean>`true`
  return sql<boolean>`
    (${sql.ref(created)}, ${sql.ref(id)}) < (${place.created}::timestamptz, ${place.id}::uuid)`
}

/** A page of the rows that a query for one more than `limit` has brought. */
export function newestPage<Row extends { created: Date; id: string }>(
  rows: readonly Row[],
  limit: number,
): Page<Row> {
  return pageOf(rows, limit, ({ created, id }) => ({ created: created.toISOString(), id }))
}

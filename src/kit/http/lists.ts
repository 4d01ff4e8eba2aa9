/** Lists in pages (D-2): the query of a client, the rows that a store reads, the answer. */

import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { decodeCursor, LIMIT_DEFAULT, type Page, type PageKey, pageOf } from '#lib/paging.ts'
import { ApiError } from '#lib/result.ts'

/**
 * The error of a cursor that no page of the list has, which names its member (D-894). `detail` and
 * `message` if more is known of it.
 */
export function badCursor(
  path = 'after',
  { detail, message = 'is not a cursor of this list' }: { detail?: string; message?: string } = {},
): ApiError {
  const errors = [{ path, message }]
  return new ApiError('cursor_invalid', { ...(detail !== undefined && { detail }), errors })
}

/** The two members of a `ListQuery`; `after` is a cursor. */
type PageQuery = { limit?: number | undefined; after?: string | undefined }

/** The rows that a store reads for a page: at most `limit` rows, the first ones after `after`. */
export type PageRange = { limit: number; after: PageKey | undefined }

/** `created_text` is `created` as the database writes it, if a list needs its microseconds. */
type ListRow = { id: string; created: Date; created_text?: string }

const keyOfRow = ({ id, created, created_text = created.toISOString() }: ListRow): PageKey => ({
  created: created_text,
  id,
})

/**
 * The page of a list that a query asks for, from the rows that `read` returns for its range. Reads
 * one row more than the page has, which shows whether others follow. Fails with `cursor_invalid`
 * on `cursor_path` before it reads, also for the cursor of a list of another name (D-921).
 */
export async function listPage<Row extends ListRow>(
  list: string,
  { limit = LIMIT_DEFAULT, after: cursor }: PageQuery,
  read: (range: PageRange) => Promise<readonly Row[]>,
  keyOf: (row: Row) => PageKey = keyOfRow,
  cursor_path = 'after',
): Promise<Page<Row>> {
  const after = cursor === undefined ? undefined : decodeCursor(list, cursor)
  if (cursor !== undefined && !after) throw badCursor(cursor_path)
  return pageOf(list, await read({ limit: limit + 1, after }), limit, keyOf)
}

/** The two columns that a list is sorted by, both in one direction. */
export type ListOrder = { by?: string; id?: string; direction?: 'asc' | 'desc' }

/** The rows of a range, newest first unless `order` differs. */
export function selectRange<Tables, Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  range: PageRange,
  order: ListOrder = {},
): SelectQueryBuilder<Tables, Table, Row> {
  const { by = 'created', id = 'id', direction = 'desc' } = order
  return query
    .where(isInRange(range, order))
    .orderBy(sql.ref(by), direction)
    .orderBy(sql.ref(id), direction)
    .limit(range.limit)
}

/** The same as a condition, for a statement that is written as text and has its own limit. */
export function isInRange(
  { after }: PageRange,
  { by = 'created', id = 'id', direction = 'desc' }: ListOrder = {},
): RawBuilder<boolean> {
  if (!after) return sql<boolean>`true`
  const further = direction === 'desc' ? sql`<` : sql`>`
  return sql<boolean>`
    (${sql.ref(by)}, ${sql.ref(id)}) ${further} (${after.created}::timestamptz, ${after.id}::uuid)`
}

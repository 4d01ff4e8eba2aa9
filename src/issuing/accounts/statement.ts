/** The statement of an account: every entry that was posted to it, in pages or whole (D-35). */

import type { Context } from '#kit/context.ts'
import type { CsvExport } from '#kit/http/csv_export.ts'
import { placeOf } from '#kit/http/lists.ts'
import { LIMIT_DEFAULT, type PageKey, pageOf } from '#lib/paging.ts'
import { ApiError } from '#lib/result.ts'
import { entryLine, headerLine, presentEntry } from './present.ts'
import type { StatementQuery } from './schema.ts'
import { type EntryRow, selectEntries } from './statement_store.ts'

/** Entries that are read at once for a whole statement. */
const CSV_PAGE = 1000
/**
 * An entry has the instant of its request and appears when that is done. By this age every request
 * has ended, so that none appears among older ones any more.
 */
const SETTLED_MS = 5 * 60_000

/** Entries from `from` up to but without `to`, newest first. 404 for the program's accounts too. */
export async function listEntries(ctx: Context, id: string, query: StatementQuery) {
  const { limit = LIMIT_DEFAULT } = query
  const rows = await entriesOf(ctx, { ...periodOf(query), account_id: id, limit: limit + 1 })
  const page = pageOf(rows, limit, keyOf)
  return { ...page, data: page.data.map(presentEntry) }
}

/** The same entries without end of page, as RFC 4180 text. `limit` does not count. */
export function statementCsv(ctx: Context, id: string, query: StatementQuery): CsvExport {
  return { file_name: `statement-${id.toLowerCase()}.csv`, text: textOf(ctx, id, query) }
}

/**
 * Page after page, so that it holds one whatever their number. Each begins at the balance that the
 * one before it came to; it is counted anew while an entry could still appear further up.
 */
async function* textOf(ctx: Context, id: string, query: StatementQuery) {
  const settled = ctx.now.getTime() - SETTLED_MS
  let { after, ...period } = periodOf(query)
  let balance: bigint | undefined
  let head = headerLine
  for (;;) {
    const filter = { ...period, after, balance, account_id: id, limit: CSV_PAGE }
    const rows = await entriesOf(ctx, filter)
    yield head + rows.map(entryLine).join('')
    const last = rows.at(-1)
    if (!last || rows.length < CSV_PAGE) return
    head = ''
    after = keyOf(last)
    balance = last.created.getTime() < settled ? last.balance - last.amount : undefined
  }
}

async function entriesOf(ctx: Context, filter: Parameters<typeof selectEntries>[1]) {
  const rows = await selectEntries(ctx, filter)
  if (!rows) throw new ApiError('not_found')
  return rows
}

function periodOf({ from, to, after }: StatementQuery) {
  return { from: from && new Date(from), to: to && new Date(to), after: placeOf(after) }
}

const keyOf = ({ created_text, id }: EntryRow): PageKey => ({ created: created_text, id })

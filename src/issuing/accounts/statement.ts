/** The statement of an account: every entry that was posted to it, in pages or whole (D-35). */

import type { Context } from '#kit/context.ts'
import type { CsvExport } from '#kit/http/answers/csv_export.ts'
import { listPage } from '#kit/http/lists.ts'
import { ApiError } from '#lib/result.ts'
import { entryLine, headerLine, presentEntry } from './present.ts'
import type { StatementQuery } from './schema.ts'
import { listEntryRows } from './statement_store.ts'

/** Entries that are read at once for a whole statement. */
const CSV_PAGE = 1000
/**
 * An entry has the instant of its request and appears when that is done. By this age every request
 * has ended, so that none appears among older ones any more.
 */
const SETTLED_MS = 5 * 60_000

/** Entries from `from` up to but without `to`, newest first. 404 for the program's accounts too. */
export async function listEntries(ctx: Context, id: string, query: StatementQuery) {
  const page = await entriesOf(ctx, id, query)
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
  let next: StatementQuery = { ...query, limit: CSV_PAGE }
  let balance: bigint | undefined
  let head = headerLine
  for (;;) {
    const { data, after, has_more } = await entriesOf(ctx, id, next, balance)
    yield head + data.map(entryLine).join('')
    const last = data.at(-1)
    if (!last || after === undefined || !has_more) return
    head = ''
    next = { ...next, after }
    balance = last.created.getTime() < settled ? last.balance - last.amount : undefined
  }
}

/** `balance` is that of the first entry, if it is known. */
function entriesOf(ctx: Context, account_id: string, query: StatementQuery, balance?: bigint) {
  const { from, to } = query
  const period = { from: from && new Date(from), to: to && new Date(to) }
  return listPage('entries', query, async (range) => {
    const rows = await listEntryRows(ctx, { ...period, account_id, balance }, range)
    if (!rows) throw new ApiError('not_found')
    return rows
  })
}

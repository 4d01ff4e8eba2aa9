/** Search for KYC requests with the specification's body (D-22). */

import type { Context } from '#kit/context.ts'
import { placeOf } from '#kit/http/lists.ts'
import { LIMIT_DEFAULT, type Page, pageOf } from '#lib/paging.ts'
import { unwrap } from '#lib/result.ts'
import { searchRows } from './kyc_search_store.ts'
import type { KycRow } from './kyc_store.ts'
import { ruleOnFilters } from './rules/kyc_search.ts'
import type { KycSearchBody } from './schema.ts'

type Found = Page<KycRow> & { cursors: { after?: string; has_more: boolean } }

/**
 * Newest first by default. The cursor of a page belongs to the sort that made it.
 * A 400 has every fault of the filters.
 */
export async function searchKyc(ctx: Context, body: KycSearchBody): Promise<Found> {
  const { query = '', filters = [], matcher = [], limit = LIMIT_DEFAULT } = body
  const { sort_by = 'created', order_by = 'desc', cursors = {} } = body
  const matchers = unwrap(ruleOnFilters(filters, matcher))
  const { after } = cursors
  const key = placeOf(after)

  const sought = { query: query.trim(), filters, matchers, sort_by, order_by, key }
  const rows = await searchRows(ctx, { ...sought, limit: limit + 1 })
  const page = pageOf(rows, limit, (row) => ({ created: row[sort_by].toISOString(), id: row.id }))
  const { data, ...rest } = page
  return { data, ...rest, cursors: rest }
}

/** Search for KYC requests with the specification's body (D-22). */

import type { Context } from '#kit/context.ts'
import { listPage } from '#kit/http/lists.ts'
import type { Page } from '#lib/paging.ts'
import { unwrap } from '#lib/result.ts'
import { checkFilters } from '../rules/kyc_search.ts'
import type { KycSearchBody } from '../schema.ts'
import { listKycRows } from './search_store.ts'
import type { KycRow } from './store.ts'

type KycPage = Page<KycRow> & { cursors: { after?: string; has_more: boolean } }

/**
 * Newest first by default. The cursor of a page belongs to the sort that made it.
 * A 400 has every fault of the filters.
 */
export async function searchKyc(ctx: Context, body: KycSearchBody): Promise<KycPage> {
  const { query = '', filters = [], matcher = [], limit } = body
  const { sort_by = 'created', order_by = 'desc', cursors = {} } = body
  const matchers = unwrap(checkFilters(filters, matcher))

  const sought = { query: query.trim(), filters, matchers, sort_by, order_by }
  const { data, ...rest } = await listPage(
    `kyc_by_${sort_by}_${order_by}`,
    { limit, after: cursors.after },
    (range) => listKycRows(ctx, sought, range),
    (row) => ({ created: row[sort_by].toISOString(), id: row.id }),
    'cursors.after',
  )
  return { data, ...rest, cursors: rest }
}

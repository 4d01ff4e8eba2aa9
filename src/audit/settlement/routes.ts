import { listPage } from '#kit/http/lists.ts'
import { type Route, route } from '#kit/http/route.ts'
import { ApiError } from '#lib/result.ts'
import { presentSettlement, presentSummary } from './present.ts'
import { Settlement, SettlementPath, Settlements, SettlementsQuery } from './schema.ts'
import { findFile, listFileRows } from './store.ts'

export const settlementRoutes: readonly Route[] = [
  route({
    id: 'listSettlements',
    tag: 'Operator',
    description:
      'Lists the settlement files of acquirers that were imported, newest first, with their sums ' +
      'and the number of findings of each kind.',
    method: 'GET',
    path: '/operator/settlements',
    permission: 'operator',
    summary: 'List settlement files',
    query: SettlementsQuery,
    answer: Settlements,
    run: async (ctx, { query }) => {
      const page = await listPage('settlement_files', query, (range) => listFileRows(ctx.db, range))
      return { ...page, data: page.data.map(presentSummary) }
    },
  }),
  route({
    id: 'getSettlement',
    tag: 'Operator',
    description:
      'Returns a settlement file that was imported, with the first 500 of what the comparison ' +
      'with the book of the issuer has found.',
    method: 'GET',
    path: '/operator/settlements/{id}',
    permission: 'operator',
    summary: 'Get a settlement file',
    params: SettlementPath,
    answer: Settlement,
    run: async (ctx, { params }) => {
      const row = await findFile(ctx.db, params.id)
      if (!row) throw new ApiError('not_found')
      return presentSettlement(row)
    },
  }),
]

import { Binary } from '#kit/http/answers/downloads.ts'
import { type Route, route } from '#kit/http/route.ts'
import { presentExport } from '../present.ts'
import * as schema from '../schema.ts'
import { downloadExport, exportClearing, listExports } from './exporting.ts'

const ALL = '/operator/clearingexports'

export const exportRoutes: readonly Route[] = [
  route({
    id: 'exportClearing',
    tag: 'Operator',
    description:
      'Writes what has to leave for the card network into the next clearing file of a tenant: ' +
      'a chargeback (1442) for each dispute, whose step SENT is recorded with it, and a fee ' +
      'message (1740) for each record in suspense that was returned. Each leaves once. A ' +
      'file has up to 50 disputes and 1,000 records: export again until `nothing_to_export`. ' +
      '`downloadClearingExport` gives its bytes.',
    method: 'POST',
    path: '/operator/clearings:export',
    permission: 'operator',
    summary: 'Write the next outgoing clearing file',
    body: schema.NewExport,
    answer: schema.ClearingExport,
    status: 200,
    changes: ['tenant_id'],
    errors: ['nothing_to_export'],
    run: async (ctx, { body }) => presentExport(await exportClearing(ctx, body)),
  }),
  route({
    id: 'listClearingExports',
    tag: 'Operator',
    description: 'Lists the outgoing clearing files of a tenant, newest first.',
    method: 'GET',
    path: ALL,
    permission: 'operator',
    summary: 'List outgoing clearing files',
    query: schema.ExportQuery,
    answer: schema.ClearingExports,
    errors: ['not_found'],
    run: async (ctx, { query }) => {
      const page = await listExports(ctx, query)
      return { ...page, data: page.data.map(presentExport) }
    },
  }),
  route({
    id: 'downloadClearingExport',
    tag: 'Operator',
    description:
      'Returns the bytes of an outgoing clearing file: the same each time. It has ' +
      'whole card numbers.',
    method: 'GET',
    path: `${ALL}/{id}:download`,
    permission: 'operator',
    summary: 'Download an outgoing clearing file',
    params: schema.ClearingPath,
    query: schema.OneExportQuery,
    answer: Binary,
    media: ['application/octet-stream'],
    answersCardData: true,
    errors: ['not_found'],
    run: (ctx, { params, query }) => downloadExport(ctx, query.tenant_id, params.id),
  }),
]

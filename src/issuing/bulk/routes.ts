import { route } from '#kit/route.ts'
import { IdPath } from '#kit/schema.ts'
import {
  createBulkIssuance,
  findBulkIssuance,
  listBulkIssuances,
  rehearseBulkIssuance,
  updateBulkIssuance,
} from './bulk.ts'
import { presentBulk, presentBulks, presentRehearsed } from './present.ts'
import {
  AskedBulkIssuance,
  BulkChanges,
  BulkIssuance,
  BulkIssuanceList,
  BulkQuery,
  NewBulkIssuance,
} from './schema.ts'

export const bulkRoutes = [
  route({
    id: 'postBulkissuances',
    tag: 'Cards',
    description: '',
    method: 'POST',
    path: '/bulkissuances',
    permission: 'write',
    summary: 'Issue many cards that belong to nobody yet',
    body: NewBulkIssuance,
    answer: AskedBulkIssuance,
    errors: ['id_taken', 'pan_range_exhausted', 'insufficient_funds'],
    run: async (ctx, { body }) =>
      body.dry_run === true
        ? presentRehearsed(ctx, await rehearseBulkIssuance(ctx, body))
        : presentBulk(ctx, await createBulkIssuance(ctx, body)),
  }),
  route({
    id: 'getBulkissuances',
    tag: 'Cards',
    description: '',
    method: 'GET',
    path: '/bulkissuances',
    permission: 'read',
    summary: 'List bulk issuances',
    query: BulkQuery,
    answer: BulkIssuanceList,
    run: async (ctx, { query }) => {
      const page = await listBulkIssuances(ctx, query)
      return { ...page, data: await presentBulks(ctx, page.data) }
    },
  }),
  route({
    id: 'getBulkissuancesId',
    tag: 'Cards',
    description: '',
    method: 'GET',
    path: '/bulkissuances/{id}',
    permission: 'read',
    summary: 'Read a bulk issuance and how far it is',
    params: IdPath,
    answer: BulkIssuance,
    errors: ['not_found'],
    run: async (ctx, { params }) => presentBulk(ctx, await findBulkIssuance(ctx, params.id)),
  }),
  route({
    id: 'putBulkissuancesId',
    tag: 'Cards',
    description: '',
    method: 'PUT',
    path: '/bulkissuances/{id}',
    permission: 'write',
    summary: 'Change or submit a bulk issuance that is a DRAFT',
    params: IdPath,
    body: BulkChanges,
    answer: BulkIssuance,
    errors: ['not_found', 'bulk_issuance_move_refused'],
    run: async (ctx, { params, body }) =>
      presentBulk(ctx, await updateBulkIssuance(ctx, params.id, body)),
  }),
]

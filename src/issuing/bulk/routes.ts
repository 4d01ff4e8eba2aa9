import { lockRow } from '#kit/db/locks.ts'
import { route } from '#kit/http/route.ts'
import { IdPath } from '#kit/http/schema.ts'
import {
  createBulkIssuance,
  dryRunBulkIssuance,
  findBulkIssuance,
  listBulkIssuances,
  updateBulkIssuance,
} from './bulk.ts'
import { presentBulk, presentBulks, presentDryRun } from './present.ts'
import {
  BulkChanges,
  BulkIssuance,
  BulkIssuanceList,
  BulkQuery,
  CreatedBulkIssuance,
  NewBulkIssuance,
} from './schema.ts'

export const bulkRoutes = [
  route({
    id: 'createBulkIssuance',
    tag: 'Cards',
    description:
      'Requests up to 5,000 physical cards without a user. A background job issues all of them ' +
      'or none and sends SUCCESSFULLY_CREATED for each card and account. With `status` DRAFT ' +
      'nothing is issued until the bulk issuance is submitted. With `dry_run` the request is ' +
      'checked against card numbers and funds, and nothing is written.',
    method: 'POST',
    path: '/bulkissuances',
    permission: 'write',
    summary: 'Create a bulk issuance',
    body: NewBulkIssuance,
    answer: CreatedBulkIssuance,
    errors: [
      'id_taken',
      'pan_range_exhausted',
      'insufficient_funds',
      'maximum_account_balance_limit_reached',
    ],
    run: async (ctx, { body }) =>
      body.dry_run === true
        ? presentDryRun(ctx, await dryRunBulkIssuance(ctx, body))
        : presentBulk(ctx, await createBulkIssuance(ctx, body)),
  }),
  route({
    id: 'listBulkIssuances',
    tag: 'Cards',
    description: 'Lists the bulk issuances of the tenant, newest first, in pages.',
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
    id: 'getBulkIssuance',
    tag: 'Cards',
    description:
      'Answers one bulk issuance with its status and the number of cards issued so far. `GET ' +
      '/cards?bulk_issuance_id=` lists its cards.',
    method: 'GET',
    path: '/bulkissuances/{id}',
    permission: 'read',
    summary: 'Get a bulk issuance',
    params: IdPath,
    answer: BulkIssuance,
    errors: ['not_found'],
    lock: (tx, params) => lockRow(tx, 'bulk_issuances', params.id),
    run: async (ctx, { params }) => presentBulk(ctx, await findBulkIssuance(ctx, params.id)),
  }),
  route({
    id: 'updateBulkIssuance',
    tag: 'Cards',
    description:
      'Changes the members that are sent of a bulk issuance in the status DRAFT; `null` clears a ' +
      'member. `status` SUBMITTED submits it, and the job begins. Any other status fails with ' +
      '`bulk_issuance_move_refused`.',
    method: 'PUT',
    path: '/bulkissuances/{id}',
    permission: 'write',
    summary: 'Update or submit a bulk issuance',
    params: IdPath,
    body: BulkChanges,
    answer: BulkIssuance,
    errors: ['not_found', 'bulk_issuance_move_refused', 'maximum_account_balance_limit_reached'],
    run: async (ctx, { params, body }) =>
      presentBulk(ctx, await updateBulkIssuance(ctx, params.id, body)),
  }),
]

import { Type } from 'typebox'
import { type Route, route } from '#kit/http/route.ts'
import {
  getClearing,
  getRecord,
  listClearings,
  listRecords,
  lockOne,
  receiveClearing,
  resolve,
} from './clearings.ts'
import * as schema from './schema.ts'

const ALL = '/operator/clearings'
const ONE = `${ALL}/{id}`
const RECORDS = `${ONE}/records`
const RECORD = `${RECORDS}/{number}`

export const clearingRoutes: readonly Route[] = [
  route({
    id: 'importClearing',
    tag: 'Operator',
    description:
      'Imports a clearing file of a card network. It is checked whole before anything of it is ' +
      'posted: a file with a fault is REJECTED, with its faults. A file that was imported before ' +
      'changes nothing and is `known`; another file with its id (PDS 0105) is 409. The records ' +
      'of an accepted file are posted afterwards, each exactly once.',
    method: 'POST',
    path: ALL,
    permission: 'operator',
    summary: 'Import a clearing file',
    // The schema describes the form; `receive` makes the body of `run` from it.
    body: Type.Unsafe<schema.NewClearing>(schema.ClearingUpload),
    answer: schema.ImportedClearing,
    errors: ['clearing_file_differs', 'request_timeout'],
    receive: (ctx, _params, parts) => receiveClearing(ctx, parts),
    run: async (ctx, { body }) => ({ ...(await getClearing(ctx, body.id)), known: body.known }),
  }),
  route({
    id: 'listClearings',
    tag: 'Operator',
    description: 'Lists the clearing files that were imported, newest first, with their sums.',
    method: 'GET',
    path: ALL,
    permission: 'operator',
    summary: 'List clearing files',
    query: schema.ClearingsQuery,
    answer: schema.Clearings,
    run: (ctx, { query }) => listClearings(ctx, query),
  }),
  route({
    id: 'getClearing',
    tag: 'Operator',
    description:
      'Returns a clearing file with its records summed by state, kind and currency. All sums of ' +
      'one currency together are those of the file.',
    method: 'GET',
    path: ONE,
    permission: 'operator',
    summary: 'Get a clearing file',
    params: schema.ClearingPath,
    answer: schema.Clearing,
    run: (ctx, { params }) => getClearing(ctx, params.id),
  }),
  route({
    id: 'listClearingRecords',
    tag: 'Operator',
    description:
      'Lists the records of a clearing file in its order, field by field. Card numbers are masked.',
    method: 'GET',
    path: RECORDS,
    permission: 'operator',
    summary: 'List the records of a clearing file',
    params: schema.ClearingPath,
    query: schema.RecordsQuery,
    answer: schema.ClearingRecords,
    run: (ctx, { params, query }) => listRecords(ctx, params.id, query),
  }),
  route({
    id: 'getClearingRecord',
    tag: 'Operator',
    description: 'Returns a record of a clearing file. Its card number is masked.',
    method: 'GET',
    path: RECORD,
    permission: 'operator',
    summary: 'Get a record of a clearing file',
    params: schema.RecordPath,
    answer: schema.ClearingRecordAnswer,
    lock: lockOne,
    run: (ctx, { params }) => getRecord(ctx, params),
  }),
  route({
    id: 'resolveClearingRecord',
    tag: 'Operator',
    description:
      'Resolves a record in suspense, once. POST posts a presentment to a card, whatever its ' +
      'limits say; RETURN takes its amount out of suspense, because the network gets or gives it ' +
      'back; WRITE_OFF books it to the fees of the program.',
    method: 'POST',
    path: `${RECORD}:resolve`,
    permission: 'operator',
    summary: 'Resolve a record in suspense',
    params: schema.RecordPath,
    body: schema.Resolution,
    answer: schema.ClearingRecordAnswer,
    status: 200,
    changes: ['card_id', 'transaction_id'],
    errors: ['record_not_suspended', 'record_not_postable'],
    run: (ctx, { params, body }) => resolve(ctx, params, body),
  }),
]

/** The routes of the files of a shop's evidence (D-1410). */

import { Type } from 'typebox'
import type { Tx } from '#kit/context.ts'
import { Binary } from '#kit/http/answers/downloads.ts'
import { type Route, route } from '#kit/http/route.ts'
import { lockOwnChargeback } from './chargebacks.ts'
import * as files from './files.ts'
import type { EvidenceStore, NewFiles } from './provider.ts'
import * as schema from './schema.ts'

const FILES = '/disputes/{id}/files'
const FILE = `${FILES}/{file_id}`

export const chargebackFileRoutes = (store: EvidenceStore): Route[] => [
  route({
    id: 'uploadChargebackFiles',
    tag: 'Disputes',
    description:
      'Uploads one part `file`, or up to five parts `files`, as multipart/form-data, to a ' +
      'dispute with status `NEEDS_RESPONSE`; all of them are stored or none, up to ten for a ' +
      'dispute: PDF, JPEG, PNG, BMP and Word, up to 128 MiB each, inspected and scanned. ' +
      'They are sent with the evidence.',
    method: 'POST',
    path: FILES,
    permission: 'merchant',
    summary: 'Upload files of evidence',
    params: schema.ChargebackPath,
    // The schema describes the form; `receive` makes the body of `run` from it.
    body: Type.Unsafe<NewFiles>(schema.ChargebackUploadForm),
    answer: schema.ChargebackFilesUploaded,
    errors: [
      ...(['id_taken', 'chargeback_move_refused', 'file_limit_reached'] as const),
      ...(['storage_full', 'request_timeout'] as const),
    ],
    object: {
      schema: schema.Chargeback,
      read: (tx: Tx, { params }: { params: { id: string } }) => lockOwnChargeback(tx, params.id),
    },
    receive: (ctx, { id }, parts) => files.receiveChargebackFiles(store, ctx, id, parts),
    run: (ctx, { params, body }) => files.addChargebackFiles(store, ctx, params.id, body),
  }),
  route({
    id: 'listChargebackFiles',
    tag: 'Disputes',
    description: 'Lists the files of a dispute, newest first. Deleted files are absent.',
    method: 'GET',
    path: FILES,
    permission: 'merchant',
    summary: 'List the files of a dispute',
    params: schema.ChargebackPath,
    query: schema.ChargebackFilesQuery,
    answer: schema.ChargebackFiles,
    run: (ctx, { params, query }) => files.listChargebackFiles(ctx, params.id, query),
  }),
  route({
    id: 'getChargebackFile',
    tag: 'Disputes',
    description: 'Returns the metadata of a file of evidence, without its content.',
    method: 'GET',
    path: FILE,
    permission: 'merchant',
    summary: 'Get the metadata of a file',
    params: schema.ChargebackFilePath,
    answer: schema.ChargebackFile,
    run: (ctx, { params }) => files.findChargebackFile(ctx, params),
  }),
  route({
    id: 'downloadChargebackFile',
    tag: 'Disputes',
    description:
      'Returns the content of a file, or a range of it. A file that the virus scanner has not ' +
      'checked yet, and an infected one, fail with 409.',
    method: 'GET',
    path: `${FILE}/download`,
    permission: 'merchant',
    summary: 'Download a file of evidence',
    params: schema.ChargebackFilePath,
    answer: Binary,
    media: store.contentTypes,
    errors: ['file_held', 'file_infected'],
    run: (ctx, { params }) => files.serveChargebackFile(store, ctx, params),
  }),
  route({
    id: 'deleteChargebackFile',
    tag: 'Disputes',
    description:
      'Deletes a file of a dispute with status `NEEDS_RESPONSE`. A file that was sent as ' +
      'evidence remains.',
    method: 'DELETE',
    path: FILE,
    permission: 'merchant',
    summary: 'Delete a file of evidence',
    params: schema.ChargebackFilePath,
    // The content is deleted after the commit.
    commitsItself: true,
    answer: schema.DeletedChargebackFile,
    errors: ['chargeback_move_refused'],
    run: (ctx, { params }) => files.deleteChargebackFile(store, ctx, params),
  }),
]

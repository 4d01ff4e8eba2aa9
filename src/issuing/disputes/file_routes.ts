/** The routes of the files of evidence. */

import { Type } from 'typebox'
import {
  contentTypes,
  type FileStorage,
  type NewFiles,
} from '#issuing/identifications/identifications.ts'
import { Deleted } from '#issuing/tenants/schema.ts'
import { Binary } from '#kit/http/answers/downloads.ts'
import { type Route, route } from '#kit/http/route.ts'
import { IdPath } from '#kit/http/schema.ts'
import { disputeObject } from './disputes.ts'
import {
  addDisputeFiles,
  deleteDisputeFile,
  findDisputeFile,
  listDisputeFiles,
  receiveDisputeFiles,
  serveDisputeFile,
} from './files.ts'
import {
  DisputeFile,
  DisputeFileList,
  DisputeFilePath,
  DisputeFilesQuery,
  DisputeFilesUploaded,
  DisputeUploadForm,
} from './schema.ts'

const FILES = '/disputes/{id}/files'
const FILE = `${FILES}/{file_id}`

export const disputeFileRoutes = (storage: FileStorage): Route[] => [
  uploadRoute(storage, 'POST'),
  uploadRoute(storage, 'PUT'),
  route({
    id: 'listDisputeFiles',
    tag: 'Disputes',
    description: 'Lists the files of a dispute, newest first. Deleted files are absent.',
    method: 'GET',
    path: FILES,
    permission: 'read',
    summary: 'List the files of a dispute',
    params: IdPath,
    query: DisputeFilesQuery,
    answer: DisputeFileList,
    errors: ['not_found'],
    run: (ctx, { params, query }) => listDisputeFiles(ctx, params.id, query),
  }),
  route({
    id: 'getDisputeFile',
    tag: 'Disputes',
    description: 'Returns the metadata of a file of evidence, without its content.',
    method: 'GET',
    path: FILE,
    permission: 'read',
    summary: 'Get the metadata of a file of evidence',
    params: DisputeFilePath,
    answer: DisputeFile,
    errors: ['not_found'],
    run: (ctx, { params }) => findDisputeFile(ctx, params),
  }),
  contentRoute(storage, 'browse', 'View a file of evidence'),
  contentRoute(storage, 'download', 'Download a file of evidence'),
  route({
    id: 'deleteDisputeFile',
    tag: 'Disputes',
    description:
      'Deletes the content of a file of a dispute that has not ended, but of the merchant.',
    method: 'DELETE',
    path: FILE,
    permission: 'write',
    summary: 'Delete a file of evidence',
    params: DisputeFilePath,
    // The content is deleted after the commit.
    commitsItself: true,
    answer: Deleted,
    errors: ['not_found', 'dispute_move_refused'],
    run: (ctx, { params }) => deleteDisputeFile(storage, ctx, params),
  }),
]

/** One path in two spellings of its method, as that of identifications (D-5). */
function uploadRoute(storage: FileStorage, method: 'POST' | 'PUT'): Route {
  return route({
    id: method === 'POST' ? 'uploadDisputeFiles' : 'uploadDisputeFilesByPut',
    tag: 'Disputes',
    description:
      'Uploads one part `file`, or up to five parts `files`, as multipart/form-data, to a ' +
      'dispute that has not ended; all of them are stored or none, up to ten for a dispute. ' +
      'Accepted are the kinds and sizes of the files of identifications, which are inspected ' +
      'and scanned alike. PUT and POST do the same.',
    method,
    path: FILES,
    permission: 'write',
    summary: method === 'POST' ? 'Upload files of evidence' : 'Upload files of evidence by PUT',
    params: IdPath,
    // The schema describes the form; `receive` makes the body of `run` from it.
    body: Type.Unsafe<NewFiles>(DisputeUploadForm),
    answer: DisputeFilesUploaded,
    errors: [
      ...(['not_found', 'id_taken', 'dispute_move_refused'] as const),
      ...(['file_limit_reached', 'storage_full', 'request_timeout'] as const),
    ],
    object: disputeObject,
    receive: (ctx, params, parts) => receiveDisputeFiles(storage, ctx, params, parts),
    run: (ctx, { params, body }) => addDisputeFiles(ctx, params.id, body),
  })
}

function contentRoute(storage: FileStorage, verb: 'browse' | 'download', summary: string): Route {
  const kind = verb === 'browse' ? 'inline' : 'attachment'
  return route({
    id: kind === 'inline' ? 'browseDisputeFile' : 'downloadDisputeFile',
    tag: 'Disputes',
    description:
      `Returns the content of a file, or a range of it, with the disposition ${kind}. ` +
      'A file that the virus scanner has not checked yet fails with `file_held`, ' +
      'an infected one with `file_infected`.',
    method: 'GET',
    path: `${FILE}:${verb}`,
    permission: 'read',
    summary,
    params: DisputeFilePath,
    answer: Binary,
    media: contentTypes,
    errors: ['not_found', 'file_held', 'file_infected'],
    run: (ctx, { params }) => serveDisputeFile(storage, ctx, params, kind),
  })
}

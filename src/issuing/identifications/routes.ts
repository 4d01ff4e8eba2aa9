import { Type } from 'typebox'
import { Deleted } from '#issuing/tenants/schema.ts'
import { lockRow } from '#kit/db/locks.ts'
import { Binary } from '#kit/http/answers/downloads.ts'
import { type Route, route } from '#kit/http/route.ts'
import { ListOf } from '#kit/http/schema.ts'
import type { FileStorage } from './file_storage.ts'
import { addFiles, deleteFile, findFile, listFiles, serveFile } from './files.ts'
import {
  createIdentification,
  findIdentification,
  listIdentifications,
  updateIdentification,
} from './identifications.ts'
import type { NewFiles } from './new_files.ts'
import { receiveFiles } from './receive.ts'
import { contentTypes } from './rules/kinds.ts'
import {
  FilePath,
  Identification,
  IdentificationChanges,
  IdentificationFile,
  IdentificationPath,
  Listed,
  NewIdentification,
  Uploaded,
  UploadForm,
  UserPath,
} from './schema.ts'

const ALL = '/users/{user_id}/identifications'
const ONE = `${ALL}/{identification_id}`
const FILES = `${ONE}/files`
const FILE = `${FILES}/{file_id}`

export const identificationRoutes = (storage: FileStorage): Route[] => [
  ...documentRoutes,
  ...uploadRoutes(storage),
  ...fileRoutes(storage),
]

const documentRoutes: Route[] = [
  route({
    id: 'createIdentification',
    tag: 'Identifications',
    description:
      'Creates an identity document of a user that is not TERMINATED. Its review starts as ' +
      'PENDING for an INDIVIDUAL and as PENDINGKYB for every other type. A user may have 100 ' +
      'identifications. Files are uploaded to it afterwards.',
    method: 'POST',
    path: ALL,
    permission: 'write',
    summary: 'Create an identification of a user',
    params: UserPath,
    body: NewIdentification,
    answer: Identification,
    errors: ['id_taken', 'user_terminated', 'identification_limit_reached'],
    run: (ctx, { params, body }) => createIdentification(ctx, params.user_id, body),
  }),
  route({
    id: 'listIdentifications',
    tag: 'Identifications',
    description: 'Lists the identifications of a user, newest first.',
    method: 'GET',
    path: ALL,
    permission: 'read',
    summary: 'List the identifications of a user',
    params: UserPath,
    query: Listed,
    answer: ListOf(Identification),
    run: (ctx, { params, query }) => listIdentifications(ctx, params.user_id, query),
  }),
  route({
    id: 'getIdentification',
    tag: 'Identifications',
    description: 'Returns one identification of a user. Fields that were never set are absent.',
    method: 'GET',
    path: ONE,
    permission: 'read',
    summary: 'Get an identification',
    params: IdentificationPath,
    answer: Identification,
    lock: (tx, params) => lockRow(tx, 'identifications', params.identification_id),
    run: (ctx, { params }) => findIdentification(ctx, params.user_id, params.identification_id),
  }),
  route({
    id: 'updateIdentification',
    tag: 'Identifications',
    description:
      'Changes only the fields that are sent; null clears a field. A reviewed identification ' +
      'returns to the status before its review. `type` cannot change while the identification ' +
      'has files (`identification_has_files`).',
    method: 'PUT',
    path: ONE,
    permission: 'write',
    summary: 'Update an identification',
    params: IdentificationPath,
    body: IdentificationChanges,
    answer: Identification,
    errors: ['user_terminated', 'identification_has_files'],
    run: (ctx, { params, body }) =>
      updateIdentification(ctx, params.user_id, params.identification_id, body),
  }),
]

/** One path in two spellings of its method (D-5). */
function uploadRoutes(storage: FileStorage): Route[] {
  return (['PUT', 'POST'] as const).map((method) =>
    route({
      id: method === 'PUT' ? 'uploadIdentificationFiles' : 'uploadIdentificationFilesByPost',
      tag: 'Identifications',
      description:
        'Uploads one part `file`, or up to five parts `files`, as multipart/form-data; all of ' +
        'them are stored or none. Accepted are PDF, JPEG, PNG, BMP, DOC and DOCX files of up to ' +
        '128 MiB each, or 5 MiB for a BANK_STATEMENT, and up to ten files for each ' +
        'identification. Its extension, its declared type and its content must agree; ' +
        '`application/octet-stream` and `text/plain` declare nothing. Refused are PDFs that need ' +
        'a password or have scripts, macros, files within files but for the workbook of a chart ' +
        'in DOCX, documents of more than 1,000 entries or 512 MiB unpacked, pictures of more ' +
        'than 150 megapixels or 40,000 on a side, and bytes behind the end of a file, but for ' +
        'padding and the trailers of phones, which are cut. ' +
        'If a scanner is configured, every file is scanned for viruses. Beyond ' +
        '`stored_bytes_max` of the settings it fails with `storage_full`. PUT and POST do the ' +
        'same.',
      method,
      path: FILES,
      permission: 'write',
      summary: method === 'PUT' ? 'Upload files' : 'Upload files by POST',
      params: IdentificationPath,
      // The schema describes the form; `receive` makes the body of `run` from it.
      body: Type.Unsafe<NewFiles>(UploadForm),
      answer: Uploaded,
      errors: [
        'id_taken',
        'user_terminated',
        'file_limit_reached',
        'storage_full',
        'request_timeout',
      ],
      object: {
        schema: Identification,
        read: async (tx, { params }) => {
          await lockRow(tx, 'identifications', params.identification_id)
          return findIdentification(tx, params.user_id, params.identification_id)
        },
      },
      receive: (ctx, params, parts) => receiveFiles(storage, ctx, params, parts),
      run: (ctx, { params, body }) => addFiles(ctx, params, body),
    }),
  )
}

function fileRoutes(storage: FileStorage): Route[] {
  return [
    route({
      id: 'listIdentificationFiles',
      tag: 'Identifications',
      description: 'Lists the files of an identification, newest first. Deleted files are absent.',
      method: 'GET',
      path: FILES,
      permission: 'read',
      summary: 'List the files of an identification',
      params: IdentificationPath,
      query: Listed,
      answer: ListOf(IdentificationFile),
      run: (ctx, { params, query }) => listFiles(ctx, params, query),
    }),
    route({
      id: 'getIdentificationFile',
      tag: 'Identifications',
      description: 'Returns the metadata of a file, without its content.',
      method: 'GET',
      path: FILE,
      permission: 'read',
      summary: 'Get the metadata of a file',
      params: FilePath,
      answer: IdentificationFile,
      lock: (tx, params) => lockRow(tx, 'identification_files', params.file_id),
      run: (ctx, { params }) => findFile(ctx, params),
    }),
    contentRoute(storage, 'browse', 'View a file in the browser'),
    contentRoute(storage, 'download', 'Download a file'),
    route({
      id: 'deleteIdentificationFile',
      tag: 'Identifications',
      description:
        'Deletes the content of a file and removes it from lists. A reviewed identification ' +
        'returns to the status before its review. Version numbers of deleted files are not used ' +
        'again.',
      method: 'DELETE',
      path: FILE,
      permission: 'write',
      summary: 'Delete a file',
      params: FilePath,
      // The content is deleted after the commit.
      commitsItself: true,
      answer: Deleted,
      errors: ['user_terminated'],
      run: (ctx, { params }) => deleteFile(storage, ctx, params),
    }),
  ]
}

/** The content of a file: shown by a browser, or saved. */
function contentRoute(storage: FileStorage, verb: 'browse' | 'download', summary: string): Route {
  const kind = verb === 'browse' ? 'inline' : 'attachment'
  return route({
    id: kind === 'inline' ? 'browseIdentificationFile' : 'downloadIdentificationFile',
    tag: 'Identifications',
    description:
      `Returns the content of a file, or a range of it, with the disposition ${kind}. ` +
      'A file that the virus scanner has not checked yet fails with `file_held`, ' +
      'an infected one with `file_infected`.',
    method: 'GET',
    path: `${FILE}:${verb}`,
    permission: 'read',
    summary,
    params: FilePath,
    answer: Binary,
    media: contentTypes,
    errors: ['file_held', 'file_infected'],
    run: (ctx, { params }) => serveFile(storage, ctx, params, kind),
  })
}

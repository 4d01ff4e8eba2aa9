import { Type } from 'typebox'
import { Deleted } from '#issuing/tenants/schema.ts'
import { Binary } from '#kit/downloads.ts'
import { type Route, route } from '#kit/route.ts'
import { ListOf } from '#kit/schema.ts'
import { addFiles, deleteFile, findFile, listFiles, serveFile } from './files.ts'
import {
  createIdentification,
  findIdentification,
  listIdentifications,
  updateIdentification,
} from './identifications.ts'
import { type NewFiles, receiveFiles } from './receive.ts'
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
import type { FileVault } from './vault.ts'

const ALL = '/users/{user_id}/identifications'
const ONE = `${ALL}/{identification_id}`
const FILES = `${ONE}/files`
const FILE = `${FILES}/{file_id}`

export const identificationRoutes = (vault: FileVault): Route[] => [
  ...documentRoutes,
  ...uploadRoutes(vault),
  ...fileRoutes(vault),
]

const documentRoutes: Route[] = [
  route({
    id: 'createIdentification',
    tag: 'Identifications',
    description: '',
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
    description: '',
    method: 'GET',
    path: ALL,
    permission: 'read',
    summary: 'List the identifications of a user, newest first',
    params: UserPath,
    query: Listed,
    answer: ListOf(Identification),
    run: (ctx, { params, query }) => listIdentifications(ctx, params.user_id, query),
  }),
  route({
    id: 'getIdentification',
    tag: 'Identifications',
    description: '',
    method: 'GET',
    path: ONE,
    permission: 'read',
    summary: 'Get an identification',
    params: IdentificationPath,
    answer: Identification,
    run: (ctx, { params }) => findIdentification(ctx, params.user_id, params.identification_id),
  }),
  route({
    id: 'updateIdentification',
    tag: 'Identifications',
    description: '',
    method: 'PUT',
    path: ONE,
    permission: 'write',
    summary: 'Update an identification; null clears a field',
    params: IdentificationPath,
    body: IdentificationChanges,
    answer: Identification,
    errors: ['user_terminated', 'identification_has_files'],
    run: (ctx, { params, body }) =>
      updateIdentification(ctx, params.user_id, params.identification_id, body),
  }),
]

/** One path in two spellings of its method (D-5). */
function uploadRoutes(vault: FileVault): Route[] {
  return (['PUT', 'POST'] as const).map((method) =>
    route({
      id: method === 'PUT' ? 'uploadIdentificationFiles' : 'uploadIdentificationFilesByPost',
      tag: 'Identifications',
      description: '',
      method,
      path: FILES,
      permission: 'write',
      summary: 'Upload one file, or up to five',
      params: IdentificationPath,
      // The form is described by its schema; what `run` gets is made of it by `receive`.
      body: Type.Unsafe<NewFiles>(UploadForm),
      answer: Uploaded,
      errors: ['id_taken', 'user_terminated', 'file_limit_reached', 'request_timeout'],
      receive: (ctx, params, parts) => receiveFiles(vault, ctx, params, parts),
      run: (ctx, { params, body }) => addFiles(ctx, params, body),
    }),
  )
}

function fileRoutes(vault: FileVault): Route[] {
  const served = (verb: string, kind: 'inline' | 'attachment', summary: string) =>
    route({
      id: kind === 'inline' ? 'browseIdentificationFile' : 'downloadIdentificationFile',
      tag: 'Identifications',
      description: '',
      method: 'GET',
      path: `${FILE}:${verb}`,
      permission: 'read',
      summary,
      params: FilePath,
      answer: Binary,
      media: contentTypes,
      errors: ['file_held', 'file_infected'],
      run: (ctx, { params }) => serveFile(vault, ctx, params, kind),
    })
  return [
    route({
      id: 'listIdentificationFiles',
      tag: 'Identifications',
      description: '',
      method: 'GET',
      path: FILES,
      permission: 'read',
      summary: 'List the files of an identification, newest first',
      params: IdentificationPath,
      query: Listed,
      answer: ListOf(IdentificationFile),
      run: (ctx, { params, query }) => listFiles(ctx, params, query),
    }),
    route({
      id: 'getIdentificationFile',
      tag: 'Identifications',
      description: '',
      method: 'GET',
      path: FILE,
      permission: 'read',
      summary: 'Get what is known of a file',
      params: FilePath,
      answer: IdentificationFile,
      run: (ctx, { params }) => findFile(ctx, params),
    }),
    served('browse', 'inline', 'Get a file to be shown'),
    served('download', 'attachment', 'Get a file to be kept'),
    route({
      id: 'deleteIdentificationFile',
      tag: 'Identifications',
      description: '',
      method: 'DELETE',
      path: FILE,
      permission: 'write',
      summary: 'Delete a file',
      params: FilePath,
      // The bytes are taken away after the commit.
      commitsItself: true,
      answer: Deleted,
      errors: ['user_terminated'],
      run: (ctx, { params }) => deleteFile(vault, ctx, params),
    }),
  ]
}

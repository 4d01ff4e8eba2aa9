/** The Bruno folder as Bruno's own library reads its files. */

import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { BRUNO_FOLDER } from '../../../tools/collections/collection_files.ts'
import {
  type CollectionCall,
  type OpenedCollection,
  type Outgoing,
  placeOf,
  type Reply,
  run,
  type Variables,
} from './send.ts'

type Field = { name: string; value: string; enabled: boolean; type?: string }
type Auth = {
  mode?: string
  apikey?: { key: string; value: string }
  bearer?: { token: string }
}
type RequestFile = {
  meta: { name: string; seq: string }
  http: { method: string; url: string; body: string; auth: string }
  params?: Field[]
  headers?: Field[]
  auth?: Auth
  body?: { json?: string; multipartForm?: (Omit<Field, 'value'> & { value: string | string[] })[] }
  assertions?: Field[]
  script?: { res?: string }
}
type FolderFile = {
  meta: { name: string; seq: string; type?: string }
  auth?: Auth
  vars?: { req: Field[] }
}
type EnvironmentFile = { variables: (Field & { secret: boolean })[] }

/** The used part of the package, which has no types. */
type BrunoLang = {
  bruToJsonV2: (text: string) => RequestFile
  jsonToBruV2: (file: object) => string
  collectionBruToJson: (text: string) => FolderFile
  jsonToCollectionBru: (file: object) => string
  bruToEnvJsonV2: (text: string) => EnvironmentFile
  envJsonToBruV2: (file: object) => string
}
export const lang: BrunoLang = createRequire(import.meta.url)('@usebruno/lang')

const COLLECTION_FILE = 'collection.bru'
const FOLDER_FILE = 'folder.bru'
const ENVIRONMENT = 'environments/Sandbox.bru'

const read = (path: string) => readFileSync(join(BRUNO_FOLDER, path), 'utf8')

/** With `only`, the calls of one folder: each file takes its time. */
export function openBruno(only?: string): OpenedCollection {
  const { auth = {}, vars } = lang.collectionBruToJson(read(COLLECTION_FILE))
  const { variables } = lang.bruToEnvJsonV2(read(ENVIRONMENT))
  return {
    calls: foldersIn('')
      .filter((folder) => only === undefined || folder === only)
      .flatMap((folder) => callsOf(folder, [], auth)),
    variables: new Map(vars?.req.map(({ name, value }) => [name, value])),
    environment: new Map(variables.map(({ name, value }) => [name, value])),
    secrets: variables.flatMap(({ name, secret }) => (secret ? [name] : [])),
  }
}

/** Folders with a `folder.bru`, in the order of Bruno's sidebar. */
const foldersIn = (path: string): string[] =>
  readdirSync(join(BRUNO_FOLDER, path))
    .map((name) => join(path, name))
    .filter((one) => statSync(join(BRUNO_FOLDER, one)).isDirectory() && one !== 'environments')
    .map((one) => ({ one, seq: lang.collectionBruToJson(read(join(one, FOLDER_FILE))).meta.seq }))
    .sort((a, b) => Number(a.seq) - Number(b.seq))
    .map(({ one }) => one)

function callsOf(path: string, above: readonly string[], inherited: Auth): CollectionCall[] {
  const { meta, auth } = lang.collectionBruToJson(read(join(path, FOLDER_FILE)))
  const own = auth?.mode === 'inherit' || auth === undefined ? inherited : auth
  const folders = [...above, meta.name]
  const files = readdirSync(join(BRUNO_FOLDER, path))
    .filter((name) => name.endsWith('.bru') && name !== FOLDER_FILE)
    .map((name) => lang.bruToJsonV2(read(join(path, name))))
    .sort((a, b) => Number(a.meta.seq) - Number(b.meta.seq))
  return [
    ...foldersIn(path).flatMap((one) => callsOf(one, folders, own)),
    ...files.map((file): CollectionCall => {
      const { method, url } = file.http
      const [place = ''] = url.replace('{{base_url}}', '').split('?')
      return {
        ...{ folders, name: file.meta.name, operation: placeOf(method.toUpperCase(), place) },
        outgoing: (variables) => outgoingOf(file, own, variables),
        afterwards: (reply, variables) => afterwards(file, reply, variables),
      }
    }),
  ]
}

function outgoingOf(file: RequestFile, inherited: Auth, variables: Variables): Outgoing {
  const filled = (text: string): string =>
    text.replaceAll(/\{\{(\$?\w+)\}\}/g, (whole, name: string) => {
      if (name === '$guid') return randomUUID()
      if (name === '$timestamp') return String(Math.floor(performance.now()))
      return variables.get(name) ?? whole
    })
  const { http, params = [], headers = [], body } = file
  const paths = params.filter(({ type }) => type === 'path')
  const { mode, apikey, bearer } = http.auth === 'inherit' ? inherited : (file.auth ?? {})
  return {
    method: http.method.toUpperCase(),
    url: filled(
      paths.reduce((url, { name, value }) => url.replace(`/:${name}`, `/${value}`), http.url),
    ),
    headers: {
      ...Object.fromEntries(
        headers.flatMap(({ name, value, enabled }) => (enabled ? [[name, filled(value)]] : [])),
      ),
      ...(mode !== 'none' && apikey && { [apikey.key]: filled(apikey.value) }),
      ...(mode !== 'none' && bearer && { authorization: `Bearer ${filled(bearer.token)}` }),
      ...(http.body === 'json' && { 'content-type': 'application/json' }),
    },
    ...(http.body === 'json' && { body: filled(body?.json ?? '') }),
    ...(http.body === 'multipartForm' && { body: formOf(body?.multipartForm ?? []) }),
  }
}

function formOf(parts: NonNullable<NonNullable<RequestFile['body']>['multipartForm']>): FormData {
  const form = new FormData()
  for (const { name, value } of parts) {
    if (typeof value === 'string') form.set(name, value)
    else for (const path of value) form.set(name, new Blob([read(path)]), path)
  }
  return form
}

function afterwards(file: RequestFile, { status, body }: Reply, variables: Variables): string[] {
  const res = { status, body, getStatus: () => status, getBody: () => body }
  const bru = { setVar: (name: string, value: string) => variables.set(name, value) }
  if (file.script?.res !== undefined) run(file.script.res, { res, bru })
  return (file.assertions ?? []).flatMap(({ name, value }) => {
    const found = run(name, { res })
    return holds(found, value) ? [] : [`${name} ${value}: ${JSON.stringify(found)}`]
  })
}

/** `eq` and `lt` of Bruno: a value in quotes is text, other digits are a number. */
function holds(found: unknown, assertion: string): boolean {
  const [operator = '', ...words] = assertion.split(' ')
  const text = words.join(' ')
  const expected: unknown = /^("|true|false|\d)/.test(text) ? JSON.parse(text) : text
  return operator === 'lt' ? Number(found) < Number(expected) : found === expected
}

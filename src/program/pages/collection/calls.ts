/** The requests of the collection (D-845). */

import { JSON_TYPE, type OpenApi, operationsIn, type Placed } from '#lib/openapi.ts'
import { answerOf, parametersIn } from './document.ts'
import { MERCHANT_TOKEN, namesIn, partsOf, withVariables } from './variables.ts'

/** The variable that a request is authenticated with; `cookie` is the client's own, of a sign-in. */
export type Auth = 'api_key' | 'operator_key' | 'merchant_token' | 'cookie' | 'none'

export type Field = { name: string; value: string; description: string; isSent: boolean }
type FormPart = { name: string; value: string; isFile: boolean }
export type Body = { json: string } | { form: readonly FormPart[] }

/** The values that the following requests get: a member of the answer, as `data[0].id`. */
export type Keep = { variable: string; member: string }

/** The expected answer of Getting started: members and their values. */
export type Expected = Readonly<Record<string, string | number | boolean>>

export type Call = {
  /** The operation's. */
  operation: string
  name: string
  description: string
  method: string
  /** Segments; `:id` is one of `path_fields`, `{{user_id}}:verb` has its variable in place. */
  path: readonly string[]
  path_fields: readonly Field[]
  query: readonly Field[]
  headers: readonly Field[]
  body?: Body
  auth: Auth
  keeps: readonly Keep[]
  expected?: Expected
}

export type Folder = {
  name: string
  description: string
  auth: Auth
  folders: readonly Folder[]
  calls: readonly Call[]
}

/**
 * Members that differ from the example: references that the client draws anew, so that repeating a
 * request is a new one, and an instant that is past for the clock of a fresh sandbox.
 */
const INSTEAD: Readonly<Record<string, object>> = {
  createCheckout: { reference: 'ORDER-{{$timestamp}}' },
  payWithKeptCard: { reference: 'ORDER-{{$timestamp}}-2' },
  moveClock: { now: undefined, advance: 'PT1H' },
}
const NEW_KEY = '{{$guid}}'
/** The parameters of a page, or of waiting: the whole list is of more use. */
const PAGING = ['limit', 'after', 'wait']
/** An instant of the story that the examples are of, which a sandbox has no data of. */
const PAST = /^\d{4}-\d\d-\d\d/

type Ids = ReadonlyMap<string, string>

/**
 * A folder for each tag of the document, in their order. A request that suspends its object is last
 * of its folder, before one that deletes it, so that the requests above have it.
 */
export function folderOf(document: OpenApi, ids: Ids, auth: Auth): Folder {
  const { info, tags } = document
  const calls = operationsIn(document).map((placed) => ({
    tag: placed.operation.tags[0],
    call: callOf(document, placed, ids, auth),
  }))
  const folders = tags.map(({ name, description }): Folder => {
    const own = calls.flatMap(({ tag, call }) => (tag === name ? [call] : []))
    const [first] = own
    const isOfOne = first && own.every((call) => call.auth === first.auth)
    const ordered = own.toSorted((a, b) => endOf(a) - endOf(b))
    return { name, description, auth: isOfOne ? first.auth : auth, folders: [], calls: ordered }
  })
  const { title: name, description } = info
  return { name, description, auth, folders: folders.filter(hasCalls), calls: [] }
}

const endOf = ({ method, operation }: Call): number =>
  method === 'DELETE' ? 2 : /^change\w+Status/.test(operation) ? 1 : 0
const hasCalls = ({ calls }: Folder): boolean => calls.length > 0

function callOf(document: OpenApi, placed: Placed, ids: Ids, usual: Auth): Call {
  const { operation, method, path } = placed
  const prefix = document.servers[0].url
  const parts = partsOf(path, prefix)
  const body = bodyOf(operation, ids)
  const auth = authFor(operation, usual)
  const call: Call = {
    operation: operation.operationId,
    name: operation.summary,
    method,
    auth,
    keeps: [],
    description: operation.description,
    path: [
      ...prefix.split('/').slice(1),
      ...parts.map(({ text, parameter, verb, variable }) => {
        if (parameter === undefined) return text
        return verb === '' ? `:${parameter}` : `{{${variable}}}${verb}`
      }),
    ],
    path_fields: parametersIn(operation, 'path').flatMap(({ name, description = '' }) => {
      const part = parts.find(({ parameter, verb }) => parameter === name && verb === '')
      return part ? [{ name, description, value: `{{${part.variable}}}`, isSent: true }] : []
    }),
    query: parametersIn(operation, 'query').map(({ name, required, description = '', ...of }) => {
      const isLeft = PAGING.includes(name) || (!required && PAST.test(String(of.example)))
      const sent = isLeft ? undefined : of.example
      const value = textOf(withVariables(sent ?? of.schema.default ?? '', ids, name))
      return { name, description, value, isSent: required === true || sent !== undefined }
    }),
    headers: headersOf(placed, auth),
    ...(body && { body }),
  }
  return { ...call, keeps: keepsOf(placed, call, ids) }
}

function authFor({ security, 'x-permission': permission }: Placed['operation'], usual: Auth): Auth {
  if (permission === 'operator') return 'operator_key'
  // A client sends its cookie to every operation of the portal, also to those that need none.
  return security?.length === 0 && usual !== 'cookie' ? 'none' : usual
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : String(value))

function bodyOf({ operationId, requestBody }: Placed['operation'], ids: Ids): Body | undefined {
  if (!requestBody) return undefined
  const [form, json] = ['multipart/form-data', JSON_TYPE].map((type) => requestBody.content[type])
  if (form)
    return {
      form: Object.entries(form.example ?? {}).map(([name, value]) => ({
        name,
        value: textOf(withVariables(value, ids, name)),
        isFile: name === 'file',
      })),
    }
  const example = withVariables(json?.example ?? {}, ids)
  const body = { ...(isRecord(example) && example), ...INSTEAD[operationId] }
  return { json: JSON.stringify(body, null, 2) }
}

function headersOf({ operation, method }: Placed, auth: Auth): Field[] {
  const own = parametersIn(operation, 'header').map(({ name, description = '' }): Field => {
    const isKey = name.endsWith('idempotency-key')
    return { name, description, value: isKey ? NEW_KEY : '', isSent: isKey }
  })
  if (auth !== 'cookie' || method === 'GET') return own
  const description = 'A request that comes with the cookie comes from the program’s own pages.'
  return [...own, { name: 'origin', description, value: '{{base_url}}', isSent: true }]
}

/** A token has no id; `tenant_id` stays that of the API key, whose objects the requests name. */
const KEPT_OF: Readonly<Record<string, Keep[]>> = {
  createMerchantToken: [{ variable: MERCHANT_TOKEN, member: 'token' }],
  createTenant: [],
  listTenants: [],
}

/**
 * The id of the object that the request makes, which it did not send, and the ids beside it. A list
 * gives the id of its first object; a reader leaves that out if a request makes one.
 */
function keepsOf({ method, operation }: Placed, call: Call, ids: Ids): Keep[] {
  const special = KEPT_OF[operation.operationId]
  if (special) return special
  const answer = answerOf(operation)
  if (method === 'GET') {
    const [own] = idsIn(firstOf(answer), ids)
    return own ? [{ variable: own.variable, member: `${LISTED}${own.member}` }] : []
  }
  const sent = new Set(namesIn(JSON.stringify(call)))
  const [own, ...others] = idsIn(answer, ids)
  if (own === undefined || sent.has(own.variable)) return []
  return [own, ...others.filter(({ variable }) => !sent.has(variable))]
}

const LISTED = 'data[0].'
const isListed = ({ member }: Keep): boolean => member.startsWith(LISTED)

function firstOf(answer: unknown): unknown {
  const { data } = isRecord(answer) ? answer : {}
  return Array.isArray(data) ? data[0] : undefined
}

/** Its own id first; none if no path names an object of its kind. */
function idsIn(object: unknown, ids: Ids): Keep[] {
  if (!isRecord(object)) return []
  const found = Object.entries(object).flatMap(([member, value]): Keep[] => {
    const variable = typeof value === 'string' ? ids.get(value) : undefined
    return variable !== undefined && /(^|_)(id|reference)$/.test(member)
      ? [{ variable, member }]
      : []
  })
  const own = found.find(({ member }) => member === 'id')
  if ('id' in object && !own) return []
  const ordered = own ? [own, ...found.filter((one) => one !== own)] : found
  return ordered.filter(
    ({ variable }, at) => ordered.findIndex((one) => one.variable === variable) === at,
  )
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object'

/** Without what lists give of objects that a request makes. */
export function withoutSecondKeeps(folders: readonly Folder[]): Folder[] {
  const made = new Set(
    callsIn(folders).flatMap(({ keeps }) =>
      keeps.flatMap((keep) => (isListed(keep) ? [] : [keep.variable])),
    ),
  )
  const narrowed = (folder: Folder): Folder => ({
    ...folder,
    folders: folder.folders.map(narrowed),
    calls: folder.calls.map((call) => ({
      ...call,
      keeps: call.keeps.filter((one) => !isListed(one) || !made.has(one.variable)),
    })),
  })
  return folders.map(narrowed)
}

/** All, in the order in which a client shows them. */
export const callsIn = (folders: readonly Folder[]): Call[] =>
  folders.flatMap((folder) => [...callsIn(folder.folders), ...folder.calls])

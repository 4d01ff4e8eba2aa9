/** An OpenAPI document as the functions of the client library need it. */

import {
  type Contents,
  codesOf,
  type DocumentedOperation,
  JSON_TYPE,
  type OpenApi,
  operationsIn,
  type Parameter,
  type Placed,
  referredIn,
  type Schema,
  successesOf,
} from '#lib/openapi.ts'
import { groupNameOf, methodNameOf, pascal } from './names.ts'

/** The place of the cursor of the next page in a list. */
export type Cursor = 'query' | 'body' | 'cursors'

/** The value that a function resolves to; `raw` is the Response itself. */
export type Answer =
  | { kind: 'value'; type: string }
  | { kind: 'list'; item: string; extras?: string; cursor: Cursor }
  | { kind: 'nothing' }
  | { kind: 'raw'; accept?: string }

export type Operation = {
  name: string
  method: string
  path: string
  summary: string
  description: string
  isSandbox: boolean
  /** Codes of its errors. */
  codes: string[]
  path_parameters: string[]
  body?: { type: string; isOptional: boolean; isForm: boolean }
  query?: { type: string; isOptional: boolean }
  headers?: string
  /** Whether it takes an idempotency key. */
  isKeyed: boolean
  answer: Answer
}

export type Group = { name: string; description: string; operations: Operation[] }

export type ClientModel = {
  groups: Group[]
  /** Schemas of the document, and those that its operations have in place. */
  schemas: { [name: string]: Schema }
  prefix: string
  idempotencyHeader: string
  apiKeyHeader: string | undefined
  sessionCookie: string | undefined
  /** Names of the types of events. */
  events: string[]
}

const FORM_TYPE = 'multipart/form-data'

export function modelOf(document: OpenApi): ClientModel {
  const schemas = new Schemas(document)
  const operations = operationsIn(document)
  const groups = document.tags.map(({ name, description }): Group => {
    const ofTag = operations.filter(({ operation }) => operation.tags[0] === name)
    const ids = ofTag.map(({ operation }) => operation.operationId)
    return {
      name: groupNameOf(name),
      description,
      operations: ofTag.flatMap((placed) => {
        const { operation } = placed
        const method = methodNameOf(name, operation.operationId, ids)
        return withOtherMedia(operationOf(schemas, placed, method), operation)
      }),
    }
  })
  const keys = operations.flatMap(({ operation }) =>
    operation.parameters.filter(isIdempotencyKey).map(({ name }) => name),
  )
  const schemes = Object.values(document.components.securitySchemes)
  return {
    groups: groups.filter(({ operations }) => operations.length > 0),
    schemas: schemas.all,
    prefix: document.servers[0].url,
    idempotencyHeader: keys[0] ?? '',
    apiKeyHeader: schemes.find((scheme) => scheme.in === 'header')?.name,
    sessionCookie: schemes.find((scheme) => scheme.in === 'cookie')?.name,
    events: Object.values(document.webhooks ?? {}).flatMap(({ post }) =>
      namesIn(post.requestBody.content),
    ),
  }
}

const isIdempotencyKey = ({ name }: Parameter) => name.endsWith('idempotency-key')

/** The schemas of the document, and names for those that operations have in place. */
class Schemas {
  readonly all: { [name: string]: Schema }

  constructor({ components }: OpenApi) {
    this.all = { ...components.schemas }
  }

  /** The name of the type; a schema without one gets `name`. */
  nameOf(schema: Schema, name: string): string {
    const ref = referredIn(schema)
    if (ref !== undefined) return ref
    if (this.all[name]) throw new Error(`two schemas would have the name ${name}`)
    this.all[name] = schema
    return name
  }
}

function namesIn(content: Contents): string[] {
  const schema = content[JSON_TYPE]?.schema ?? {}
  return (schema.anyOf ?? [schema]).flatMap((option) => referredIn(option) ?? [])
}

function operationOf(
  schemas: Schemas,
  { path, method, operation }: Placed,
  name: string,
): Operation {
  const { operationId, summary, description, parameters } = operation
  const type = pascal(operationId)
  const query = membersOf(parameters, 'query')
  const headers = membersOf(parameters, 'header')
  const body = bodyOf(schemas, operation, type)
  return {
    name,
    method,
    path,
    summary,
    description,
    isSandbox: operation['x-sandbox'] === true,
    codes: codesOf(operation),
    path_parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, word = '']) => word),
    ...(body && { body }),
    ...(query && {
      query: { type: schemas.nameOf(query, `${type}Query`), isOptional: !query.required },
    }),
    ...(headers && { headers: schemas.nameOf(headers, `${type}Headers`) }),
    isKeyed: parameters.some(isIdempotencyKey),
    answer: answerOf(schemas, operation, type),
  }
}

/** The parameters of one kind as an object; without those of no type, which are always rejected. */
function membersOf(parameters: readonly Parameter[], kind: string): Schema | undefined {
  const found = parameters.filter(
    (one) =>
      one.in === kind &&
      !isIdempotencyKey(one) &&
      Object.keys(one.schema).some((word) => word !== 'description'),
  )
  if (found.length === 0) return undefined
  const required = found.flatMap(({ name, required }) => (required ? [name] : []))
  return {
    type: 'object',
    properties: Object.fromEntries(found.map(({ name, schema }) => [name, schema])),
    ...(required.length > 0 && { required }),
  }
}

function bodyOf(schemas: Schemas, { requestBody }: DocumentedOperation, type: string) {
  if (!requestBody) return undefined
  const { required, content } = requestBody
  const form = content[FORM_TYPE]?.schema
  const schema = form ?? content[JSON_TYPE]?.schema ?? {}
  return {
    type: schemas.nameOf(schema, `${type}Body`),
    isOptional: !required || schema['x-optional'] === true,
    isForm: form !== undefined,
  }
}

function answerOf(schemas: Schemas, operation: DocumentedOperation, type: string): Answer {
  const contents = successesOf(operation)
  const found = contents.flatMap((content): Schema[] => {
    const { schema } = content[JSON_TYPE] ?? {}
    return schema ? [schema] : []
  })
  const [first] = found
  if (!first) return contents.length > 0 ? { kind: 'raw' } : { kind: 'nothing' }
  const { properties } = first
  const items = properties?.['data']?.items
  if (items && properties?.['after'] && properties['has_more']) {
    const item = schemas.nameOf(items, `${type}Item`)
    const own = extrasOf(first)
    const extras = own && { extras: schemas.nameOf(own, `${type}Extras`) }
    return { kind: 'list', item, ...extras, cursor: cursorOf(operation) }
  }
  const names = found.map((schema) => schemas.nameOf(schema, `${type}Answer`))
  return { kind: 'value', type: names.join(' | ') }
}

const OF_PAGES = new Set(['data', 'after', 'has_more'])

/** The members that a list has beside those of every page. */
function extrasOf({ properties = {}, required = [] }: Schema): Schema | undefined {
  const own = Object.entries(properties).filter(([name]) => !OF_PAGES.has(name))
  if (own.length === 0) return undefined
  return {
    type: 'object',
    properties: Object.fromEntries(own),
    required: required.filter((name) => !OF_PAGES.has(name)),
  }
}

function cursorOf({ parameters, requestBody }: DocumentedOperation): Cursor {
  if (!requestBody || parameters.some(({ name }) => name === 'after')) return 'query'
  const properties = requestBody.content[JSON_TYPE]?.schema?.properties
  return properties && 'cursors' in properties ? 'cursors' : 'body'
}

const SUFFIXES: Readonly<Record<string, string>> = {
  'text/csv': 'AsCsv',
  'text/event-stream': 'AsEventStream',
}

/** A function more for each media type beside JSON, which answers the Response. */
function withOtherMedia(operation: Operation, { responses }: DocumentedOperation): Operation[] {
  if (operation.answer.kind === 'raw') return [operation]
  const others = Object.keys(responses['200']?.content ?? {}).filter((type) => type !== JSON_TYPE)
  return [
    operation,
    ...others.map(
      (accept): Operation => ({
        ...operation,
        name: `${operation.name}${SUFFIXES[accept] ?? ''}`,
        summary: `${operation.summary}, as ${accept}`,
        answer: { kind: 'raw', accept },
      }),
    ),
  ]
}

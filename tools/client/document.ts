/** The parts of an OpenAPI document that the client library is made from, as its functions need them. */

import { groupNameOf, methodNameOf, pascal } from './names.ts'

export type Schema = { [member: string]: unknown }

type Parameter = { name: string; in: string; required?: boolean; schema: Schema }
type Media = { [type: string]: { schema?: Schema } }
type DocumentedOperation = {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Media }
  responses: { [status: string]: { description?: string; content?: Media } }
  'x-sandbox'?: boolean
}

export type OpenApi = {
  info: { title: string; description: string; version: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: { [path: string]: { [method: string]: DocumentedOperation } }
  webhooks?: { [kind: string]: { post: { requestBody: { content: Media } } } }
  components: {
    schemas: { [name: string]: Schema }
    securitySchemes: { [name: string]: { type: string; in?: string; name?: string } }
  }
}

/** Where a list has the cursor of its next page. */
export type Cursor = 'query' | 'body' | 'cursors'

/** What a function resolves to; `raw` is the Response itself. */
export type Answer =
  | { kind: 'value'; type: string }
  | { kind: 'list'; item: string; cursor: Cursor }
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
  /** Those of the document, and those that its operations have in place. */
  schemas: { [name: string]: Schema }
  prefix: string
  idempotencyHeader: string
  apiKeyHeader: string | undefined
  sessionCookie: string | undefined
  /** Names of the types of events. */
  events: string[]
}

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'multipart/form-data'

export function modelOf(document: OpenApi): ClientModel {
  const schemas = new Schemas(document)
  const groups = document.tags.map(({ name, description }): Group => {
    const ofTag = operationsOf(document).filter(([, , { tags }]) => tags[0] === name)
    const ids = ofTag.map(([, , { operationId }]) => operationId)
    return {
      name: groupNameOf(name),
      description,
      operations: ofTag.flatMap(([path, method, operation]) =>
        withOtherMedia(
          operationOf(
            schemas,
            path,
            method,
            operation,
            methodNameOf(name, operation.operationId, ids),
          ),
          operation,
        ),
      ),
    }
  })
  const keys = operationsOf(document).flatMap(([, , { parameters = [] }]) =>
    parameters.filter(isIdempotencyKey).map(({ name }) => name),
  )
  const schemes = Object.values(document.components.securitySchemes)
  return {
    groups: groups.filter(({ operations }) => operations.length > 0),
    schemas: schemas.all,
    prefix: document.servers[0]?.url ?? '',
    idempotencyHeader: keys[0] ?? '',
    apiKeyHeader: schemes.find((scheme) => scheme.in === 'header')?.name,
    sessionCookie: schemes.find((scheme) => scheme.in === 'cookie')?.name,
    events: Object.values(document.webhooks ?? {}).flatMap(({ post }) =>
      namesIn(post.requestBody.content),
    ),
  }
}

const operationsOf = ({ paths }: OpenApi) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => [path, method.toUpperCase(), operation] as const,
    ),
  )

const isIdempotencyKey = ({ name }: Parameter) => name.endsWith('idempotency-key')

/** The schemas of the document, and names for those that operations have in place. */
class Schemas {
  readonly all: { [name: string]: Schema }

  constructor({ components }: OpenApi) {
    this.all = { ...components.schemas }
  }

  /** The name of the type; a schema without one gets `name`. */
  nameOf(schema: Schema, name: string): string {
    const ref = refOf(schema)
    if (ref !== undefined) return ref
    if (this.all[name]) throw new Error(`two schemas would have the name ${name}`)
    this.all[name] = schema
    return name
  }
}

const refOf = ({ $ref }: Schema): string | undefined =>
  typeof $ref === 'string' ? $ref.replace('#/components/schemas/', '') : undefined

function namesIn(content: Media): string[] {
  const schema = content[JSON_TYPE]?.schema ?? {}
  const options = (schema['anyOf'] ?? [schema]) as Schema[]
  return options.flatMap((option) => refOf(option) ?? [])
}

function operationOf(
  schemas: Schemas,
  path: string,
  method: string,
  operation: DocumentedOperation,
  name: string,
): Operation {
  const { operationId, summary, description = '', parameters = [], responses } = operation
  const type = pascal(operationId)
  const query = membersOf(parameters, 'query')
  const headers = membersOf(parameters, 'header')
  const body = bodyOf(schemas, operation, type)
  return {
    ...{ name, method, path, summary, description },
    isSandbox: operation['x-sandbox'] === true,
    codes: Object.entries(responses).flatMap(([status, answer]) =>
      status < '400' ? [] : (answer.description?.split(', ') ?? []),
    ),
    path_parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, word = '']) => word),
    ...(body && { body }),
    ...(query && {
      query: { type: schemas.nameOf(query, `${type}Query`), isOptional: !query['required'] },
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
  const contents = Object.entries(operation.responses).flatMap(([status, { content }]) =>
    status.startsWith('2') && content ? [content] : [],
  )
  const found = contents.flatMap((content): Schema[] => {
    const { schema } = content[JSON_TYPE] ?? {}
    return schema ? [schema] : []
  })
  const [first] = found
  if (!first) return contents.length > 0 ? { kind: 'raw' } : { kind: 'nothing' }
  const { properties } = first as { properties?: { [name: string]: Schema } }
  const items = properties?.['data']?.['items'] as Schema | undefined
  if (items && properties?.['after'] && properties['has_more']) {
    const cursor = cursorOf(operation)
    return { kind: 'list', item: schemas.nameOf(items, `${type}Item`), cursor }
  }
  const names = found.map((schema) => schemas.nameOf(schema, `${type}Answer`))
  return { kind: 'value', type: names.join(' | ') }
}

function cursorOf({ parameters = [], requestBody }: DocumentedOperation): Cursor {
  if (!requestBody || parameters.some(({ name }) => name === 'after')) return 'query'
  const { properties } = (requestBody?.content[JSON_TYPE]?.schema ?? {}) as { properties?: object }
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

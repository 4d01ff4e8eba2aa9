/**
 * The OpenAPI 3.1 document of an API. It is made from the served routes, so it describes all of
 * them.
 */

import { STATUS_CODES } from 'node:http'
import type { ErrorCatalogue } from '#kit/errors.ts'
import type { EventKind } from '#kit/event.ts'
import type { ErrorCode } from '#lib/result.ts'
import { CSV } from '../answers/csv_export.ts'
import { EVENT_STREAM } from '../answers/event_stream.ts'
import { type Objects, objectsOf } from '../objects.ts'
import type { Route } from '../route.ts'
import { type Components, hoist, type Json, newComponents } from './components.ts'
import { webhookParameters, webhooksOf } from './events.ts'
import { type Examples, exampleMember, noExamples, type OperationExample } from './examples.ts'
import { parametersOf } from './parameters.ts'

export type Document = { title: string; description: string; version: string; server: string }

export type DocumentedApi = {
  document: Document
  routes: readonly Route[]
  errors: ErrorCatalogue
  /** The schema of error bodies by status; the issuing API has one for all. */
  errorOf: (status: number) => { content_type: string; schema: object }
  securitySchemes: Json
  /** The schemes of operations of the operator alone, beside the others. */
  operatorSchemes?: Json
  idempotencyHeader: string
  /** The groups of operations in the order of the documentation. */
  tags: readonly Tag[]
  /** The events that the API sends to subscribed endpoints. */
  events?: readonly EventKind[]
  /** Read when a document is made. */
  examples?: () => Examples
}

/** The tag of the events that are sent to subscribed endpoints. */
const EVENTS_TAG = 'Events'
const NO_CONTENT = 204

/** A group of operations, with a sentence on its content. */
export type Tag = { name: string; description: string }

const headers = {
  RequestId: {
    description: 'Names the request; logs and support know it by this.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  RetryAfter: {
    description: 'Seconds after which a retry makes sense.',
    schema: { type: 'integer', minimum: 1 },
  },
  Authenticate: {
    description: 'How to authenticate.',
    required: true,
    schema: { type: 'string' },
  },
  Version: {
    description: 'The version of the object: a change may demand it by `If-Match`.',
    schema: { type: 'string' },
  },
  Replayed: {
    description: 'This is the stored answer of an earlier request with the same key.',
    schema: { const: 'true' },
  },
}

/** Schemas with a title become components, so that a client gets one type for each. */
export function openapiOf(api: DocumentedApi): Json {
  const components = newComponents()
  const { schemas, responses } = components
  const examples = api.examples?.() ?? noExamples
  const paths: Record<string, Json> = {}
  assertTagged(api)
  for (const route of api.routes) {
    const operation = operationOf(route, api, { components, examples })
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation }
  }
  const webhooks =
    api.events &&
    webhooksOf(api.events, {
      tag: EVENTS_TAG,
      refer: (schema) => hoist(schema, components),
      exampleOf: (event) => examples.events[event],
    })
  const { title, description, version, server } = api.document
  return {
    openapi: '3.1.0',
    info: {
      title,
      description,
      version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: server }],
    tags: api.tags,
    security: anyOf(api.securitySchemes),
    paths,
    ...(webhooks && { webhooks }),
    components: {
      schemas,
      responses,
      headers,
      securitySchemes: { ...api.securitySchemes, ...api.operatorSchemes },
      ...(webhooks && { parameters: webhookParameters }),
    },
  }
}

/** One of the schemes is enough. */
const anyOf = (schemes: Json): Json[] => Object.keys(schemes).map((name) => ({ [name]: [] }))

/** Two operations of one id would make a client that does not compile. */
function assertTagged({ routes, tags }: DocumentedApi): void {
  const ids = new Set<string>()
  for (const { id, tag, method, path } of routes) {
    if (ids.has(id)) throw new Error(`${method} ${path}: another operation has the id ${id}`)
    if (!tags.some(({ name }) => name === tag)) throw new Error(`${path}: unknown tag ${tag}`)
    ids.add(id)
  }
}

type Parts = { components: Components; examples: Examples }

function operationOf(route: Route, api: DocumentedApi, { components, examples }: Parts): Json {
  const { body, answer, permission } = route
  const objects = objectsOf(route, api.routes)
  const example = examples.operations[route.id]
  return {
    operationId: route.id,
    summary: route.summary,
    description: route.description,
    tags: [route.tag],
    'x-permission': permission,
    ...(route.sandbox && { 'x-sandbox': true }),
    ...(permission === 'open' && { security: [] }),
    ...(permission === 'operator' &&
      api.operatorSchemes && {
        security: anyOf({ ...api.securitySchemes, ...api.operatorSchemes }),
      }),
    parameters: parametersOf(route, { ...api, components, example, objects }),
    ...(body && {
      requestBody: {
        required: !route.bodyOptional,
        content: {
          [route.receive ? 'multipart/form-data' : 'application/json']: {
            schema: hoist(body, components),
            ...exampleMember(example?.request),
          },
        },
      },
    }),
    responses: {
      ...answers(route, objects, { schema: hoist(answer, components) }, example),
      ...otherAnswer(route, components),
      ...errorResponses(route, api, components),
    },
  }
}

function answers(route: Route, objects: Objects, content: Json, example?: OperationExample): Json {
  const { status, media, csv, stream } = route
  const exampleOf = (type: string) => exampleMember(example?.response[type])
  const answer = (description: string, contents: Json) => ({
    description,
    headers: { ...headersOfSuccess(route), ...headerOfVersion(objects) },
    content: contents,
  })
  if (status === NO_CONTENT) {
    return { [status]: { description: 'Done', headers: headersOfSuccess(route) } }
  }
  if (media) {
    const files = media.map((type) => [type, { ...content, ...exampleOf(type) }])
    const ranges = media.map((type) => [type, content])
    return {
      [status]: answer('The file', Object.fromEntries(files)),
      206: answer('The range of it', Object.fromEntries(ranges)),
    }
  }
  const json = { 'application/json': { ...content, ...exampleOf('application/json') } }
  const csvContent = csv && { [CSV]: { schema: { type: 'string' }, ...exampleOf(CSV) } }
  const streamContent = stream && {
    [EVENT_STREAM]: { schema: { type: 'string' }, ...exampleOf(EVENT_STREAM) },
  }
  return { [status]: answer('Done', { ...json, ...csvContent, ...streamContent }) }
}

function otherAnswer(route: Route, components: Components): Json {
  const { other } = route
  if (!other) return {}
  const content = { 'application/json': { schema: hoist(other.answer, components) } }
  return { [other.status]: { description: 'Begun', headers: headersOfSuccess(route), content } }
}

/**
 * Every code that a route can fail with, each with its status: those that it declares itself, and
 * those that the kit adds because of the parts of the route.
 */
function codesOf(
  route: Route,
  { errors, routes }: Pick<DocumentedApi, 'errors' | 'routes'>,
): [string, number][] {
  const { method, permission, query, params } = route
  const asksForKey = permission !== 'open'
  const takesBody = method !== 'GET'
  const common: Partial<Record<ErrorCode, boolean>> = {
    // Unknown query parameters are refused everywhere (D-8), so this one never lacks.
    validation_failed: true,
    body_invalid: takesBody,
    cursor_invalid: hasCursor(query),
    unauthenticated: asksForKey,
    permission_missing: asksForKey && permission !== 'member',
    origin_refused: method !== 'GET' && (asksForKey || route.visits === true),
    not_found: params !== undefined,
    idempotency_key_reused: method === 'POST' && asksForKey,
    idempotency_key_in_use: method === 'POST' && asksForKey,
    changed_meanwhile: objectsOf(route, routes).changed !== undefined,
    range_not_satisfiable: route.media !== undefined,
    too_large: takesBody,
    request_timeout: takesBody,
    content_type_unsupported: takesBody,
    rate_limited: asksForKey,
    internal: true,
    unavailable: true,
  }
  const codes = Object.entries(common).flatMap(([code, applies]) => (applies ? [code] : []))
  return [...new Set([...codes, ...(route.errors ?? [])])].map((code) => {
    const entry = errors[code]
    if (!entry) throw new Error(`${route.path} names an unknown error: ${code}`)
    return [code, entry.status]
  })
}

export type DocumentedError = {
  code: string
  status: number
  detail: string
  routes: readonly Route[]
}

/** Every code of the API by its status, with the routes that may answer it. */
export function errorsOf({ routes, errors }: DocumentedApi): DocumentedError[] {
  const given = routes.flatMap((route) =>
    codesOf(route, { errors, routes }).map(([code]) => ({ code, route })),
  )
  const places = Map.groupBy(given, ({ code }) => code)
  return Object.entries(errors)
    .map(([code, { status, detail }]) => ({
      code,
      status,
      detail,
      routes: (places.get(code) ?? []).map(({ route }) => route),
    }))
    .sort((one, other) => one.status - other.status || (one.code < other.code ? -1 : 1))
}

const hasCursor = (query: object | undefined): boolean =>
  query !== undefined && 'properties' in query && 'after' in Object(query.properties)

/** A reference for each status; its description lists the codes that the operation may answer. */
function errorResponses(route: Route, api: DocumentedApi, components: Components): Json {
  const codes = Map.groupBy(codesOf(route, api), ([, status]) => status)
  const statuses = [...codes.keys()].sort((one, other) => one - other)
  const entries = statuses.map((status) => {
    const name = (STATUS_CODES[status] ?? String(status)).replace(/[^A-Za-z]/g, '')
    const { content_type, schema } = api.errorOf(status)
    components.responses[name] ??= {
      description: STATUS_CODES[status],
      headers: headersOfError(status),
      content: { [content_type]: { schema: hoist(schema, components) } },
    }
    const description = codes.get(status)?.map(([code]) => code)
    return [
      status,
      { $ref: `#/components/responses/${name}`, description: description?.join(', ') },
    ]
  })
  return Object.fromEntries(entries)
}

const header = (name: keyof typeof headers) => ({ $ref: `#/components/headers/${name}` })

const headersOfError = (status: number): Json => ({
  'x-request-id': header('RequestId'),
  ...((status === 429 || status === 503) && { 'retry-after': header('RetryAfter') }),
  ...(status === 401 && { 'www-authenticate': header('Authenticate') }),
  ...(status < 500 && { 'idempotent-replayed': header('Replayed') }),
})

const headerOfVersion = ({ answered }: Objects): Json =>
  answered ? { etag: header('Version') } : {}

const headersOfSuccess = ({ method, permission }: Route): Json => ({
  'x-request-id': header('RequestId'),
  ...(method === 'POST' && permission !== 'open' && { 'idempotent-replayed': header('Replayed') }),
})

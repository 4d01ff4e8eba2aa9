/** The operations of all APIs, from their OpenAPI documents. */

import { type DocumentedApi, openapiOf } from '#kit/http/openapi/openapi.ts'
import { canonicalUrl, createPathTable } from '#kit/http/paths.ts'
import type { Method } from '#kit/http/permissions.ts'
import type { Config } from '#src/config/config.ts'
import { contractsOf } from '#src/program/documents.ts'
import { sandbox } from '#src/program/modes/sandbox.ts'

/** A JSON schema, as far as the tests look into it. */
export type Schema = {
  type?: string | string[]
  format?: string
  pattern?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  required?: string[]
  items?: Schema
  $ref?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  minProperties?: number
  maxProperties?: number
}

type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: Schema
}
type RawResponse = {
  headers: Record<string, unknown>
  /** None with 204. */
  content?: Record<string, { schema: Schema }>
}
type RawResponses = Record<string, RawResponse | { $ref: string }>

export type Operation = {
  /** `changeCardStatus`: how the document names it. */
  id: string
  /** `PUT /v1/cards/{id}:statuschange`: how tests and coverage name it. */
  name: string
  prefix: string
  method: Method
  path: string
  permission: string
  success: number
  parameters: Parameter[]
  body: Schema | undefined
  bodyRequired: boolean
  responses: Record<string, RawResponse>
  /** The header that carries an idempotency key, where the operation takes one. */
  idempotencyHeader: string | undefined
}

export type Document = {
  prefix: string
  json: Record<string, unknown>
  /** The shared objects, by name. */
  schemas: Record<string, Schema>
  operations: Operation[]
  /** Replaces a reference by what it refers to. */
  resolve: (schema: Schema) => Schema
}

type RawOperation = {
  operationId: string
  'x-permission': string
  parameters: Parameter[]
  requestBody?: { required: boolean; content: { 'application/json'?: { schema: Schema } } }
  responses: RawResponses
}

export function documentsOf(config: Config): Document[] {
  return contractsOf(config, sandbox).map(documentOf)
}

function documentOf(api: DocumentedApi): Document {
  const prefix = api.document.server
  const json = openapiOf(api)
  // The document is plain JSON that this program has made; its shape is openapiOf's.
  const { paths, components } = json as {
    paths: Record<string, Record<string, RawOperation>>
    components: { schemas: Record<string, Schema>; responses: Record<string, RawResponse> }
  }
  const operations = api.routes.map(({ method, path, status }) => {
    const raw = paths[path]?.[method.toLowerCase()]
    if (!raw) throw new Error(`${method} ${path} is not in the document`)
    return operationOf({ prefix, method, path, success: status }, raw, components.responses)
  })
  const resolve = (schema: Schema): Schema =>
    schema.$ref === undefined
      ? schema
      : (components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? schema)
  return { prefix, json, schemas: components.schemas, operations, resolve }
}

type Named = Pick<Operation, 'prefix' | 'method' | 'path' | 'success'>

function operationOf(
  named: Named,
  raw: RawOperation,
  shared: Record<string, RawResponse>,
): Operation {
  const { method, prefix, path } = named
  return {
    ...named,
    id: raw.operationId,
    name: `${method} ${prefix}${path}`,
    permission: raw['x-permission'],
    parameters: raw.parameters.filter((parameter) => parameter.in !== 'header'),
    body: raw.requestBody?.content['application/json']?.schema,
    bodyRequired: raw.requestBody?.required ?? false,
    responses: responsesOf(raw.responses, shared),
    idempotencyHeader: raw.parameters.find(
      ({ in: where, name }) => where === 'header' && name.endsWith('idempotency-key'),
    )?.name,
  }
}

function responsesOf(
  responses: RawResponses,
  shared: Record<string, RawResponse>,
): Record<string, RawResponse> {
  const entries = Object.entries(responses).map(([status, response]): [string, RawResponse] => {
    if (!('$ref' in response)) return [status, response]
    const found = shared[response.$ref.split('/').at(-1) ?? '']
    if (!found) throw new Error(`${response.$ref} is not in the document`)
    return [status, found]
  })
  return Object.fromEntries(entries)
}

/** Finds the operation that a request reaches, whatever accepted spelling its URL has (D-5). */
export function createFinder(documents: readonly Document[]) {
  const singulars = ['user', 'card']
  const tables = documents.map(({ prefix, operations }) =>
    createPathTable({ prefix, routes: operations, singulars }),
  )
  const known = documents.flatMap(({ operations }) =>
    operations.map((operation) => ({ operation, pattern: patternOf(operation) })),
  )
  return (method: string, url: string): Operation | undefined => {
    const [path = ''] = canonicalUrl(url, tables).split('?')
    return known.find(({ operation, pattern }) => operation.method === method && pattern.test(path))
      ?.operation
  }
}

function patternOf({ prefix, path }: Operation): RegExp {
  const escaped = (prefix + path).replace(/[.*+?^$()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/\{\w+\}/g, '[^:/]+')}/?$`)
}

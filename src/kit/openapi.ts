/**
 * The OpenAPI 3.1 document of a house, made from its routes: what is served is what is documented.
 */

import type { Route } from './route.ts'

type Json = { [member: string]: unknown }

export type Document = { title: string; description: string; version: string; server: string }

export type DocumentedHouse = {
  document: Document
  routes: readonly Route[]
  refusals: Readonly<Record<string, number>>
  /** The schema of error bodies by status; the issuing house has one for all. */
  errorOf: (status: number) => { content_type: string; schema: object }
  securitySchemes: Json
  idempotencyHeader: string
}

/** Schemas with a title become components, so that a client gets one type for each. */
export function openapiOf(house: DocumentedHouse): Json {
  const components: Json = {}
  const paths: Record<string, Json> = {}
  for (const route of house.routes) {
    const operation = { [route.method.toLowerCase()]: operationOf(route, house, components) }
    paths[route.path] = { ...paths[route.path], ...operation }
  }
  const { title, description, version, server } = house.document
  return {
    openapi: '3.1.0',
    info: {
      title,
      description,
      version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: server }],
    security: Object.keys(house.securitySchemes).map((name) => ({ [name]: [] })),
    paths,
    components: { schemas: components, securitySchemes: house.securitySchemes },
  }
}

function operationOf(route: Route, house: DocumentedHouse, components: Json): Json {
  const { method, path, body, answer, status, permission } = route
  return {
    operationId: operationId(method, path),
    summary: route.summary,
    tags: [path.split(/[/:]/)[1] ?? ''],
    'x-permission': permission,
    ...(route.sandbox && { 'x-sandbox': true }),
    ...(permission === 'open' && { security: [] }),
    parameters: parametersOf(route, house, components),
    ...(body && {
      requestBody: {
        required: !route.bodyOptional,
        content: { 'application/json': { schema: hoist(body, components) } },
      },
    }),
    responses: {
      [status]: {
        description: 'Done',
        content: { 'application/json': { schema: hoist(answer, components) } },
      },
      ...errorResponses(route, house, components),
    },
  }
}

function parametersOf(route: Route, house: DocumentedHouse, components: Json): Json[] {
  const list = (where: 'path' | 'query', schema: object | undefined): Json[] => {
    const { properties = {}, required = [] } = (schema ?? {}) as {
      properties?: Record<string, object>
      required?: string[]
    }
    return Object.entries(properties).map(([name, member]) => ({
      name,
      in: where,
      required: where === 'path' || required.includes(name),
      schema: hoist(member, components),
    }))
  }
  const parameters = [...list('path', route.params), ...list('query', route.query)]
  if (route.method === 'POST' && route.permission !== 'open') {
    parameters.push({
      name: house.idempotencyHeader,
      in: 'header',
      required: false,
      description: 'The same content with the same key has one effect (24 hours).',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    })
  }
  return parameters
}

/** Every status that a route can answer with beside its success, by what the route is made of. */
export function errorStatusesOf(
  route: Route,
  refusals: Readonly<Record<string, number>>,
): number[] {
  const statuses = new Set([500, 503])
  if (route.params || route.query || route.body || route.method === 'POST') statuses.add(400)
  if (route.permission !== 'open') for (const status of [401, 403, 429]) statuses.add(status)
  if (route.params) statuses.add(404)
  if (route.body) for (const status of [413, 415]) statuses.add(status)
  if (route.method === 'POST' && route.permission !== 'open') statuses.add(409)
  for (const code of route.refusals ?? []) {
    const status = refusals[code]
    if (status === undefined) throw new Error(`${route.path} names an unknown refusal: ${code}`)
    statuses.add(status)
  }
  return [...statuses].sort()
}

function errorResponses(route: Route, house: DocumentedHouse, components: Json): Json {
  const entries = errorStatusesOf(route, house.refusals).map((status) => {
    const { content_type, schema } = house.errorOf(status)
    const codes = (route.refusals ?? []).filter((code) => house.refusals[code] === status)
    const description = codes.length > 0 ? codes.join(', ') : `Error ${status}`
    return [
      status,
      { description, content: { [content_type]: { schema: hoist(schema, components) } } },
    ]
  })
  return Object.fromEntries(entries)
}

/** `PUT /cards/{id}:statuschange` becomes `put_cards_id_statuschange`. */
function operationId(method: string, path: string): string {
  return `${method.toLowerCase()}${path.replace(/[^A-Za-z0-9]+/g, '_')}`.replace(/_$/, '')
}

/** Replaces titled schemas by references and collects them. */
function hoist(schema: unknown, components: Json): unknown {
  if (Array.isArray(schema)) return schema.map((item) => hoist(item, components))
  if (schema === null || typeof schema !== 'object') return schema
  const members = Object.fromEntries(
    Object.entries(schema)
      .filter(([name]) => !name.startsWith('~'))
      .map(([name, member]) => [name, hoist(member, components)]),
  )
  const { title } = members
  if (typeof title !== 'string' || !('type' in members)) return members
  components[title] = members
  return { $ref: `#/components/schemas/${title}` }
}

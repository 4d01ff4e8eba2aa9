/**
 * HTTP: makes a server of the routes, which validates requests and sends answers and errors.
 */

import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { BoundedLines } from '#kit/bounded_lines.ts'
import type { Log } from '#kit/log.ts'
import { metrics } from '#kit/metrics.ts'
import { isTraced, openSpan, placeOf, within } from '#kit/tracing/tracing.ts'
import { newId } from '#lib/id.ts'
import { ApiError } from '#lib/result.ts'
import { answerOf } from './answers/answering.ts'
import {
  commonHeaders,
  type FaultSender,
  faultSender,
  unreadableAnswerer,
} from './answers/error_answers.ts'
import { createChecks, type StreamChecks } from './answers/streams.ts'
import type { ApiModule } from './api_module.ts'
import { BODY_LIMIT_BYTES, readJson } from './bodies/body.ts'
import { PACE, type Pace, watchBodies } from './bodies/body_pace.ts'
import { rejectFaults } from './bodies/request_faults.ts'
import { acceptPartsOnly, partsOf } from './bodies/uploads.ts'
import { admit, takesCredentials, watchGuesses } from './callers/admission.ts'
import type { Caller } from './callers/callers.ts'
import { Guesses } from './callers/guesses.ts'
import { canonicalJson } from './canonical.ts'
import { serializerOnUse, validatorOnUse } from './compiled_on_use.ts'
import { HTTP1_TIMES, REQUEST_MS } from './connection_times.ts'
import { checkHosts } from './hosts.ts'
import { idempotencyKeyOf } from './idempotency_header.ts'
import { objectsOf } from './objects.ts'
import { canonicalUrl, createPathTable, type PathTable, routerPath } from './paths.ts'
import { auditedContext } from './recording.ts'
import { isRecorded, type Route } from './route.ts'
import type { SecureServer } from './secure_server.ts'
import { closeAfter, dropRestOfBodies, leaveOutConnection, requireTls } from './versions.ts'
import { visitOf } from './visits.ts'

export type App = FastifyInstance

/** A body or query that may be absent and must have no members (D-8). */
const NO_MEMBERS = { type: 'object', additionalProperties: false, properties: {} }

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
    /** The address that it comes from, also when its connection has ended; '' if there is none. */
    source: string
  }
  interface FastifyContextConfig {
    exactNumerals?: readonly string[]
    readsShortest?: true
  }
}

export type AppOptions = {
  pace?: Pace
  /** Addresses and CIDR blocks of proxies whose X-Forwarded-For names the source (D-362). */
  trusted_proxies?: readonly string[]
  /** The names of this server beside localhost (D-1004); any name if they are left out. */
  hosts?: readonly string[]
  /** HTTPS; plain HTTP if it is left out (D-145). */
  secure?: SecureServer | undefined
}

/** The first API answers requests outside every prefix. */
export function createApp(
  apis: readonly [ApiModule, ...(readonly ApiModule[])],
  log: Log,
  { pace = PACE, trusted_proxies = [], secure, hosts }: AppOptions = {},
): App {
  const lines = new BoundedLines(log)
  const sendFault: FaultSender = (error, request, reply) => {
    const api = apis.find(({ prefix }) => request.url.startsWith(`${prefix}/`)) ?? apis[0]
    return faultSender(api, lines)(error, request, reply)
  }
  const tables = new Map(apis.map((api) => [api, createPathTable(api)]))
  const app: App = Fastify({
    logger: false,
    genReqId: () => newId(),
    bodyLimit: BODY_LIMIT_BYTES,
    exposeHeadRoutes: false,
    requestTimeout: REQUEST_MS,
    http: HTTP1_TIMES,
    ...(secure && { serverFactory: secure.serverFor }),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    return503OnClosing: false,
    trustProxy: trusted_proxies.length > 0 && [...trusted_proxies],
    frameworkErrors: sendFault,
    clientErrorHandler: unreadableAnswerer(apis[0]),
    rewriteUrl: ({ url }) => canonicalUrl(url ?? '/', [...tables.values()]),
  })
  app.setValidatorCompiler(({ schema, httpPart }) => validatorOnUse(schema as object, httpPart))
  app.setSerializerCompiler(serializerOnUse)
  app.decorateRequest('caller', null)
  app.decorateRequest('source', '')
  app.decorateRequest('bodyFaults')
  acceptJsonOnly(app)
  app.setErrorHandler(sendFault)
  app.setNotFoundHandler((request, reply) => sendFault(noOperation(), request, reply))
  observe(app, log)
  checkHosts(app, { names: hosts, sendFault })
  if (secure) {
    leaveOutConnection(app)
    dropRestOfBodies(app)
  }
  watchBodies(app, pace, (request, reply) => {
    closeAfter(reply)
    sendFault(new ApiError('request_timeout'), request, reply)
  })
  const guesses = new Guesses()
  const checks = createChecks()
  for (const api of apis)
    mountApi(app, { api, paths: tables.get(api), guesses, checks, log, lines })
  return app
}

/** A path that no operation has, which no id of an object could make right. */
const noOperation = () =>
  new ApiError('not_found', { detail: 'No operation has this path: /docs lists them all.' })

function acceptJsonOnly(app: App): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: Buffer) => {
      const { headers, routeOptions } = request
      const { 'content-type': type = '', 'content-encoding': coding = 'identity' } = headers
      const charset = /;\s*charset=\s*"?([^\s;"]*)/i.exec(type)?.[1] ?? 'utf-8'
      if (!/^utf-?8$/i.test(charset) || coding !== 'identity') {
        throw new ApiError('content_type_unsupported')
      }
      const { exactNumerals: exact, readsShortest: shortest } = routeOptions.config
      const { value, faults } = readJson(bytes, { exact, shortest })
      request.bodyFaults = faults
      return value
    },
  )
}

/** Every answer has its request id; every request is counted, and logged at debug level. */
function observe(app: App, log: Log): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders(request.id))
    requireTls(request, reply)
    request.source = request.ip ?? ''
    traceRequest(request, reply, done)
  })
  app.addHook('onResponse', ({ id, method, routeOptions }, reply, done) => {
    const route = routeOptions.url ?? 'unknown'
    const status = reply.statusCode
    metrics.requests.observe({ method, route, status }, reply.elapsedTime / 1000)
    const ms = Math.round(reply.elapsedTime)
    log.debug({ request_id: id, method, route, status, ms }, 'request')
    done()
  })
}

/** The request is a span until it is answered, a part of the trace that its caller names. */
function traceRequest(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  if (!isTraced()) {
    done()
    return
  }
  const { method, routeOptions, headers, id } = request
  // A parameter of a path has an expression behind its name.
  const route = (routeOptions.url ?? 'unknown').replaceAll('([^:/]+)', '')
  const attributes = { 'http.request.method': method, 'http.route': route, request_id: id }
  const span = openSpan(`${method} ${route}`, {
    kind: 'server',
    attributes,
    parent: placeOf(headers),
  })
  if (!span) {
    done()
    return
  }
  reply.raw.once('close', () => {
    const { statusCode: status } = reply
    span.set({ 'http.response.status_code': status })
    span.end(status >= 500 ? new Error(`status ${status}`) : undefined)
  })
  within(span.place, done)
}

type Mounted = {
  api: ApiModule
  paths: PathTable | undefined
  guesses: Guesses
  checks: StreamChecks
  log: Log
  lines: BoundedLines
}

function mountApi(app: App, mounted: Mounted): void {
  const { api, paths, lines } = mounted
  const sendFault = faultSender(api, lines)
  void app.register(
    async (scope) => {
      scope.setErrorHandler(sendFault)
      scope.setNotFoundHandler((request, reply) => {
        const allowed = paths?.methodsOf(request.url) ?? []
        // The route of the request's own method does not match this path.
        const isOther = !allowed.some((method) => method === request.method)
        if (allowed.length === 0) return sendFault(noOperation(), request, reply)
        if (!isOther) return sendFault(new ApiError('not_found'), request, reply)
        reply.header('allow', allowed.join(', '))
        return sendFault(new ApiError('method_not_allowed'), request, reply)
      })
      const { layOut } = api
      if (layOut) {
        scope.addHook('onSend', async (request, _reply, body) =>
          typeof body === 'string' ? layOut(request, body) : body,
        )
      }
      for (const route of api.routes) if (!route.receive) mountRoute(scope, mounted, route)
      void scope.register(async (uploads) => {
        await acceptPartsOnly(uploads)
        for (const route of api.routes) if (route.receive) mountRoute(uploads, mounted, route)
      })
    },
    { prefix: api.prefix },
  )
}

function mountRoute(scope: App, mounted: Mounted, route: Route): void {
  const { api, guesses } = mounted
  const objects = objectsOf(route, api.routes)
  const { params, query = NO_MEMBERS, answer, status, other } = route
  const isBodyless = !route.body && !route.receive && route.method !== 'GET'
  const body = isBodyless && !api.ignoresBodies ? NO_MEMBERS : route.body
  const schema = {
    ...(params && { params }),
    querystring: query,
    ...(body && !route.receive && { body }),
    ...(!route.media && {
      response: { [status]: answer, ...(other && { [other.status]: other.answer }) },
    }),
  }
  scope.route({
    method: route.method,
    url: routerPath(route.path),
    schema,
    attachValidation: true,
    config: {
      ...(route.exactNumerals && { exactNumerals: route.exactNumerals }),
      ...(api.readsShortest && { readsShortest: true }),
    },
    onRequest: async (request, reply) => {
      request.bodyFaults = []
      await admit(route, { api, guesses, request, reply })
    },
    preValidation: async (request: FastifyRequest) => {
      if (route.bodyOptional || isBodyless) request.body ??= {}
      if (route.body && !route.receive) api.mendBody?.(route.body, request.body)
    },
    handler: async (request, reply) => {
      const ctx = request.caller?.ctx ?? api.openContext()
      await rejectFaults(route, ctx, request)
      const { params, query, caller } = request
      caller?.assertBody(route.id, request.body)
      const keyFor = idempotencyKeyOf(api, route, request)
      const received = await route.receive?.(ctx, params, partsOf(request))
      try {
        const body = received ? received.body : request.body
        const isDigested = keyFor !== undefined || isRecorded(route)
        const content = received?.fingerprint ?? (isDigested ? canonicalJson(body) : '')
        const audited = auditedContext(ctx, route, { request, body, content })
        const visit = route.visits && { visit: visitOf(request, reply, api.sessions) }
        const input = { params, query, body, ...visit }
        const exchange = { ctx: audited, request, reply, input, key: keyFor?.(content) }
        const answer = () => answerOf({ ...mounted, objects }, route, exchange)
        if (!takesCredentials(route)) return await answer()
        const credential = JSON.stringify(body)
        return await watchGuesses({ guesses, request, reply }, credential, answer)
      } finally {
        await received?.settle()
      }
    },
  })
}

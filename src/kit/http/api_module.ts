import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { Context } from '#kit/context.ts'
import type { ErrorCatalogue } from '#kit/errors.ts'
import type { Fault } from './answers/problems.ts'
import type { Caller } from './callers/callers.ts'
import type { Route } from './route.ts'

/** The sessions of members as the HTTP server uses them: their cookie, and their origin. */
export type SessionCookies = {
  /** The value of the cookie, if the request is one of a session. */
  presented: (headers: IncomingHttpHeaders) => string | undefined
  /** The header Set-Cookie with the token; without one it removes the cookie. */
  cookie: (token: string | undefined) => string
  /** Throws an ApiError for a request that another site may have caused (D-136). */
  assertOrigin: (request: FastifyRequest, route: Pick<Route, 'receive'>) => void
}

/** One of the APIs for the HTTP server. */
export type ApiModule = {
  name: string
  prefix: string
  routes: readonly Route[]
  /** Every error that the API answers, the common ones too. */
  errors: ErrorCatalogue
  /** The caller of a request if this process knows it without a statement. */
  knownCaller?: (request: FastifyRequest) => Caller | undefined
  /** Finds the caller; throws ApiError `unauthenticated`. */
  authenticate: (request: FastifyRequest, route: Pick<Route, 'permission'>) => Promise<Caller>
  /** Its callers present signed tokens: invalid ones are rejected without the database. */
  signsTokens?: true
  /** Completes the caller of a request that is permitted. */
  completeCaller?: (caller: Caller, request: FastifyRequest) => Promise<Caller>
  /** The sessions of members, who may call in place of a key (D-133). */
  sessions?: SessionCookies
  /** The context of routes that require no key. */
  openContext: () => Context
  /** Idempotency keys are of one caller, not of the whole tenant. */
  keysOfCallers?: true
  /** The one that is documented, and its alias (D-1006). */
  idempotencyHeaders: readonly [string, string]
  /** Renders a fault as the error body of this API. */
  formatError: (fault: Fault, request_id: string) => { content_type: string; body: string }
  /** Its bodies come from shops: numbers have the value of their shortest text (D-1009). */
  readsShortest?: true
  /** A body where the route has none is accepted, and not read. */
  ignoresBodies?: true
  /** Resources whose path is accepted in the singular too: `user` (D-5). */
  singulars?: readonly string[]
  /** Changes a body before it is validated by the schema. */
  mendBody?: (schema: TSchema, body: unknown) => void
  /** Its answers contain members without a value as null, instead of leaving them out (D-3). */
  keepsNulls?: true
  /** Formats an answer as the request asks; stored answers for replays are not formatted. */
  layOut?: (request: FastifyRequest, body: string) => string
}

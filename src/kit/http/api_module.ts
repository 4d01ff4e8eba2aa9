import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { Context } from '#kit/context.ts'
import type { ErrorCatalogue } from '#kit/errors.ts'
import type { Fault } from './answers/problems.ts'
import type { Caller } from './callers/callers.ts'
import type { Sessions } from './callers/sessions.ts'
import type { Route } from './route.ts'

/** One of the APIs for the HTTP server. */
export type ApiModule = {
  name: 'issuing' | 'merchant' | 'portal'
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
  sessions?: Sessions
  /** The context of routes that require no key. */
  openContext: () => Context
  /** The one that is documented, and its alias (D-1006). */
  idempotencyHeaders: readonly [string, string]
  /** Renders a fault as the error body of this API. */
  formatError: (fault: Fault, request_id: string) => { content_type: string; body: string }
  /** Its bodies come from shops: numbers have the value of their shortest text (D-1009). */
  readsShortest?: true
  /** Changes a body before it is validated by the schema. */
  mendBody?: (schema: TSchema, body: unknown) => void
  /** Its answers contain members without a value as null, instead of leaving them out (D-3). */
  keepsNulls?: true
  /** Formats an answer as the request asks; stored answers for replays are not formatted. */
  layOut?: (request: FastifyRequest, body: string) => string
}

/**
 * A route as data: the router, the OpenAPI document, docs/routes.md and the tests read the same.
 */

import type { Static, TSchema } from 'typebox'
import type { Context, Tx } from '#kit/context.ts'
import type { ErrorCode } from '#lib/result.ts'
import type { CsvExport } from './answers/csv_export.ts'
import type { StreamedEvents } from './answers/event_stream.ts'
import type { Parts, Received } from './bodies/uploads.ts'
import type { Finished, IdempotencyKey, Keep } from './idempotency.ts'
import type { Method, Permission } from './permissions.ts'
import type { Visit } from './visit.ts'

export type { Keep } from './idempotency.ts'

/** A `Keep` of a request that may have no key. */
export type MaybeKeep = Omit<Keep, 'key'> & { key: IdempotencyKey | undefined }

export type Input<Params, Query, Body> = {
  params: Params
  query: Query
  body: Body
  /** Set when the client sent an idempotency key and the route keeps its answer by itself. */
  keep?: Keep
  /** Set for a route with `visits`. */
  visit?: Visit
}

/** An object that requests change. */
export type Versioned = {
  /** The schema of its GET; a member that it does not name is no part of the version. */
  schema: TSchema
  /** Locks the object until the transaction ends, and answers it as its GET does. */
  read: (tx: Tx, input: Input<unknown, unknown, unknown>) => Promise<unknown>
}

export type Route = {
  method: Method
  /** The path in the form of OpenAPI: `/cards/{id}:statuschange`. */
  path: string
  permission: Permission
  /** Names the operation in a generated client: `createCard`, `listCards`. Unique in its API. */
  id: string
  /** The group of the operation in the documentation: one of the tags of its API. */
  tag: string
  /** At most eight words: a verb and its object. */
  summary: string
  /** The effect of the operation, its failures and its events, in a few sentences. */
  description: string
  params?: TSchema
  query?: TSchema
  body?: TSchema
  /**
   * The rules of a body if `run` opens its transactions itself: fails as `run` would with
   * `validation_failed`, and changes nothing. So one 400 names their faults and those of the shape
   * (D-125). Every other route's `run` is rehearsed.
   */
  rules?: (ctx: Context, input: Input<unknown, unknown, unknown>) => Promise<unknown>
  /** Members whose numerals keep every digit, as text if a number cannot (D-126). */
  exactNumerals?: readonly string[]
  /** The body may be left out; the handler then gets an empty object. */
  bodyOptional?: true
  answer: TSchema
  /** With 204 the answer has no body. */
  status: number
  /** Another success, which `run` answers by an OtherAnswer. */
  other?: { status: number; answer: TSchema }
  /** `run` gets where the request comes from, and may set the cookie of a session. */
  visits?: true
  /** Its answers have card data: each one leaves an audit record (D-500). */
  answersCardData?: true
  /** Exists in sandbox only; 404 in live (D-14). */
  sandbox?: true
  /**
   * The route keeps its idempotent answer by itself, because its effect has its own transaction.
   */
  keepsOwnAnswer?: true
  /**
   * The route opens its transactions itself, because an effect must follow the commit before it
   * answers. Its answer is then known without asking the database again. Every other route that
   * writes runs in one transaction, answer and all.
   */
  commitsItself?: true
  /**
   * Members of the body or of the answer that name what it changes, beside the ids of its path and
   * the `id` of its answer: its audit record is found by them.
   */
  changes?: readonly string[]
  /**
   * A second request under the same key waits for the effect of the first, by the route's own
   * means, instead of a 409 while that is under way (D-131). With `keepsOwnAnswer`.
   */
  joins?: true
  /**
   * Serves the request in a list with others (request_lists.ts), and stores its answer under its
   * key. Undefined if it has to be run by itself, which finds its error: then nothing was written.
   * An error is that of a request whose outcome is unknown.
   */
  listed?: (
    ctx: Context,
    input: Input<unknown, unknown, unknown>,
    keep: MaybeKeep,
  ) => Promise<Finished | undefined>
  /**
   * Requests without an idempotency key share transactions (D-393); those with the same name follow
   * each other. For a route that runs in one transaction.
   */
  shares?: (ctx: Context, input: Input<unknown, unknown, unknown>) => string
  /** The answer holds a secret that is shown once (D-101): the stored answer is sealed. */
  answersSecret?: true
  /**
   * The body is multipart/form-data (kit/http/bodies/uploads.ts): taken in by this, then given to
   * `run`. The schema `body` only describes the form. Its idempotency key counts for the content of
   * its files.
   */
  receive?: (ctx: Context, params: unknown, parts: Parts) => Promise<Received<unknown>>
  /** The answer is bytes of one of these types, or a range of them: `run` gives a Download. */
  media?: readonly string[]
  /** The export for a client that would rather have `text/csv`: all rows, not a page (D-35). */
  csv?: (ctx: Context, input: Input<unknown, unknown, unknown>) => CsvExport
  /**
   * The stream for a client that would rather have `text/event-stream`: the existing events, and
   * those that come until the signal. The header Last-Event-ID takes the place of `after` in the
   * query.
   */
  stream?: (
    ctx: Context,
    input: Input<unknown, unknown, unknown>,
    signal: AbortSignal,
  ) => Promise<StreamedEvents>
  /**
   * Its answer may wait for the next object: the caller is looked up again before a late one, so
   * that a key that was revoked meanwhile gets none (D-779).
   */
  waits?: true
  /**
   * Only for a GET of one object: locks it until the transaction ends, for the requests that change
   * it and demand its version (D-1092). They are those of its path, with a verb or without.
   */
  lock?: (tx: Tx, params: unknown) => Promise<unknown>
  /** The object of a change whose path has no GET. */
  object?: Versioned
  /** The errors of this route beside those that every route may return. */
  errors?: readonly ErrorCode[]
  run: (ctx: Context, input: Input<unknown, unknown, unknown>) => Promise<unknown>
}

/**
 * Whether each request of the route that has an effect leaves an audit record: changes, and
 * readings of card data (D-500). One that takes credentials or searches changes nothing.
 */
export function isRecorded({ method, permission, answersCardData }: Route): boolean {
  const writes = method !== 'GET' && permission !== 'read' && permission !== 'open'
  return writes || answersCardData === true
}

/** Whether requests of the route may change something. */
export const isChange = ({ method, permission }: Route): boolean =>
  method !== 'GET' && permission !== 'read'

/**
 * Whether a request of the route is one transaction. Its answer is read in it, so that nothing is
 * committed whose answer then says that it failed. Its audit record is written in it.
 */
export function isOneTransaction(route: Route): boolean {
  return isRecorded(route) && !route.keepsOwnAnswer && !route.commitsItself
}

type StaticOf<Schema> = Schema extends TSchema ? Static<Schema> : undefined

type Spec<Params, Query, Body, Answer extends TSchema> = Omit<
  Route,
  | 'params'
  | 'query'
  | 'body'
  | 'answer'
  | 'status'
  | 'receive'
  | 'csv'
  | 'stream'
  | 'listed'
  | 'shares'
  | 'rules'
  | 'lock'
  | 'object'
  | 'run'
> & {
  params?: Params
  query?: Query
  body?: Body
  answer: Answer
  status?: number
  receive?: (
    ctx: Context,
    params: StaticOf<Params>,
    parts: Parts,
  ) => Promise<Received<StaticOf<Body>>>
  csv?: (ctx: Context, input: Input<StaticOf<Params>, StaticOf<Query>, StaticOf<Body>>) => CsvExport
  stream?: (
    ctx: Context,
    input: Input<StaticOf<Params>, StaticOf<Query>, StaticOf<Body>>,
    signal: AbortSignal,
  ) => Promise<StreamedEvents>
  listed?: (
    ctx: Context,
    input: Input<StaticOf<Params>, StaticOf<Query>, StaticOf<Body>>,
    keep: MaybeKeep,
  ) => Promise<Finished | undefined>
  shares?: (ctx: Context, input: Input<StaticOf<Params>, StaticOf<Query>, StaticOf<Body>>) => string
  rules?: (
    ctx: Context,
    input: Input<StaticOf<Params>, StaticOf<Query>, StaticOf<Body>>,
  ) => Promise<unknown>
  lock?: (tx: Tx, params: StaticOf<Params>) => Promise<unknown>
  object?: Pick<Versioned, 'schema'> & {
    read: (
      tx: Tx,
      input: Input<StaticOf<Params>, StaticOf<Query>, StaticOf<Body>>,
    ) => Promise<unknown>
  }
  run: (
    ctx: Context,
    input: Input<StaticOf<Params>, StaticOf<Query>, StaticOf<Body>>,
  ) => Promise<Answerable<Static<Answer>> | OtherAnswer>
}

/** An answer in the shape and with the status of `other`. */
export class OtherAnswer {
  readonly body: object
  constructor(body: object) {
    this.body = body
  }
}

/** Rows may carry null for members that were never set; nulls are left out of the answer (D-3). */
type Answerable<Value> = Value extends Date
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly Answerable<Item>[]
    : Value extends object
      ? { [Member in keyof Value]: Answerable<Value[Member]> | NullWhenOptional<Value, Member> }
      : Value
type NullWhenOptional<Value, Member extends keyof Value> = undefined extends Value[Member]
  ? null
  : object extends Pick<Value, Member>
    ? null
    : never

/** Declares a route; the handler's input is typed by the schemas. */
export function route<
  Answer extends TSchema,
  Params extends TSchema | undefined = undefined,
  Query extends TSchema | undefined = undefined,
  Body extends TSchema | undefined = undefined,
>(spec: Spec<Params, Query, Body, Answer>): Route {
  // The validators run before the handler, so its input has the types that the schemas promise.
  return { status: 200, ...spec } as unknown as Route
}

/**
 * The audit record of a request (D-500): written in the transaction of its effect, with the COMMIT.
 * An error rolls back and leaves no record; a wrong guess that is counted leaves one.
 */

import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { recordChange } from '#kit/audit_log/records.ts'
import { type AuditActor, AuditedRequest } from '#kit/audit_log/request.ts'
import { type Context, isTx, type Tx } from '#kit/context.ts'
import { CommittedError } from '#lib/result.ts'
import { fingerprintOf } from './idempotency.ts'
import { targetOf } from './idempotency_header.ts'
import { isRecorded, type Route } from './route.ts'

/** `content` stands for the body in the digest. */
type Received = { request: FastifyRequest; body: unknown; content: string }

/** The context of a request whose effects are recorded; that of another is as it was. */
export function auditedContext(ctx: Context, route: Route, received: Received): Context {
  if (!isRecorded(route)) return ctx
  const { request, body, content } = received
  const { id, changes = [], status } = route
  const named = [...Object.values(Object(request.params)), ...membersOf(body, changes)]
  const members = namesIn(route.body, body)
  return recordedAs(ctx, request, { operation: id, members, named, status, content })
}

type Described = {
  operation: string
  members?: readonly string[]
  named?: readonly unknown[]
  status: number
  content: string
  actor?: AuditActor
}

/** The same for a request of a page, which no route describes. */
export function recordedAs(ctx: Context, request: FastifyRequest, described: Described): Context {
  const { content, members = [], named = [], actor = actorOf(ctx), ...rest } = described
  const audited = new AuditedRequest({
    ...rest,
    members,
    named,
    actor,
    request_id: request.id,
    // Behind a trusted proxy it is the address of a header.
    address: isIP(request.source) > 0 ? request.source : 'unknown',
    tenant_id: ctx.tenant_id,
    now: ctx.now,
    digest: fingerprintOf(ctx, targetOf(request), content),
  })
  return { ...ctx, audited }
}

/** A request with a session is recorded under its member (D-143). */
const actorOf = ({ member, actor }: Context): AuditActor =>
  member ? { kind: 'member', id: member.id } : actor

/** Notes what the answer names as made or changed. */
export function noteAnswer({ audited }: Context, { changes = [] }: Route, result: unknown): void {
  audited?.answered(...membersOf(result, ['id', ...changes]))
}

/** Records what `work` does, if it runs in the transaction of `ctx`. */
export async function recorded<Result>(
  ctx: Context | Tx,
  statusOf: (error: CommittedError) => number,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!isTx(ctx)) return work()
  try {
    const result = await work()
    recordChange(ctx)
    return result
  } catch (error) {
    if (error instanceof CommittedError) recordChange(ctx, [], statusOf(error))
    throw error
  }
}

/** The members of a body that its schema names: others may be any text. */
function namesIn(schema: Route['body'], body: unknown): string[] {
  if (body === null || typeof body !== 'object') return []
  const known = propertiesOf(schema)
  return Object.keys(body).filter((name) => known.has(name))
}

const known = new WeakMap<object, ReadonlySet<string>>()

function propertiesOf(schema: Route['body']): ReadonlySet<string> {
  if (!schema) return new Set()
  const names = known.get(schema) ?? new Set(listProperties(schema))
  known.set(schema, names)
  return names
}

/** The properties of an object, or of the alternatives of one. */
function listProperties(schema: object): string[] {
  const {
    properties = {},
    anyOf = [],
    allOf = [],
  } = schema as {
    properties?: object
    anyOf?: object[]
    allOf?: object[]
  }
  return [...Object.keys(properties), ...[...anyOf, ...allOf].flatMap(listProperties)]
}

function membersOf(value: unknown, names: readonly string[]): unknown[] {
  const members = Object(value)
  return names.map((name) => members[name])
}

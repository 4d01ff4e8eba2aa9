/** Runs a route and sends its answer, or the stored one of its idempotency key. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Context, transact } from '#kit/context.ts'
import { shareTransaction } from '#kit/db/shared_transactions.ts'
import { type ApiError, TransientError } from '#lib/result.ts'
import type { ApiModule } from '../api_module.ts'
import { type Finished, type IdempotencyKey, joined, once, onceElsewhere } from '../idempotency.ts'
import { assertVersion, badDemand, demandOf, type Objects, tagOf } from '../objects.ts'
import { noteAnswer, recorded } from '../recording.ts'
import { type Input, isChange, isOneTransaction, OtherAnswer, type Route } from '../route.ts'
import { sendCsv, wantsCsv } from './csv_export.ts'
import { type Download, sendDownload } from './downloads.ts'
import { wantsEventStream } from './event_stream.ts'
import { faultOf } from './problems.ts'
import { leaveOutNulls, serializeThrough } from './serialize.ts'
import { checkAgain, type StreamChecks, streamTo } from './streams.ts'

/** Answers that are not stored under an idempotency key: the request was not processed (D-10). */
const NOT_KEPT = new Set([400, 401, 403, 412, 429])
const NO_CONTENT = 204
/** A caller that is revoked is accepted for as long in every process (D-138). */
const ACCEPTED_MS = 1_000

type Answering = { api: ApiModule; checks: StreamChecks; objects: Objects }

export type Exchange = {
  ctx: Context
  request: FastifyRequest
  reply: FastifyReply
  input: Input<unknown, unknown, unknown>
  key: IdempotencyKey | undefined
}

export async function answerOf(
  { api, checks, objects }: Answering,
  route: Route,
  exchange: Exchange,
): Promise<FastifyReply> {
  const { ctx, request, reply, input, key } = exchange
  // The answer of a route with `media` is a Download.
  if (route.media) return sendDownload(request, reply, (await route.run(ctx, input)) as Download)
  if (route.csv && wantsCsv(request, reply)) return sendCsv(reply, route.csv(ctx, input))
  if (route.stream && wantsEventStream(request, reply)) {
    return streamTo(reply, { route, api, ctx, input, checks })
  }
  const shown = (result: unknown) => (api.keepsNulls ? result : leaveOutNulls(result))
  const assertDemanded = assertionOf(route, exchange, objects, shown)
  const finish = (given: unknown): Finished => {
    const isOther = given instanceof OtherAnswer
    const result = isOther ? given.body : given
    const status = (isOther ? route.other?.status : undefined) ?? route.status
    noteAnswer(ctx, route, result)
    if (status === NO_CONTENT) return { status, content_type: '', body: '' }
    return {
      status,
      content_type: 'application/json; charset=utf-8',
      body: serializeThrough(reply, status, shown(result)),
    }
  }
  const answer = (finished: Finished) => send(reply, finished, route, objects)
  const listed = !assertDemanded && (await route.listed?.(ctx, input, { key, finish }))
  if (listed) return answer(listed)
  const statusOf = (error: ApiError) => faultOf(error, api.errors).status
  const run = (within: Context) =>
    recorded(within, statusOf, async () => {
      await assertDemanded?.(within)
      const result = await route.run(within, input)
      const isLate = route.waits && reply.elapsedTime > ACCEPTED_MS
      if (isLate) await checkAgain(request, { route, api, checks })
      return finish(result)
    })
  // The answer is read before the commit, so that an answer that fails commits nothing.
  if (!key && route.shares) {
    return answer(await shareTransaction(ctx, route.shares(ctx, input), run))
  }
  if (!key) return answer(await (isOneTransaction(route) ? transact(ctx, run) : run(ctx)))
  const toAnswer = (error: ApiError) => keptError(api, error, request.id)
  const answered = route.keepsOwnAnswer
    ? (route.joins ? joined : onceElsewhere)(
        ctx,
        key,
        async () => {
          await assertDemanded?.(ctx)
          return route.run(ctx, { ...input, keep: { key, finish } })
        },
        toAnswer,
      )
    : once(ctx, key, run, toAnswer)
  const { replayed, ...finished } = await answered
  if (replayed) reply.header('idempotent-replayed', 'true')
  return answer(finished)
}

/** The answer of an error that is stored under the key of its request. */
function keptError(
  api: Answering['api'],
  error: ApiError,
  request_id: string,
): Finished | undefined {
  if (error instanceof TransientError) return undefined
  const fault = faultOf(error, api.errors)
  if (NOT_KEPT.has(fault.status) || fault.status >= 500) return undefined
  return { status: fault.status, ...api.formatError(fault, request_id) }
}

/**
 * The check that comes first in a request which demands a version: in its transaction, or in one
 * before it if the route opens its own. Fails with 400 if the operation is on no object.
 */
function assertionOf(
  route: Route,
  { request, input }: Exchange,
  { changed }: Objects,
  shown: (object: unknown) => unknown,
): ((within: Context) => Promise<void>) | undefined {
  const demand = isChange(route) ? demandOf(request) : undefined
  if (!demand) return undefined
  if (!changed) throw badDemand('is not taken by this operation')
  return (within) => transact(within, (tx) => assertVersion(tx, input, changed, { demand, shown }))
}

function send(reply: FastifyReply, finished: Finished, route: Route, { answered }: Objects) {
  const { status, content_type, body } = finished
  if (status === NO_CONTENT) return reply.code(status).send()
  const tag = answered && status === route.status ? tagOf(route, answered, body) : undefined
  if (tag !== undefined) reply.header('etag', tag)
  return reply.code(status).type(content_type).send(body)
}

/** Runs a route and sends its answer, or the stored one of its idempotency key. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Context, transact } from '#kit/context.ts'
import { transactTogether } from '#kit/db/shared_transactions.ts'
import { type ApiError, TransientError } from '#lib/result.ts'
import type { ApiModule } from '../api_module.ts'
import { type Finished, type IdempotencyKey, joined, once, onceElsewhere } from '../idempotency.ts'
import { noteAnswer, recorded } from '../recording.ts'
import { type Input, isOneTransaction, OtherAnswer, type Route } from '../route.ts'
import { sendCsv, wantsCsv } from './csv_export.ts'
import { type Download, sendDownload } from './downloads.ts'
import { wantsEventStream } from './event_stream.ts'
import { faultOf } from './problems.ts'
import { leaveOutNulls, serializeThrough } from './serialize.ts'
import { checkAgain, type StreamChecks, streamTo } from './streams.ts'

/** Answers that are not stored under an idempotency key: the request was not processed (D-10). */
const NOT_KEPT = new Set([400, 401, 403, 429])
const NO_CONTENT = 204
/** A caller that is revoked is accepted for as long in every process (D-138). */
const ACCEPTED_MS = 1_000

type Answering = { api: ApiModule; checks: StreamChecks }

export type Exchange = {
  ctx: Context
  request: FastifyRequest
  reply: FastifyReply
  input: Input<unknown, unknown, unknown>
  key: IdempotencyKey | undefined
}

export async function answerOf(
  { api, checks }: Answering,
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
  const finish = (given: unknown): Finished => {
    const isOther = given instanceof OtherAnswer
    const result = isOther ? given.body : given
    const status = (isOther ? route.other?.status : undefined) ?? route.status
    noteAnswer(ctx, route, result)
    if (status === NO_CONTENT) return { status, content_type: '', body: '' }
    return {
      status,
      content_type: 'application/json; charset=utf-8',
      body: serializeThrough(reply, status, api.keepsNulls ? result : leaveOutNulls(result)),
    }
  }
  const together = await route.together?.(ctx, input, { key, finish })
  if (together) return send(reply, together)
  const statusOf = (error: ApiError) => faultOf(error, api.errors).status
  const run = (within: Context) =>
    recorded(within, statusOf, async () => {
      const result = await route.run(within, input)
      const isLate = route.waits && reply.elapsedTime > ACCEPTED_MS
      if (isLate) await checkAgain(request, { route, api, checks })
      return finish(result)
    })
  // The answer is read before the commit, so that an answer that fails commits nothing.
  if (!key && route.shares) {
    return send(reply, await transactTogether(ctx, route.shares(ctx, input), run))
  }
  if (!key) return send(reply, await (isOneTransaction(route) ? transact(ctx, run) : run(ctx)))
  const toAnswer = (error: ApiError): Finished | undefined => {
    if (error instanceof TransientError) return undefined
    const fault = faultOf(error, api.errors)
    if (NOT_KEPT.has(fault.status) || fault.status >= 500) return undefined
    return { status: fault.status, ...api.formatError(fault, request.id) }
  }
  const answered = route.keepsOwnAnswer
    ? (route.joins ? joined : onceElsewhere)(
        ctx,
        key,
        () => route.run(ctx, { ...input, keep: { key, finish } }),
        toAnswer,
      )
    : once(ctx, key, run, toAnswer)
  const { replayed, ...finished } = await answered
  if (replayed) reply.header('idempotent-replayed', 'true')
  return send(reply, finished)
}

function send(reply: FastifyReply, { status, content_type, body }: Finished) {
  if (status === NO_CONTENT) return reply.code(status).send()
  return reply.code(status).type(content_type).send(body)
}

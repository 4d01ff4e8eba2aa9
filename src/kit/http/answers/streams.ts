/** Routes whose answer may be a stream of events or wait, and their callers while it lasts. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '#kit/context.ts'
import type { ApiModule } from '../api_module.ts'
import type { Input, Route } from '../route.ts'
import { CHECK_MS, sendEventStream } from './event_stream.ts'

/** Runs the check of a credential at most once in CHECK_MS, for all of its streams. */
export type StreamChecks = (credential: string, check: () => Promise<void>) => Promise<void>

export function createChecks(): StreamChecks {
  const under = new Map<string, Promise<void>>()
  return (credential, check) => {
    const known = under.get(credential)
    if (known) return known
    const checked = check()
    under.set(credential, checked)
    setTimeout(() => under.delete(credential), CHECK_MS / 2).unref()
    return checked
  }
}

type Checked = {
  route: Route
  api: Pick<ApiModule, 'authenticate'>
  checks: StreamChecks
}
type Streaming = Checked & {
  ctx: Context
  input: Input<unknown, unknown, unknown>
}

/** Throws an ApiError once the caller of the request may not call the route any more. */
export function checkAgain(request: FastifyRequest, { route, api, checks }: Checked) {
  const { apikey, authorization, cookie } = request.headers
  const credential = JSON.stringify([route.id, apikey, authorization, cookie])
  return checks(credential, async () => {
    const caller = await api.authenticate(request, route)
    caller.assertPermitted(route)
  })
}

/** Answers with the stream of a route that has one. */
export function streamTo(reply: FastifyReply, parts: Streaming): Promise<FastifyReply> {
  const { route, ctx, input } = parts
  const { request } = reply
  const { 'last-event-id': last } = request.headers
  const isAgain = typeof last === 'string' && last !== ''
  const query = isAgain ? { ...Object(input.query), after: last } : input.query
  return sendEventStream(reply, {
    async open(signal) {
      if (!route.stream) throw new Error(`${route.path} has no stream`)
      return route.stream(ctx, { ...input, query }, signal)
    },
    check: () => checkAgain(request, parts),
  })
}

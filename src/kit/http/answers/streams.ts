/** Routes whose answer may be a stream of events, and their callers while it lasts. */

import type { FastifyReply } from 'fastify'
import type { Context } from '#kit/context.ts'
import type { ApiModule } from '../api_module.ts'
import { assertPermitted } from '../callers/admission.ts'
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

type Streaming = {
  route: Route
  api: Pick<ApiModule, 'authenticate'>
  ctx: Context
  input: Input<unknown, unknown, unknown>
  checks: StreamChecks
}

/** Answers with the stream of a route that has one. */
export function streamTo(reply: FastifyReply, parts: Streaming): Promise<FastifyReply> {
  const { route, api, ctx, input, checks } = parts
  const { request } = reply
  const { apikey, authorization, cookie, 'last-event-id': last } = request.headers
  const isAgain = typeof last === 'string' && last !== ''
  const query = isAgain ? { ...Object(input.query), after: last } : input.query
  const credential = JSON.stringify([route.id, apikey, authorization, cookie])
  const check = async () => assertPermitted(await api.authenticate(request, route), route)
  return sendEventStream(reply, {
    async open(signal) {
      if (!route.stream) throw new Error(`${route.path} has no stream`)
      return route.stream(ctx, { ...input, query }, signal)
    },
    check: () => checks(credential, check),
  })
}

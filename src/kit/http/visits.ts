import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ApiModule } from './api_module.ts'
import { recordedAs } from './recording.ts'
import type { Visit } from './visit.ts'

const USER_AGENT_MAX = 200

/** The visit of a route of an API with sessions. */
export function visitOf(
  request: FastifyRequest,
  reply: FastifyReply,
  sessions: ApiModule['sessions'],
): Visit {
  if (!sessions) throw new Error('a route with `visits` is in an API without sessions')
  return {
    presented: sessions.presented(request.headers),
    setSession: (token) => void reply.header('set-cookie', sessions.cookie(token)),
    address: request.source,
    user_agent: (request.headers['user-agent'] ?? '').toWellFormed().slice(0, USER_AGENT_MAX),
    // The digest covers the e-mail alone: one over a password could be searched for it.
    recordedBy: (ctx, { email, ...described }) =>
      recordedAs(ctx, request, {
        ...described,
        content: email,
        members: Object.keys(Object(request.body)),
      }),
  }
}

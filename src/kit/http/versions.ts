/** The differences of an answer of HTTP/2 from one of HTTP/1.1 (D-551). */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Only this host: the names below it may be those of others. */
export const STRICT_TRANSPORT = { 'strict-transport-security': 'max-age=31536000' }

const isHttp2 = ({ raw }: FastifyRequest): boolean => raw.httpVersionMajor === 2

/** Has the connection end with this answer. A stream of HTTP/2 ends with its answer anyway. */
export function closeAfter(reply: FastifyReply): void {
  if (!isHttp2(reply.request)) reply.header('connection', 'close')
}

/** The scheme counts that the client used: a proxy that is trusted names it (D-362). */
export function requireTls(request: FastifyRequest, reply: FastifyReply): void {
  if (request.protocol === 'https') reply.headers(STRICT_TRANSPORT)
}

/** HTTP/2 has no such header; Fastify sends it with the answer to a body that is too large. */
export function leaveOutConnection(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => {
    if (isHttp2(request)) reply.removeHeader('connection')
  })
}

/**
 * Reads and drops what is left of a body behind its answer, as Node does for HTTP/1.1: a client
 * that still sends would otherwise wait for ever.
 */
export function dropRestOfBodies(app: FastifyInstance): void {
  app.addHook('onResponse', async (request) => {
    if (isHttp2(request) && !request.raw.complete) request.raw.resume()
  })
}

/** Error answers in the format of the API that was called; also to invalid HTTP. */

import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BoundedLines } from '#kit/bounded_lines.ts'
import type { commonErrors } from '#kit/errors.ts'
import { newId } from '#lib/id.ts'
import { ApiError } from '#lib/result.ts'
import type { ApiModule } from '../api_module.ts'
import { STRICT_TRANSPORT } from '../versions.ts'
import { type Fault, faultOf } from './problems.ts'

export type FaultSender = (
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
) => FastifyReply

/** The headers of every answer. */
export const commonHeaders = (request_id: string): Record<string, string> => ({
  'x-request-id': request_id,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
})

export function faultSender(api: ApiModule, lines: BoundedLines): FaultSender {
  return (error, request, reply) => {
    const fault = faultOf(error, api.errors)
    if (fault.status >= 500) {
      const { id: request_id, routeOptions } = request
      lines.writeFailure(error, { request_id, route: routeOptions.url }, fault.code)
    }
    const { content_type, body } = api.formatError(fault, request.id)
    return reply
      .code(fault.status)
      .headers({
        ...commonHeaders(request.id),
        ...fault.headers,
        ...(fault.status === 401 && { 'www-authenticate': 'Bearer' }),
      })
      .type(content_type)
      .send(body)
  }
}

/**
 * Bytes that Node cannot read as a request have no route: they are answered on the socket. A socket
 * that has failed, or whose TLS handshake has, is destroyed.
 */
export function unreadableAnswerer(api: ApiModule) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (!/^(HPE|ERR_HTTP)_/.test(error.code ?? '') || !socket.writable) {
      socket.destroy()
      return
    }
    const fault = faultOf(new ApiError(codeOf(error.code)), api.errors)
    socket.end(rawAnswer(api, fault, socket instanceof TLSSocket ? STRICT_TRANSPORT : {}))
  }
}

function codeOf(code: string | undefined): keyof typeof commonErrors {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout'
  return code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'bad_request'
}

function rawAnswer(api: ApiModule, fault: Fault, more: Record<string, string>): string {
  const request_id = newId()
  const { content_type, body } = api.formatError(fault, request_id)
  const headers = {
    ...commonHeaders(request_id),
    ...more,
    'content-type': content_type,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${fault.status} ${STATUS_CODES[fault.status]}\r\n${lines.join('')}\r\n${body}`
}

/** Requests that come with the cookie come from the program's own pages (D-136). */

import type { FastifyRequest } from 'fastify'
import { ApiError } from '#lib/result.ts'

const READING = new Set(['GET', 'HEAD'])
const JSON_BODY = /^application\/json\s*(;|$)/i

/**
 * Throws `origin_refused` unless the request only reads, or has an Origin that is one of `own` and
 * a JSON body or none. A form of another site can send neither.
 */
export function assertOwnOrigin(
  { method, headers }: Pick<FastifyRequest, 'method' | 'headers'>,
  own: readonly string[],
): void {
  if (READING.has(method)) return
  const { origin, 'content-type': type } = headers
  const hasBody = Number(headers['content-length'] ?? 0) > 0 || 'transfer-encoding' in headers
  const isJson = type === undefined ? !hasBody : JSON_BODY.test(type)
  if (origin === undefined || !own.includes(origin) || !isJson) throw new ApiError('origin_refused')
}

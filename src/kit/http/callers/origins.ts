/** Requests that come with the cookie come from the program's own pages (D-136). */

import type { FastifyRequest } from 'fastify'
import { ApiError } from '#lib/result.ts'

const READING = new Set(['GET', 'HEAD'])
const JSON_BODY = /^application\/json\s*(;|$)/i
const FORM = /^multipart\/form-data\s*(;|$)/i

/**
 * Throws `origin_refused` unless the request only reads, or has an Origin that is one of `own` and
 * a JSON body or none, if `isUpload` a form. A form of another site can send neither: an upload is
 * a PUT (D-619), or a POST with its idempotency key, a header that no form has (D-1220).
 */
export function assertOwnOrigin(
  { method, headers }: Pick<FastifyRequest, 'method' | 'headers'>,
  own: readonly string[],
  { isUpload, keyHeaders }: { isUpload: boolean; keyHeaders: readonly string[] },
): void {
  if (READING.has(method)) return
  const { origin, 'content-type': type } = headers
  const hasBody = Number(headers['content-length'] ?? 0) > 0 || 'transfer-encoding' in headers
  const isJson = type === undefined ? !hasBody : JSON_BODY.test(type)
  const isOwn = method === 'PUT' || keyHeaders.some((name) => headers[name] !== undefined)
  const isForm = isUpload && isOwn && type !== undefined && FORM.test(type)
  const isAccepted = isJson || isForm
  if (origin === undefined || !own.includes(origin) || !isAccepted)
    throw new ApiError('origin_refused')
}

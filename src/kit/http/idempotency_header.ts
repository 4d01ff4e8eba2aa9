/** The header with which a client makes a POST repeatable (D-10). */

import type { FastifyRequest } from 'fastify'
import { ApiError } from '#lib/result.ts'
import type { ApiModule } from './api_module.ts'
import { fingerprintOf, type IdempotencyKey } from './idempotency.ts'
import type { Route } from './route.ts'

const IDEMPOTENCY_KEY = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/

/** The key that a client has sent, as a function of the content of the request. */
export function idempotencyKeyOf(
  api: Pick<ApiModule, 'name' | 'idempotencyHeader'>,
  route: Route,
  request: FastifyRequest,
): ((content: string) => IdempotencyKey) | undefined {
  const ctx = request.caller?.ctx
  if (route.method !== 'POST' || !ctx) return undefined
  const header = request.headers[api.idempotencyHeader]
  if (header === undefined) return undefined
  if (typeof header !== 'string' || !IDEMPOTENCY_KEY.test(header)) {
    throw new ApiError('validation_failed', {
      errors: [{ path: api.idempotencyHeader, message: 'must be 1 to 255 printable characters' }],
    })
  }
  // Keys of the APIs, of two merchants of one tenant and of two of its members are distinct.
  const scope = api.name === 'issuing' ? '' : `${api.name}:${ctx.actor.id}:`
  const target = targetOf(request)
  return (content) => ({
    key: scope + header,
    fingerprint: fingerprintOf(ctx, target, content),
    ...(route.answersSecret && { sealed: true }),
  })
}

/** Method and path. The router accepts both spellings of a path, so they are one request. */
export const targetOf = ({ method, url }: Pick<FastifyRequest, 'method' | 'url'>): string =>
  `${method} ${url.replace(/\/(?=\?|$)/, '')}`

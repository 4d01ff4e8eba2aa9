/** The header with which a client makes a POST repeatable (D-10). */

import type { FastifyRequest } from 'fastify'
import { ApiError } from '#lib/result.ts'
import type { ApiModule } from './api_module.ts'
import { fingerprintOf, type IdempotencyKey } from './idempotency.ts'
import type { Route } from './route.ts'

/** The header of the merchant API, and the alias of the others. */
export const IDEMPOTENCY_HEADER = 'idempotency-key'
/** The header with the operator's own name. */
export const idempotencyHeader = ({ operator_name }: { operator_name: string }): string =>
  `x-${operator_name}-idempotency-key`

const IDEMPOTENCY_KEY = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/

/**
 * The key that a client has sent, as a function of the content of the request. Either header of the
 * API may carry it (D-1006); fails with 400 if they carry two.
 */
export function idempotencyKeyOf(
  api: Pick<ApiModule, 'name' | 'keysOfCallers' | 'idempotencyHeaders'>,
  route: Route,
  request: FastifyRequest,
): ((content: string) => IdempotencyKey) | undefined {
  const ctx = request.caller?.ctx
  if (route.method !== 'POST' || !ctx) return undefined
  const header = headerOf(api.idempotencyHeaders, request.raw.rawHeaders)
  if (header === undefined) return undefined
  // Keys of the APIs, of two merchants of one tenant and of two of its members are distinct.
  const scope = api.keysOfCallers ? `${api.name}:${ctx.actor.id}:` : ''
  const target = targetOf(request)
  return (content) => ({
    key: scope + header,
    fingerprint: fingerprintOf(ctx, target, content),
    ...(route.answersSecret && { sealed: true }),
  })
}

function headerOf(names: readonly string[], rawHeaders: readonly string[]): string | undefined {
  // A name, then its value: a header that is sent twice is here twice.
  const sent = names.flatMap((path) =>
    rawHeaders.flatMap((value, at) =>
      at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === path ? [{ path, value }] : [],
    ),
  )
  const errors = sent.flatMap(({ path, value }) => {
    if (value !== sent[0]?.value) return [{ path, message: 'must be the key that is sent before' }]
    const isKey = IDEMPOTENCY_KEY.test(value)
    return isKey ? [] : [{ path, message: 'must be 1 to 255 printable characters' }]
  })
  if (errors.length > 0) throw new ApiError('validation_failed', { errors })
  return sent[0]?.value
}

/** Method and path. The router accepts both spellings of a path, so they are one request. */
export const targetOf = ({ method, url }: Pick<FastifyRequest, 'method' | 'url'>): string =>
  `${method} ${url.replace(/\/(?=\?|$)/, '')}`

/** One call of the API for a tool. */

import { Transport } from '#client/core/transport.ts'
import { errorClasses } from '#client/generated/errors.ts'
import { api } from '#client/generated/issuing/api.ts'
import { ApiError } from '#client/index.ts'
import type { Schemas } from '#lib/openapi.ts'
import { IN_DOUBT, NOT_SENT } from '../../kit/faults.ts'
import { pathOf } from '../../kit/members.ts'
import type { Profile } from '../../kit/profiles.ts'
import { valueIn } from '../../kit/values.ts'
import { KEY, type Operation, type Place } from './operations.ts'

type Arguments = Readonly<Record<string, unknown>>

/** A write was sent, and no answer says whether it took effect. */
export class OutcomeUnknown extends Error {
  /** Under which the same call takes effect once; undefined if the operation takes none. */
  readonly key: string | undefined

  constructor(cause: unknown, key: string | undefined) {
    super('no answer says whether it took effect', { cause })
    this.key = key
  }
}

/** Clients of the protocol wait for a minute: all attempts together stay below it. */
const ATTEMPT_MS = 40_000
const WHOLE_MS = 55_000

/**
 * Resolves to the object of the answer. Throws what the client library throws, and OutcomeUnknown
 * for a write of which no attempt settles whether it took effect.
 */
export async function callOperation(
  { url, key: apiKey }: Profile,
  operation: Operation,
  given: Arguments,
  cancelled: AbortSignal,
): Promise<unknown> {
  const attempts = { isLost: false }
  const transport = new Transport(
    { baseUrl: url, headers: { 'user-agent': 'bezant-mcp' }, fetch: watched(attempts) },
    { ...api, errorClasses, credentials: () => ({ [api.apiKeyHeader]: apiKey }) },
  )
  const { isRead, isKeyed, method } = operation
  const idempotencyKey = isKeyed ? String(given[KEY] ?? crypto.randomUUID()) : undefined
  const { path, query, body } = requestOf(operation, given)
  const call = { query, keyed: isKeyed, ...(body && { body }) }
  const signal = AbortSignal.any([cancelled, AbortSignal.timeout(WHOLE_MS)])
  try {
    const options = { signal, timeout: ATTEMPT_MS, idempotencyKey }
    return await transport.send(method, path, call, options)
  } catch (error) {
    const isRunning = error instanceof ApiError && error.code === 'idempotency_key_in_use'
    if (!isRead && (attempts.isLost || isRunning)) throw new OutcomeUnknown(error, idempotencyKey)
    throw error
  }
}

/** The path with its parameters, the query and the body of a call whose arguments fit. */
function requestOf({ path, places, body, input }: Operation, given: Arguments) {
  let filled = path
  const query: Record<string, unknown> = {}
  const members: Record<string, unknown> = {}
  for (const [argument, place] of Object.entries(places)) {
    const value = given[argument] ?? pageOf(argument, place, input.properties)
    if (place.in === 'body') {
      if (argument in given) members[place.name] = given[argument]
    } else if (place.in === 'query') query[place.name] = value
    else filled = filled.replace(`{${place.name}}`, encodeURIComponent(String(value)))
  }
  const hasBody = body === 'required' || (body === 'optional' && Object.keys(members).length > 0)
  // The key goes to no path but that of the operation, whatever an argument is.
  return { path: pathOf(filled), query, body: hasBody ? members : undefined }
}

/** The size of a page is sent, since that of the API is larger. */
const pageOf = (argument: string, place: Place, properties: Schemas) =>
  argument === 'limit' && place.in === 'query' ? properties[argument]?.['default'] : undefined

/** Reads each answer whole, and notes an attempt that was sent and not settled. */
function watched(attempts: { isLost: boolean }): typeof fetch {
  return async (input, init) => {
    try {
      const response = await fetch(input, init)
      const body = await response.text()
      const { ok, status, headers } = response
      // A proxy may answer with a page of its own.
      attempts.isLost ||= IN_DOUBT.has(status) || (ok && valueIn(body) === undefined)
      return new Response(body === '' ? null : body, { status, headers })
    } catch (error) {
      attempts.isLost ||= !NOT_SENT.test(codeOf(error))
      throw error
    }
  }
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : ''
}

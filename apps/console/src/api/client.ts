/** The three APIs, called with the cookie of the session (D-133). */

import createClient, { type Middleware } from 'openapi-fetch'
import { actingHeader, tenantIn } from './acting.ts'
import { addCall, endCall } from './calls.ts'
import { keyOf } from './keys.ts'
import { Problem } from './problem.ts'
import type { paths as IssuingPaths } from './schema/issuing'
import type { paths as MerchantPaths } from './schema/merchant'
import type { paths as PortalPaths } from './schema/portal'
import { sessionCalls } from './session_calls.ts'
import { noteVersion } from './versions.ts'

const begun = new WeakMap<Request, { id: number; at: number }>()

const recorder: Middleware = {
  async onRequest({ request }) {
    const { pathname, search } = new URL(request.url)
    const { method, headers } = request
    const path = pathname + search
    const content = await contentOf(request)
    const id = addCall({ method, path, ...content, ...tenantIn(headers) })
    begun.set(request, { id, at: performance.now() })
  },
  onResponse({ request, response }) {
    const call = begun.get(request)
    if (call) endCall(call.id, response.status, Math.round(performance.now() - call.at))
  },
}

/** Names the tenant that a member of the operator's team acts for, unless the call names one. */
const acting: Middleware = {
  onRequest({ request }) {
    const named = actingHeader(new URL(request.url).pathname)
    if (named && !request.headers.has(named[0])) request.headers.set(...named)
    return request
  },
}

/** Answers of these have no body. */
const BODILESS = new Set([204, 205, 304])

/**
 * Throws a Problem only if no whole answer came: whatever else is thrown is a fault of the page,
 * and is not told as one of the network.
 */
async function reach(request: Request): Promise<Response> {
  try {
    const answer = await fetch(request)
    const body = BODILESS.has(answer.status) ? null : await answer.blob()
    return new Response(body, answer)
  } catch {
    throw new Problem(0)
  }
}

const KEYS = ['x-bezant-idempotency-key', 'idempotency-key']

/** The key of a form stands for one request of it. */
const keyed: Middleware = {
  async onRequest({ request }) {
    for (const name of KEYS) {
      const form = request.headers.get(name)
      if (form === null) continue
      // The bytes of a form have another boundary each time.
      const { body, form: parts = '' } = await contentOf(request)
      request.headers.set(name, keyOf(form, `${request.method} ${request.url}\n${body}${parts}`))
    }
    return request
  },
}

export const issuing = createClient<IssuingPaths>({ baseUrl: '/v1', fetch: reach })
export const merchant = createClient<MerchantPaths>({ baseUrl: '/api/v1.0', fetch: reach })
export const portal = createClient<PortalPaths>({ baseUrl: '/portal/v1', fetch: reach })
for (const client of [issuing, merchant, portal]) {
  client.use(sessionCalls, acting, keyed, recorder)
}

/** For a form, the names of its files are enough: their bytes may be many. */
async function contentOf(request: Request): Promise<{ body: string; form?: string[] }> {
  if (request.body === null) return { body: '' }
  const type = request.headers.get('content-type') ?? ''
  if (!type.startsWith('multipart/')) return { body: await request.clone().text() }
  const parts = [...(await request.clone().formData())]
  const form = parts.map(([name, value]) =>
    typeof value === 'string' ? `${name}=${value}` : `${name}=@${value.name}`,
  )
  return { body: '', form }
}

type Answer<Data> = { data?: Data; error?: unknown; response: Response }

/** The answer of the operation; throws a Problem if it is an error or no answer comes. */
export async function answered<Data>(asked: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await asked.catch(unreadable)
  if (!response.ok) {
    const { status, headers } = response
    const [request_id, wait] = [headers.get('x-request-id'), headers.get('retry-after')]
    throw new Problem(status, Object(error), request_id, wait)
  }
  // An answer of 204 has no body, and its type none either.
  return noteVersion(data as Data, response)
}

/** Something between page and server, such as a proxy, has answered what is no JSON. */
function unreadable(error: unknown): never {
  throw error instanceof SyntaxError ? new Problem(502, { code: 'unreadable' }) : error
}

/**
 * The header of operations that create: a repeated press has one effect. `key` is that of the
 * press.
 */
export const once = (key: string): { 'x-bezant-idempotency-key': string } => ({
  'x-bezant-idempotency-key': key,
})

/** The same for the order service, whose header has another name. */
export const onceForShop = (key: string): { 'idempotency-key': string } => ({
  'idempotency-key': key,
})

/** The three APIs by the client library, called with the cookie of the session (D-133). */

import { ConnectionError } from '#client/core/errors.ts'
import { type ClientOptions, Transport } from '#client/core/transport.ts'
import { Groups as Issuing, api as issuingApi } from '#client/generated/issuing/api.ts'
import { Groups as Merchant, api as merchantApi } from '#client/generated/merchant/api.ts'
import { Groups as Portal, api as portalApi } from '#client/generated/portal/api.ts'
import { actingHeader, tenantIn } from './acting.ts'
import { addCall, endCall } from './calls.ts'
import { keyOf } from './keys.ts'
import { Problem } from './problem.ts'
import { demandMember, noteEffects } from './session_calls.ts'

const options: ClientOptions = {
  baseUrl: location.origin,
  fetch: call,
  // Queries repeat what was not answered, and the page counts down a wait that the server names.
  retries: 0,
  // The reader leaves the page where an answer takes too long.
  timeout: Number.POSITIVE_INFINITY,
}

/** The browser sends the cookie, and a Problem stands for each error. */
const around = { credentials: () => ({}), errorClasses: {} }

export const issuing = new Issuing(new Transport(options, { ...issuingApi, ...around }))
export const merchant = new Merchant(new Transport(options, { ...merchantApi, ...around }))
export const portal = new Portal(new Transport(options, { ...portalApi, ...around }))

/** Each call passes here. Throws a Problem where no answer comes, or one that is an error. */
async function call(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const request = new Request(input, { ...init, redirect: 'follow' })
  demandMember(request)
  nameTenant(request)
  await setKey(request)
  const end = await record(request)
  const response = await reach(request)
  end(response)
  noteEffects(request, response)
  if (!response.ok) throw await problemIn(response)
  return response
}

/** Names the tenant that a member of the operator's team acts for, unless the call names one. */
function nameTenant({ url, headers }: Request): void {
  const named = actingHeader(new URL(url).pathname)
  if (named && !headers.has(named[0])) headers.set(...named)
}

const KEYS = ['x-bezant-idempotency-key', 'idempotency-key']

/** The key of a form stands for one request of it. */
async function setKey(request: Request): Promise<void> {
  for (const name of KEYS) {
    const form = request.headers.get(name)
    if (form === null) continue
    // A search changes nothing: its answer need not be kept.
    if (new URL(request.url).pathname.endsWith(':search')) {
      request.headers.delete(name)
      continue
    }
    // The bytes of a form have another boundary each time.
    const { body, form: parts = '' } = await contentOf(request)
    request.headers.set(name, keyOf(form, `${request.method} ${request.url}\n${body}${parts}`))
  }
}

/** Lists the call; the function that is returned adds its answer. */
async function record(request: Request): Promise<(response: Response) => void> {
  const { pathname, search } = new URL(request.url)
  const { method, headers } = request
  const content = await contentOf(request)
  const id = addCall({ method, path: pathname + search, ...content, ...tenantIn(headers) })
  const begun = performance.now()
  return ({ status }) => endCall(id, status, Math.round(performance.now() - begun))
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

async function problemIn(response: Response): Promise<Problem> {
  const { status, headers } = response
  const [request_id, wait] = [headers.get('x-request-id'), headers.get('retry-after')]
  return new Problem(status, objectOf(await response.text()), request_id, wait)
}

/** A proxy may answer with a page in place of an object. */
function objectOf(text: string): object {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/** The answer of the operation; throws a Problem if it is an error or no answer comes. */
export async function answered<Answer>(asked: PromiseLike<Answer>): Promise<Answer> {
  try {
    return await asked
  } catch (error) {
    throw error instanceof ConnectionError ? reasonOf(error) : error
  }
}

/** Something between page and server, such as a proxy, may have answered what is no JSON. */
const reasonOf = ({ cause }: ConnectionError): unknown =>
  cause instanceof SyntaxError ? new Problem(502, { code: 'unreadable' }) : cause

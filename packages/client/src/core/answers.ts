/** Reads the answers of the API. */

import { ApiError, type ErrorAnswer, type Faults } from './errors.ts'

/** A class of errors, chosen by the code of an answer. */
export type ErrorClasses = Readonly<Record<string, new (answer: ErrorAnswer) => ApiError>>
/** The code of an answer that states none. */
export type CodeOf = (status: number, detail: string) => string | undefined

const LONGEST_DETAIL = 200

const BAD_REQUEST = 400
/** Browsers state no status of one. */
const REDIRECT = 'The answer is a redirect, which is not followed: baseUrl is another address.'

/** The error of an answer that is no success; `text` is its body. */
export function errorOf(
  response: Response,
  text: string,
  classes: ErrorClasses,
  codeOf: CodeOf,
): ApiError {
  const body = objectOf(text)
  const { status, headers } = response
  const faults = faultsOf(body)
  const detail = status < BAD_REQUEST ? REDIRECT : detailOf(body, text) || `HTTP ${status}`
  const code = typeof body?.['code'] === 'string' ? body['code'] : codeOf(status, detail)
  const answer: ErrorAnswer = {
    status,
    code,
    detail,
    faults,
    request_id: headers.get('x-request-id') ?? undefined,
    retry_after: secondsOf(headers.get('retry-after')),
  }
  const known = code !== undefined && Object.hasOwn(classes, code) ? classes[code] : undefined
  return new (known ?? ApiError)(answer)
}

type Body = Readonly<Record<string, unknown>>

/** A proxy may answer with a page in place of an object. */
function objectOf(text: string): Body | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Body) : undefined
  } catch {
    return undefined
  }
}

function detailOf(body: Body | undefined, text: string): string {
  if (typeof body?.['detail'] === 'string') return body['detail']
  return body ? 'The request does not fit its contract.' : text.slice(0, LONGEST_DETAIL)
}

/**
 * The list of a problem document, or the nested members of the merchant API. A path is of the
 * caller's own members, so it may be any name.
 */
function faultsOf(body: Body | undefined): Faults {
  const found = new Map<string, string[]>()
  const add = (path: string, message: string) => {
    const messages = found.get(path)
    if (messages) messages.push(message)
    else found.set(path, [message])
  }
  const collect = (value: unknown, path: string): void => {
    if (typeof value === 'string') add(path, value)
    else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        const isMessage = Array.isArray(value) && typeof member === 'string'
        const below = path === '' ? name : `${path}.${name}`
        collect(member, isMessage ? path : name === WHOLE ? path : below)
      }
    }
  }
  const errors = body?.['errors']
  if (Array.isArray(errors)) {
    for (const error of errors) {
      const { path, message } = Object(error)
      add(String(path ?? ''), String(message ?? ''))
    }
  } else if (body && !('detail' in body)) collect(body, '')
  return Object.fromEntries(found)
}

/** Member of the merchant API for faults of the whole object. */
const WHOLE = 'non_field_errors'

/** `retry-after` has seconds, or behind some proxies a date. */
function secondsOf(text: string | null): number | undefined {
  if (text === null) return undefined
  if (/^\d+$/.test(text)) return Number(text)
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1000))
}

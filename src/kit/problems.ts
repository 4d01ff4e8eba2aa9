/**
 * Errors as they leave (D-9): every failure becomes one Fault, which a house puts into its words.
 */

import { ApiError, type Fault as FieldError } from '#lib/result.ts'
import { BlobStoreUnavailable } from './blobs.ts'
import { BadBody } from './body.ts'
import { DatabaseUnavailable } from './database.ts'
import { maskNumbers } from './log.ts'

/** A failure with what may be told of it. */
export type Fault = {
  status: number
  code: string
  detail: string
  errors?: readonly FieldError[]
  /** Further members of the problem body, named by the refusal. */
  extra?: Readonly<Record<string, unknown>>
  headers?: Record<string, string>
}

/** Refusals that any route may give, with their HTTP status. */
export const commonErrors = {
  validation_failed: 400,
  bad_request: 400,
  body_invalid: 400,
  cursor_invalid: 400,
  unauthenticated: 401,
  permission_missing: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  idempotency_key_reused: 409,
  idempotency_key_in_use: 409,
  too_large: 413,
  path_too_long: 414,
  content_type_unsupported: 415,
  range_not_satisfiable: 416,
  rate_limited: 429,
  headers_too_large: 431,
  not_configured: 501,
  provider_failed: 502,
  unavailable: 503,
  provider_timed_out: 504,
} as const

const details: Partial<Record<string, string>> = {
  bad_request: 'The request is not acceptable.',
  validation_failed: 'The request does not fit its contract.',
  cursor_invalid: 'The cursor `after` was not made by this list.',
  unauthenticated: 'The API key is missing or not valid.',
  permission_missing: 'The API key lacks a permission for this operation.',
  not_found: 'The resource does not exist.',
  method_not_allowed: 'The path does not know this method; Allow names those that it knows.',
  request_timeout: 'The request did not arrive in time.',
  too_large: 'The body is larger than this operation takes.',
  path_too_long: 'A part of the path is too long.',
  content_type_unsupported: 'The body must be application/json in UTF-8, not compressed.',
  range_not_satisfiable: 'The range lies behind the end of the file.',
  headers_too_large: 'The headers are too large.',
  idempotency_key_reused: 'This idempotency key was used for another request.',
  idempotency_key_in_use: 'The first request with this idempotency key is still running.',
  rate_limited: 'Too many requests; wait and try again.',
  unavailable: 'The database is not available at the moment; try again.',
}

/** Told seconds after which a retry makes sense. */
const retryAfter: Partial<Record<string, string>> = {
  idempotency_key_in_use: '1',
  polls_exceeded: '1',
  unavailable: '1',
}

/** A validation failure of one field, found by a deed rather than by the schema. */
export function invalid(path: string, message: string): ApiError {
  return new ApiError('validation_failed', { errors: [{ path, message }] })
}

const INTERNAL: Fault = {
  status: 500,
  code: 'internal',
  detail: 'The server failed; the request id names the case.',
}

/** Makes a Fault of anything thrown. What is not known is a 500 that tells nothing. */
export function faultOf(error: unknown, statusOf: (code: string) => number | undefined): Fault {
  if (error instanceof ApiError) {
    const status = statusOf(error.code)
    return status === undefined ? INTERNAL : problemFaultOf(error, status)
  }
  if (error instanceof BadBody) {
    return { ...faultOfCode('body_invalid', 400), detail: `${error.message}.` }
  }
  if (error instanceof DatabaseUnavailable) return faultOfCode('unavailable', 503)
  if (error instanceof BlobStoreUnavailable) {
    const detail = 'The file store is not available at the moment; try again.'
    return { ...faultOfCode('unavailable', 503), detail }
  }
  return faultOfFramework(error)
}

function problemFaultOf(error: ApiError, status: number): Fault {
  const { code, detail, errors, extra, retry_after_seconds: wait } = error
  return {
    ...faultOfCode(code, status),
    ...(wait !== undefined && { headers: { 'retry-after': String(wait) } }),
    ...(detail !== undefined && { detail }),
    ...(errors && { errors }),
    ...(extra && { extra }),
  }
}

function faultOfCode(code: string, status: number): Fault {
  const wait = retryAfter[code]
  return {
    status,
    code,
    detail: detailOf(code),
    ...(wait !== undefined && { headers: { 'retry-after': wait } }),
  }
}

/** The sentence that a refusal is told with, where it brings none of its own. */
export const detailOf = (code: string): string => details[code] ?? sentence(code)

/** `card_terminated` reads as 'Card terminated.' where no better sentence was written. */
function sentence(code: string): string {
  const words = code.replaceAll('_', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
}

/** A fault as the validator of a schema finds it. */
export type ShapeFault = {
  instancePath: string
  message?: string
  keyword: string
  params: object
}
type FrameworkError = { statusCode?: number; validation?: ShapeFault[] }

const VALIDATION_ERRORS_MAX = 100
const TYPE_FAULT = 'must be of type '

function faultOfFramework(error: unknown): Fault {
  const { statusCode, validation } = error as FrameworkError
  if (validation) {
    return { ...faultOfCode('validation_failed', 400), errors: shapeFaults(validation) }
  }
  if (statusCode === 413) return faultOfCode('too_large', 413)
  if (statusCode === 415) return faultOfCode('content_type_unsupported', 415)
  if (statusCode === 414) return faultOfCode('path_too_long', 414)
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return faultOfCode('bad_request', 400)
  }
  return INTERNAL
}

/** What validators found, each fault once and in words. */
export function shapeFaults(found: readonly ShapeFault[]): FieldError[] {
  const errors = found.filter(isUseful).map(fieldError)
  return onePerType(errors).slice(0, VALIDATION_ERRORS_MAX)
}

/** That a value is also not null, or fits no branch of a choice, tells nothing that helps. */
function isUseful({ keyword, params }: ShapeFault): boolean {
  const isNull = 'type' in params && params.type === 'null'
  return keyword !== 'anyOf' && keyword !== 'if' && !(keyword === 'type' && isNull)
}

/** A value that may be a number or a string has one fault when it is neither. */
function onePerType(errors: readonly FieldError[]): FieldError[] {
  const merged = new Map<string, FieldError>()
  for (const error of errors) {
    const isType = error.message.startsWith(TYPE_FAULT)
    const name = isType ? error.path : `${error.path}\n${error.message}`
    const before = merged.get(name)
    const more = before && ` or ${error.message.slice(TYPE_FAULT.length)}`
    merged.set(name, before && isType ? { ...before, message: before.message + more } : error)
  }
  return [...merged.values()]
}

/** `/lines/0/price` and a missing or unknown member both become a dotted path to that member. */
function fieldError(fault: ShapeFault): FieldError {
  const base = fault.instancePath.slice(1).replaceAll('/', '.')
  const params = fault.params as { missingProperty?: string; additionalProperty?: string }
  // A client may send a card number as the name of a member; it is not told back.
  const unknown = params.additionalProperty && maskNumbers(params.additionalProperty)
  const member = params.missingProperty ?? unknown
  const path = member === undefined ? base : base === '' ? member : `${base}.${member}`
  if (params.missingProperty !== undefined) return { path, message: 'is required' }
  if (params.additionalProperty !== undefined) return { path, message: 'is not known here' }
  const type = fault.keyword === 'type' && 'type' in fault.params && fault.params.type
  if (type) return { path, message: `${TYPE_FAULT}${type}` }
  return { path, message: allowedValues(fault.params) ?? fault.message ?? 'is not valid' }
}

function allowedValues(params: object): string | undefined {
  if (!('allowedValues' in params) || !Array.isArray(params.allowedValues)) return undefined
  return `must be one of ${params.allowedValues.join(', ')}`
}

const titles: Record<number, string> = {
  400: 'Bad request',
  401: 'Not authenticated',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  406: 'Not acceptable',
  408: 'Request timed out',
  409: 'Conflict',
  413: 'Too large',
  414: 'Path too long',
  415: 'Content type not supported',
  416: 'Range not satisfiable',
  429: 'Too many requests',
  431: 'Headers too large',
  500: 'Internal error',
  501: 'Not implemented',
  502: 'External provider failed',
  503: 'Not available',
  504: 'External provider timed out',
}

/** The problem document of the issuing API (RFC 9457, D-9). */
export function problemOf(fault: Fault, publicUrl: string, request_id: string): object {
  const { status, code, detail, errors, extra } = fault
  return {
    type: `${publicUrl}/docs/errors#${code}`,
    title: titles[status] ?? 'Error',
    status,
    detail,
    code,
    request_id,
    ...(errors && { errors }),
    ...extra,
  }
}

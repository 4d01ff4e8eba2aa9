/**
 * Errors as they leave (D-9): every failure becomes one Fault, which a house puts into its words.
 */

import { type Fault as FieldError, Refusal } from '#lib/ruling.ts'
import { BadBody } from './body.ts'
import { DatabaseUnavailable } from './database.ts'

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
export const kitRefusals = {
  validation_failed: 400,
  cursor_invalid: 400,
  unauthenticated: 401,
  permission_missing: 403,
  not_found: 404,
  method_not_allowed: 405,
  idempotency_key_reused: 409,
  idempotency_key_in_use: 409,
  too_large: 413,
  content_type_unsupported: 415,
  rate_limited: 429,
  not_configured: 501,
  provider_failed: 502,
  unavailable: 503,
  provider_timed_out: 504,
} as const

const details: Partial<Record<string, string>> = {
  validation_failed: 'The request does not fit its contract.',
  cursor_invalid: 'The cursor `after` was not made by this list.',
  unauthenticated: 'The API key is missing or not valid.',
  permission_missing: 'The API key lacks a permission for this operation.',
  not_found: 'The resource does not exist.',
  idempotency_key_reused: 'This idempotency key was used for another request.',
  idempotency_key_in_use: 'The first request with this idempotency key is still running.',
  rate_limited: 'Too many requests; wait and try again.',
  unavailable: 'The database is not available at the moment; try again.',
}

/** Told seconds after which a retry makes sense. */
const retryAfter: Partial<Record<string, string>> = {
  idempotency_key_in_use: '1',
  unavailable: '1',
}

/** A validation failure of one field, found by a deed rather than by the schema. */
export function invalid(path: string, message: string): Refusal {
  return new Refusal('validation_failed', { errors: [{ path, message }] })
}

/** Makes a Fault of anything thrown. What is not known is a 500 that tells nothing. */
export function faultOf(error: unknown, statusOf: (code: string) => number | undefined): Fault {
  if (error instanceof Refusal) return faultOfRefusal(error, statusOf(error.code) ?? 500)
  if (error instanceof BadBody) {
    return { status: 400, code: 'body_invalid', detail: error.message, errors: [] }
  }
  if (error instanceof DatabaseUnavailable) return faultOfCode('unavailable', 503)
  return faultOfFramework(error)
}

function faultOfRefusal(refusal: Refusal, status: number): Fault {
  const { code, detail, errors, extra } = refusal
  return {
    ...faultOfCode(code, status),
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
    detail: details[code] ?? sentence(code),
    ...(wait !== undefined && { headers: { 'retry-after': wait } }),
  }
}

/** `card_terminated` reads as 'Card terminated.' where no better sentence was written. */
function sentence(code: string): string {
  const words = code.replaceAll('_', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
}

type FrameworkError = {
  statusCode?: number
  code?: string
  validation?: { instancePath: string; message?: string; keyword: string; params: object }[]
  validationContext?: string
}

const VALIDATION_ERRORS_TOLD = 100

function faultOfFramework(error: unknown): Fault {
  const { statusCode, code, validation } = error as FrameworkError
  if (validation) {
    const errors = validation
      .filter(({ keyword }) => keyword !== 'anyOf' && keyword !== 'if')
      .slice(0, VALIDATION_ERRORS_TOLD)
      .map(fieldError)
    return { ...faultOfCode('validation_failed', 400), errors }
  }
  if (statusCode === 413) return faultOfCode('too_large', 413)
  if (statusCode === 415) return faultOfCode('content_type_unsupported', 415)
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return {
      status: statusCode,
      code: code?.toLowerCase() ?? 'bad_request',
      detail: 'The request is not acceptable.',
    }
  }
  return {
    status: 500,
    code: 'internal',
    detail: 'The server failed; the request id names the case.',
  }
}

/** `/lines/0/price` and a missing or unknown member both become a dotted path to that member. */
function fieldError(fault: NonNullable<FrameworkError['validation']>[number]): FieldError {
  const base = fault.instancePath.slice(1).replaceAll('/', '.')
  const params = fault.params as { missingProperty?: string; additionalProperty?: string }
  const member = params.missingProperty ?? params.additionalProperty
  const path = member === undefined ? base : base === '' ? member : `${base}.${member}`
  if (params.missingProperty !== undefined) return { path, message: 'is required' }
  if (params.additionalProperty !== undefined) return { path, message: 'is not known here' }
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
  415: 'Content type not supported',
  429: 'Too many requests',
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

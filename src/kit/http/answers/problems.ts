/**
 * Errors as they leave (D-9): every failure becomes one Fault, which each API renders in its
 * error format.
 */

import { DatabaseUnavailable } from '#kit/db/database.ts'
import { commonErrors, type ErrorCatalogue, type ErrorEntry, internalError } from '#kit/errors.ts'
import { BlobStoreUnavailable } from '#kit/files/blobs.ts'
import { maskNumbers } from '#kit/log.ts'
import { ApiError, type Extra, type Fault as FieldError } from '#lib/result.ts'
import { BadBody } from '../bodies/body.ts'

/** A failure as the client sees it. */
export type Fault = {
  status: number
  code: string
  detail: string
  errors?: readonly FieldError[]
  /** Further members of the problem body, named by the error. */
  extra?: Extra
  headers?: Record<string, string>
}

/** A validation failure of one field, found by a use case rather than by the schema. */
export function invalid(path: string, message: string): ApiError {
  return new ApiError('validation_failed', { errors: [{ path, message }] })
}

/** For `catch`: a reference in a body to a missing object is a fault of that field (D-114). */
export const asInvalid =
  (path: string, message: string) =>
  (error: unknown): never => {
    if (error instanceof ApiError && error.code === 'not_found') throw invalid(path, message)
    throw error
  }

/** Makes a Fault of anything thrown. An error that no catalogue has is a 500 without a reason. */
export function faultOf(error: unknown, catalogue: ErrorCatalogue): Fault {
  if (error instanceof ApiError) {
    const entry = catalogue[error.code]
    return entry ? faultOfApiError(error, entry) : commonFault('internal')
  }
  if (error instanceof BadBody) {
    return { ...commonFault('body_invalid'), detail: `${error.message}.` }
  }
  if (error instanceof DatabaseUnavailable) return commonFault('unavailable')
  if (error instanceof BlobStoreUnavailable) {
    const detail = 'The file store is not available at the moment; try again.'
    return { ...commonFault('unavailable'), detail }
  }
  return faultOfFramework(error)
}

function faultOfApiError(error: ApiError, entry: ErrorEntry): Fault {
  const { code, detail, errors, extra, retry_after_seconds: wait } = error
  return {
    ...faultOfEntry(code, wait === undefined ? entry : { ...entry, retry_after_seconds: wait }),
    ...(detail !== undefined && { detail }),
    ...(errors && { errors: errors.map(({ path, message }) => ({ path, message })) }),
    ...(extra && { extra }),
  }
}

const everywhere = { ...commonErrors, ...internalError }

const commonFault = (code: keyof typeof everywhere): Fault => faultOfEntry(code, everywhere[code])

function faultOfEntry(code: string, { status, detail, retry_after_seconds: wait }: ErrorEntry) {
  const headers = wait !== undefined && { headers: { 'retry-after': String(wait) } }
  return { status, code, detail, ...headers }
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
    return { ...commonFault('validation_failed'), errors: shapeFaults(validation) }
  }
  if (statusCode === 413) return commonFault('too_large')
  if (statusCode === 415) return commonFault('content_type_unsupported')
  if (statusCode === 414) return commonFault('path_too_long')
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return commonFault('bad_request')
  }
  return commonFault('internal')
}

/** The faults that validators found, each once and in words. */
export function shapeFaults(found: readonly ShapeFault[]): FieldError[] {
  const errors = ofItsBranch(found.filter(isUseful)).map(fieldError)
  return onePerType(errors).slice(0, VALIDATION_ERRORS_MAX)
}

/** The faults "not null" and "fits no branch of a choice" do not help the client. */
export function isUseful({ keyword, params }: ShapeFault): boolean {
  const isNull = 'type' in params && params.type === 'null'
  return keyword !== 'anyOf' && keyword !== 'if' && !(keyword === 'type' && isNull)
}

/**
 * The faults of the branch that a value is meant for: an amount of -5 is a number that is too
 * small, and not also a missing text. A bound is found wrong only if the type is right.
 */
function ofItsBranch(found: readonly ShapeFault[]): ShapeFault[] {
  const bounded = found.filter(({ keyword }) => !OF_ANY_TYPE.has(keyword))
  const paths = new Set(bounded.map(({ instancePath }) => instancePath))
  return found.filter(({ keyword, instancePath }) => keyword !== 'type' || !paths.has(instancePath))
}

/** Keywords that are found wrong of values of every type. */
const OF_ANY_TYPE = new Set(['type', 'enum', 'const', 'not', 'oneOf', '$ref'])

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
  // A client may send a card number as the name of a member; it is not repeated.
  const unknown = params.additionalProperty && maskNumbers(params.additionalProperty)
  const member = params.missingProperty ?? unknown
  const path = member === undefined ? base : base === '' ? member : `${base}.${member}`
  if (params.missingProperty !== undefined) return { path, message: 'is required' }
  if (params.additionalProperty !== undefined) return { path, message: 'is not known here' }
  const type = fault.keyword === 'type' && 'type' in fault.params && fault.params.type
  if (type) return { path, message: `${TYPE_FAULT}${type}` }
  const message = allowedValues(fault.params) ?? formatIn(fault.params) ?? fault.message
  return { path, message: message ?? 'is not valid' }
}

function allowedValues(params: object): string | undefined {
  if (!('allowedValues' in params) || !Array.isArray(params.allowedValues)) return undefined
  return `must be one of ${params.allowedValues.join(', ')}`
}

const FORMATS: Partial<Record<string, string>> = {
  uuid: 'must be a UUID',
  email: 'must be an e-mail address',
  mailbox: 'must be an e-mail address',
  'not-blank': 'must not be blank',
  uri: 'must be a URI',
  date: 'must be a date such as 2026-01-31',
  'date-time': 'must be an instant such as 2026-01-31T09:00:00Z',
  'date-or-instant':
    'must be a date such as 2026-01-31, or an instant such as 2026-01-31T09:00:00Z',
}

function formatIn(params: object): string | undefined {
  return 'format' in params && typeof params.format === 'string'
    ? FORMATS[params.format]
    : undefined
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
  503: 'Not available',
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

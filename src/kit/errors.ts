/**
 * The catalogue of errors: a slice lists its own in its `errors.ts`, an API is the sum of those of
 * its slices and of the ones here, and docs/errors.md and /docs/errors are made from it.
 */

import type { CodesOf } from '#lib/result.ts'

export type ErrorEntry = {
  /** The HTTP status. */
  status: number
  /** The sentence of a response whose error has none of its own. */
  detail: string
  retry_after_seconds?: number
}

/** Errors by their codes. A code never changes once it is released. */
export type ErrorCatalogue = Readonly<Record<string, ErrorEntry>>

/** Errors of operations of any slice. */
export const commonErrors = {
  validation_failed: { status: 400, detail: 'The request does not fit its contract.' },
  bad_request: { status: 400, detail: 'The request is not valid HTTP.' },
  body_invalid: { status: 400, detail: 'The body is not valid JSON in UTF-8.' },
  cursor_invalid: {
    status: 400,
    detail:
      'The cursor `after` does not belong to this list, or what it names is no longer kept: list ' +
      'again without it.',
  },
  unauthenticated: { status: 401, detail: 'The API key is missing or not valid.' },
  permission_missing: {
    status: 403,
    detail: 'The API key lacks a permission for this operation.',
  },
  origin_refused: {
    status: 403,
    detail:
      'A request with a session must come from the pages of this server, with JSON or no body.',
  },
  second_factor_required: {
    status: 403,
    detail: 'The tenant requires a second factor: set one up, then try again.',
  },
  not_found: { status: 404, detail: 'The resource does not exist.' },
  method_not_allowed: {
    status: 405,
    detail: 'The path does not support this method; the header Allow lists those that it does.',
  },
  request_timeout: { status: 408, detail: 'The request did not arrive in time.' },
  id_taken: { status: 409, detail: 'Another object with this id already exists.' },
  idempotency_key_reused: {
    status: 409,
    detail: 'This idempotency key was used for another request.',
  },
  idempotency_key_in_use: {
    status: 409,
    detail: 'The first request with this idempotency key is still running.',
    retry_after_seconds: 1,
  },
  changed_meanwhile: {
    status: 412,
    detail:
      'The object was changed since its version was read: read it again. Nothing was changed.',
  },
  too_large: { status: 413, detail: 'The body is larger than this operation accepts.' },
  path_too_long: { status: 414, detail: 'A part of the path is too long.' },
  content_type_unsupported: {
    status: 415,
    detail: 'The body must be application/json in UTF-8, not compressed.',
  },
  range_not_satisfiable: { status: 416, detail: 'The range begins after the end of the file.' },
  host_unknown: {
    status: 421,
    detail:
      'The header Host has a name that this server does not have: the operator can add it to ' +
      'ALLOWED_HOSTS.',
  },
  rate_limited: { status: 429, detail: 'Too many requests; wait and try again.' },
  headers_too_large: { status: 431, detail: 'The headers are too large.' },
  not_configured: { status: 501, detail: 'The service that this operation needs is not set up.' },
  unavailable: {
    status: 503,
    detail: 'The database is not available at the moment; try again.',
    retry_after_seconds: 1,
  },
} as const satisfies ErrorCatalogue

/** Answered for every error that no catalogue has. */
export const internalError = {
  internal: { status: 500, detail: 'The server failed; the request id names the case.' },
} as const satisfies ErrorCatalogue

declare module '#lib/result.ts' {
  interface KnownErrors extends CodesOf<typeof commonErrors>, CodesOf<typeof internalError> {}
}

/** Results and errors: rules return a Result, use cases throw an ApiError. */

/**
 * One fault of a request: its place (JSON pointer or field name) and a message. `rests_on` are the
 * other members that decide about it, which no answer shows: if one of them is at fault itself, it
 * is not known whether this is a fault (D-1000).
 */
export type Fault = { path: string; message: string; rests_on?: readonly string[] }

/** Members added to a problem body as they are; never in the place of one that each problem has. */
export type Extra = Readonly<Record<string, unknown>> & {
  readonly [Member in
    | 'type'
    | 'title'
    | 'status'
    | 'detail'
    | 'code'
    | 'request_id'
    | 'errors']?: never
}

/**
 * The members of an error beside its code. `detail` is a sentence for a person; `extra` are
 * members added to the problem body; `errors` lists every fault (D-9).
 */
export type ErrorDetails = {
  detail?: string
  extra?: Extra
  errors?: readonly Fault[]
  /** After how long a retry makes sense. */
  retry_after_seconds?: number
}

/**
 * The codes of errors. The catalogues above this layer add theirs by declaration merging, so that
 * a code that no catalogue has does not compile.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the catalogues add to it.
export interface KnownErrors {}
export type ErrorCode = keyof KnownErrors
/** The codes that a catalogue adds to KnownErrors. */
export type CodesOf<Catalogue> = Record<keyof Catalogue, true>

/** The result of a rule: its value, or the code of the error. */
export type Result<Value, Code extends string> =
  | { ok: true; value: Value }
  | ({ ok: false; code: Code } & ErrorDetails)

export const ok = <Value>(value: Value) => ({ ok: true, value }) as const

export const fail = <Code extends string>(code: Code, details: ErrorDetails = {}) =>
  ({ ...details, ok: false, code }) as const

/** Thrown, not returned: leaving the transaction callback this way is what rolls it back. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly detail?: string
  readonly extra?: Extra
  readonly errors?: readonly Fault[]
  readonly retry_after_seconds?: number

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    super(details.detail ? `${code}: ${details.detail}` : code)
    this.name = 'ApiError'
    this.code = code
    if (details.detail !== undefined) this.detail = details.detail
    if (details.extra !== undefined) this.extra = details.extra
    if (details.errors !== undefined) this.errors = details.errors
    const { retry_after_seconds } = details
    if (retry_after_seconds !== undefined) this.retry_after_seconds = retry_after_seconds
  }
}

/**
 * A temporary error: something else is under way. The request was not processed, so nothing is
 * stored under its idempotency key and the same request may succeed later.
 */
export class TransientError extends ApiError {}

/**
 * An error whose transaction is committed: a wrong guess fails and is counted. If the request may
 * have an idempotency key, its HTTP status must be one that is stored under it (409), so that the
 * count and the answer are stored together.
 */
export class CommittedError extends ApiError {}

/** Returns the value of a Result, or throws its error with all of its members. */
export function unwrap<Value>(result: Result<Value, ErrorCode>): Value {
  if (result.ok) return result.value
  throw new ApiError(result.code, result)
}

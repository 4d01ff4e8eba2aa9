/** How the house says yes and no: rules answer rulings, deeds throw refusals. */

/** One fault of a request: where it stands (JSON pointer or field name) and what is wrong. */
export type Fault = { path: string; message: string }

/**
 * What a refusal may tell beside its code. `detail` is a sentence for a person; `extra` are
 * members added to the problem body as they are; `errors` lists every fault (D-9).
 */
export type ErrorDetails = {
  detail?: string
  extra?: Readonly<Record<string, unknown>>
  errors?: readonly Fault[]
  /** After how long a retry makes sense. */
  retry_after_seconds?: number
}

/** What a rule answers: the value that may be acted on, or the code of the refusal. */
export type Result<Value, Code extends string> =
  | { ok: true; value: Value }
  | ({ ok: false; code: Code } & ErrorDetails)

export const ok = <Value>(value: Value) => ({ ok: true, value }) as const

export const fail = <Code extends string>(code: Code, details: ErrorDetails = {}) =>
  ({ ...details, ok: false, code }) as const

/** Thrown, not returned: leaving the transaction callback this way is what rolls it back. */
export class ApiError extends Error {
  readonly code: string
  readonly detail?: string
  readonly extra?: Readonly<Record<string, unknown>>
  readonly errors?: readonly Fault[]
  readonly retry_after_seconds?: number

  constructor(code: string, details: ErrorDetails = {}) {
    super(details.detail ? `${code}: ${details.detail}` : code)
    this.name = 'Refusal'
    this.code = code
    if (details.detail !== undefined) this.detail = details.detail
    if (details.extra !== undefined) this.extra = details.extra
    if (details.errors !== undefined) this.errors = details.errors
    const { retry_after_seconds } = details
    if (retry_after_seconds !== undefined) this.retry_after_seconds = retry_after_seconds
  }
}

/**
 * A refusal of the moment: something else is under way. The request was not taken up, so nothing is
 * kept under its idempotency key and the same request may succeed later.
 */
export class TransientError extends ApiError {}

/**
 * A refusal that is told although what the deed wrote stays: a wrong guess is refused and counted.
 * The transaction that it leaves is committed. Its HTTP status must be one that is kept under an
 * idempotency key (409), so that the count and the answer are kept together.
 */
export class CommittedError extends ApiError {}

/** Turns a ruling into its value, or throws the refusal with everything that the rule told. */
export function unwrap<Value>(result: Result<Value, string>): Value {
  if (result.ok) return result.value
  throw new ApiError(result.code, result)
}

/** How the house says yes and no: rules answer rulings, deeds throw refusals. */

/** One fault of a request: where it stands (JSON pointer or field name) and what is wrong. */
export type Fault = { path: string; message: string }

/**
 * What a refusal may tell beside its code. `detail` is a sentence for a person; `extra` are
 * members added to the problem body as they are; `errors` lists every fault (D-9).
 */
export type Particulars = {
  detail?: string
  extra?: Readonly<Record<string, unknown>>
  errors?: readonly Fault[]
  /** After how long a retry makes sense. */
  retry_after_seconds?: number
}

/** What a rule answers: the value that may be acted on, or the code of the refusal. */
export type Ruling<Value, Code extends string> =
  | { allowed: true; value: Value }
  | ({ allowed: false; refusal: Code } & Particulars)

export const allow = <Value>(value: Value) => ({ allowed: true, value }) as const

export const refuse = <Code extends string>(refusal: Code, particulars: Particulars = {}) =>
  ({ ...particulars, allowed: false, refusal }) as const

/** Thrown, not returned: leaving the transaction callback this way is what rolls it back. */
export class Refusal extends Error {
  readonly code: string
  readonly detail?: string
  readonly extra?: Readonly<Record<string, unknown>>
  readonly errors?: readonly Fault[]
  readonly retry_after_seconds?: number

  constructor(code: string, particulars: Particulars = {}) {
    super(particulars.detail ? `${code}: ${particulars.detail}` : code)
    this.name = 'Refusal'
    this.code = code
    if (particulars.detail !== undefined) this.detail = particulars.detail
    if (particulars.extra !== undefined) this.extra = particulars.extra
    if (particulars.errors !== undefined) this.errors = particulars.errors
    const { retry_after_seconds } = particulars
    if (retry_after_seconds !== undefined) this.retry_after_seconds = retry_after_seconds
  }
}

/**
 * A refusal of the moment: something else is under way. The request was not taken up, so nothing is
 * kept under its idempotency key and the same request may succeed later.
 */
export class PassingRefusal extends Refusal {}

/**
 * A refusal that is told although what the deed wrote stays: a wrong guess is refused and counted.
 * The transaction that it leaves is committed. Its HTTP status must be one that is kept under an
 * idempotency key (409), so that the count and the answer are kept together.
 */
export class StandingRefusal extends Refusal {}

/** Turns a ruling into its value, or throws the refusal with everything that the rule told. */
export function obey<Value>(ruling: Ruling<Value, string>): Value {
  if (ruling.allowed) return ruling.value
  throw new Refusal(ruling.refusal, ruling)
}

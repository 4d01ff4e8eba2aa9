/** Errors that a call may throw: an answer of the API that is an error, or no answer at all. */

/** Every error of this library is one. */
export class BezantError extends Error {
  override readonly name: string = this.constructor.name
}

/** No answer arrived, or only a part of one. `cause` is the error of `fetch`. */
export class ConnectionError extends BezantError {}

/** No answer arrived within the time-out, in milliseconds. */
export class TimeoutError extends BezantError {
  readonly timeout: number

  constructor(message: string, timeout: number) {
    super(message)
    this.timeout = timeout
  }
}

/** The faults of each field, by its dotted path; '' is the whole body. */
export type Faults = Readonly<Record<string, readonly string[]>>

export type ErrorAnswer = {
  status: number
  /** The code of the error; undefined if the answer has none that is known. */
  code: string | undefined
  /** The error in words, for a person. */
  detail: string
  faults: Faults
  request_id: string | undefined
  /** Seconds after which a retry makes sense. */
  retry_after: number | undefined
}

/** The API has answered with an error. Each code has a class of its own. */
export class ApiError<Code extends string | undefined = string | undefined> extends BezantError {
  readonly status: number
  /** The code of the error; undefined if the answer has none that is known. */
  readonly code: Code
  readonly detail: string
  readonly faults: Faults
  /** Names the request in the logs of the platform. */
  readonly requestId: string | undefined
  /** Seconds after which a retry makes sense. */
  readonly retryAfter: number | undefined

  constructor(answer: ErrorAnswer) {
    super(messageOf(answer))
    this.status = answer.status
    // The class is chosen by the code.
    this.code = answer.code as Code
    this.detail = answer.detail
    this.faults = answer.faults
    this.requestId = answer.request_id
    this.retryAfter = answer.retry_after
  }
}

function messageOf({ status, code, detail, faults, request_id }: ErrorAnswer): string {
  const fields = Object.entries(faults).map(([path, messages]) =>
    `${path} ${messages.join(', ')}`.trim(),
  )
  const where = [status, code, request_id && `request ${request_id}`].filter((part) => part)
  return `${[detail, ...fields].join('; ')} (${where.join(', ')})`
}

/** The state of a delivery after an attempt. D-62. */

/** How many bytes of an answer are stored (D-65). */
const KEPT_BYTES = 4096
/** A longer Retry-After counts as this. */
const RETRY_AFTER_MAX_SECONDS = 86_400
/** A delay is made longer by up to this part of it, so that attempts spread. */
const JITTER = 0.1
const GONE = 410

/** The result of the attempt. `retry_after` is the header as it came. */
export type Outcome =
  | { kind: 'answered'; status: number; body: Buffer; retry_after: string | undefined }
  | { kind: 'unanswered'; error: string }

export type Verdict = {
  status: 'DELIVERED' | 'RETRYING' | 'EXPIRED'
  attempts: number
  /** On the tenant's clock; null when there is no further attempt. */
  due: Date | null
  response_status: number | null
  response_body: string | null
  error: string | null
  /** The endpoint asks for no more (410). */
  gone: boolean
}

export type Circumstances = {
  /** Attempts made before this one. */
  attempts: number
  /** Seconds between one attempt and the next. */
  schedule: readonly number[]
  /** The end of the attempt on the tenant's clock, and in real time for dates that came in. */
  now: Date
  real_now: Date
  /** A random number from 0 to 1. */
  chance: number
}

export function checkOutcome(outcome: Outcome, circumstances: Circumstances): Verdict {
  const { schedule, now, real_now, chance } = circumstances
  const attempts = circumstances.attempts + 1
  const response = responseOf(outcome)
  const answer = { attempts, ...response, gone: response.response_status === GONE }
  if (isDelivered(outcome)) return { ...answer, status: 'DELIVERED', due: null, error: null }
  const wait = schedule[circumstances.attempts]
  if (wait === undefined || answer.gone) return { ...answer, status: 'EXPIRED', due: null }

  const requested = outcome.kind === 'answered' ? secondsOf(outcome.retry_after, real_now) : 0
  const seconds = Math.max(wait * (1 + JITTER * chance), requested)
  const due = new Date(now.getTime() + Math.ceil(seconds * 1000))
  return { ...answer, status: 'RETRYING', due }
}

const isDelivered = (outcome: Outcome) =>
  outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300

function responseOf(outcome: Outcome) {
  if (outcome.kind === 'unanswered') {
    return { response_status: null, response_body: null, error: outcome.error }
  }
  const { status, body } = outcome
  const error = `the endpoint answered ${status}`
  return { response_status: status, response_body: body.length ? keptText(body) : null, error }
}

/** At most 4096 bytes of UTF-8 without U+0000; a character that the cut halves is left out. */
function keptText(body: Buffer): string {
  const text = body.subarray(0, KEPT_BYTES).toString('utf8').replaceAll('\u0000', '\ufffd')
  const bytes = Buffer.from(text)
  if (bytes.length <= KEPT_BYTES) return text
  return new TextDecoder().decode(bytes.subarray(0, KEPT_BYTES), { stream: true })
}

/** Retry-After is a number of seconds or an HTTP date (RFC 9110, 10.2.3). */
function secondsOf(header: string | undefined, real_now: Date): number {
  if (header === undefined) return 0
  const seconds = /^\d{1,12}$/.test(header)
    ? Number(header)
    : (Date.parse(header) - real_now.getTime()) / 1000
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), RETRY_AFTER_MAX_SECONDS)
}

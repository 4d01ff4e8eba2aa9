/** Logs as JSON lines without card data: secret members and runs of digits become stars. */

import { context, trace } from '@opentelemetry/api'
import pino, { type Logger } from 'pino'
import { isLuhn } from '#lib/luhn.ts'

export type Log = Logger

/** Members whose value is never logged. */
const HIDDEN = new RegExp(
  `^(${[
    'apikey|authorization|cookie|set-cookie|x-.*-idempotency-key|custom_headers',
    '.*(password|secret|token|private_key|master_?key).*',
    'pan|card_number|cvv2?|pin|enc_pin|pin_block|track.*',
  ].join('|')})$`,
  'i',
)
const STARS = '****'
const MAX_DEPTH = 8
/** Card numbers have 12 to 19 digits; spaces and dashes between them do not matter. */
const DIGIT_RUN = /\d(?:[ -]?\d){11,}/
/** Ids of this platform (UUID v7): one in 250 has digits that look like a card number's. */
const OWN_ID = /\b0[\da-f]{7}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}\b/
const ID_OR_RUN = new RegExp(`(${OWN_ID.source})|${DIGIT_RUN.source}`, 'g')
const LONGEST = 19
/** The lengths of card numbers to find within longer runs of digits. */
const USUAL_LENGTHS = [15, 16, 19]

/** Replaces secrets by stars: by the name of a member, and by the form of a card number. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return maskNumbers(value)
  if (typeof value === 'number' || typeof value === 'bigint') {
    const text = String(value)
    return maskNumbers(text) === text ? value : STARS
  }
  if (value === null || typeof value !== 'object') return value
  if (depth >= MAX_DEPTH) return STARS
  if (value instanceof Error) return redactError(value, depth)
  if (value instanceof Date) return value
  if (ArrayBuffer.isView(value)) return `(${value.byteLength} bytes)`
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      maskNumbers(name),
      HIDDEN.test(name) ? STARS : redact(member, depth + 1),
    ]),
  )
}

/** The text with stars in place of card numbers and of runs that contain one. */
export const maskNumbers = (text: string) =>
  text.replace(ID_OR_RUN, (run, id: string | undefined) =>
    id === undefined && holdsCardNumber(run.replace(/[ -]/g, '')) ? STARS : run,
  )

/** Whether a run of digits is a card number or, when it is longer, may contain one. */
function holdsCardNumber(digits: string): boolean {
  if (digits.length <= LONGEST && isLuhn(digits)) return true
  return USUAL_LENGTHS.filter((length) => length < digits.length).some((length) =>
    Array.from({ length: digits.length - length + 1 }, (_, at) =>
      digits.slice(at, at + length),
    ).some(isLuhn),
  )
}

/** The `detail` of a database error quotes row values, so only its code and message are logged. */
function redactError(error: Error, depth: number): Record<string, unknown> {
  return {
    type: error.name,
    message: maskNumbers(error.message),
    ...('code' in error && { code: error.code }),
    stack: maskNumbers(error.stack ?? ''),
    ...(error.cause !== undefined && { cause: redact(error.cause, depth + 1) }),
  }
}

export function createLog(level: string, destination?: pino.DestinationStream): Log {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {
      level: (label) => ({ level: label }),
      bindings: (object) => redact(object) as Record<string, unknown>,
      log: (object) => redact(object) as Record<string, unknown>,
    },
    mixin: () => {
      const trace_id = trace.getSpanContext(context.active())?.traceId
      return trace_id === undefined ? {} : { trace_id }
    },
    serializers: { err: (error) => error, req: () => undefined, res: () => undefined },
    hooks: {
      logMethod(args, method) {
        // The formatters do not get the arguments of %o in the message.
        const redacted = args.map((arg: unknown, at) => (at === 0 ? arg : redact(arg)))
        Reflect.apply(method, this, redacted)
      },
      // The last check: a message may be that of any error.
      streamWrite: maskNumbers,
    },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** A responder is asked about each authorization before it is approved. */

import { WebhookVerificationError } from 'standardwebhooks'
import type { AnswerResponderRequestBody, Transaction } from './generated/issuing/types.ts'
import { type ReceivedHeaders, verified } from './webhooks.ts'

export type { ReceivedHeaders } from './webhooks.ts'

/** `approved`, and at most `amount` in major units of the currency of the transaction. */
export type Decision = AnswerResponderRequestBody

/** Decides on the transaction as it would be: PENDING, without events. */
export type Decide = (transaction: Transaction) => Decision | Promise<Decision>

export type ResponderOptions = {
  /** The secret of `responder.secret`; several while it is rotated. */
  secret: string | readonly string[]
  decide: Decide
}

/** The answer to the platform: a status, and a body of JSON. */
export type ResponderAnswer = { status: number; body: string }

const OK = 200
const UNAUTHORIZED = 401
const TOO_LARGE = 413
/** Bytes of a question, which has a few thousand: a longer one is not the platform's. */
const LONGEST_QUESTION = 1_048_576

/**
 * Verifies a question, decides and returns the answer. A question that is not signed is answered
 * 401 and not decided. An error of `decide` is thrown: without a valid answer the platform does
 * what `default_action` says.
 */
export async function answer(
  body: string | Uint8Array,
  headers: ReceivedHeaders,
  { secret, decide }: ResponderOptions,
): Promise<ResponderAnswer> {
  let transaction: Transaction
  try {
    // A signed question is of the platform, and so as its document says.
    transaction = verified(body, headers, secret) as Transaction
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    return { status: UNAUTHORIZED, body: JSON.stringify({ detail: error.message }) }
  }
  return { status: OK, body: JSON.stringify(await decide(transaction)) }
}

/**
 * A function from a Request to its Response, as Bun, Deno, workers and most frameworks take it. Its
 * address is public: a body of more than 1 MiB is not read to its end, and is answered 413.
 */
export function handler(options: ResponderOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    const question = await bytesOf(request)
    const { status, body } = question
      ? await answer(question, request.headers, options)
      : { status: TOO_LARGE, body: JSON.stringify({ detail: 'The question is too long' }) }
    return new Response(body, { status, headers: { 'content-type': 'application/json' } })
  }
}

/** The body of a request; undefined if it is too long. */
async function bytesOf({ body }: Request): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = []
  let length = 0
  const reader = body?.getReader()
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    length += part.value.length
    if (length > LONGEST_QUESTION) {
      // The rest of such a body is not awaited.
      reader?.cancel().catch(() => {})
      return undefined
    }
    parts.push(part.value)
  }
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

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
  /** That of `responder.secret`; several while it is rotated. */
  secret: string | readonly string[]
  decide: Decide
}

/** What is sent back: a status, and a body of JSON. */
export type ResponderAnswer = { status: number; body: string }

const OK = 200
const UNAUTHORIZED = 401

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

/** A function from a Request to its Response, as Bun, Deno, workers and most frameworks take it. */
export function handler(options: ResponderOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    const { status, body } = await answer(await request.text(), request.headers, options)
    return new Response(body, { status, headers: { 'content-type': 'application/json' } })
  }
}

/** One sending of a recorded message, with its answer or what is known instead. */

import type { Context } from '#kit/context.ts'
import type { Secret } from '#lib/secret.ts'
import type { IssuerLink } from './link.ts'
import { type Outcome, outcomeOf, STILL_WORKING } from './rules.ts'
import * as store from './store.ts'
import * as wire from './wire.ts'

/** How long the issuer has to answer; the network gives it some seconds, and so do we. */
export const ANSWER_TIMEOUT_MS = 5_000
const ASK_AGAIN_MS = 250

/** This process ends and sends nothing any more; the message stays recorded for another. */
export class LinkClosed extends Error {
  override name = 'LinkClosed'
}

/**
 * Sends a recorded message and waits for its answer. Nothing is written but that it was sent. A
 * message that was sent before goes out as its own repeat, which the issuer answers with the
 * answer that it already gave. `cvv2` belongs to the first sending of an authorization. Throws
 * LinkClosed where nothing can be sent because the process ends.
 */
export async function transmit(
  ctx: Context,
  link: IssuerLink,
  id: string,
  cvv2?: Secret,
): Promise<Outcome> {
  if (link.closed) throw new LinkClosed()
  const message = await store.countAttempt(ctx, id)
  const card = message && (await store.openCard(ctx, message.authorization_id))
  if (!message || !card) return { kind: 'unanswered' }
  const fields = wire.withCard(message.fields, card, cvv2)
  const outcome = await ask(link, message.mti, fields, message.attempts > 1)
  if (outcome.kind === 'unsent' && link.closed) throw new LinkClosed()
  // An earlier sending may have arrived all the same.
  return outcome.kind === 'unsent' && message.attempts > 1 ? { kind: 'unanswered' } : outcome
}

async function ask(
  link: IssuerLink,
  mti: string,
  fields: object,
  repeated: boolean,
): Promise<Outcome> {
  const end = performance.now() + ANSWER_TIMEOUT_MS
  for (let repeat = repeated; ; repeat = true) {
    const message = { mti: repeat ? repeatOf(mti) : mti, fields: { ...fields } }
    const answer = await link.exchange(message, end - performance.now())
    // Only the first question of all can have been the one that never left.
    if (answer.kind === 'unsent') return { kind: repeat ? 'unanswered' : 'unsent' }
    if (answer.kind === 'unanswered') return answer
    if (answer.message.fields[39] !== STILL_WORKING) return outcomeOf(answer.message)
    if (performance.now() + ASK_AGAIN_MS >= end) return { kind: 'unanswered' }
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS))
  }
}

/** 0100 is repeated as 0101. */
const repeatOf = (mti: string) => `${mti.slice(0, 3)}1`

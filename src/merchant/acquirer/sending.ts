/** Sends a recorded message once and returns its outcome. */

import { type Context, transact } from '#kit/context.ts'
import { insist } from './insist.ts'
import type { IssuerLink } from './link.ts'
import { metrics } from './metrics.ts'
import { reverseAgain } from './reversals.ts'
import { type Outcome, outcomeOf, STILL_WORKING, tookEffect } from './rules.ts'
import { findCard, findMessage, type MessageRow, updateAttempts } from './store.ts'
import * as wire from './wire.ts'

/** How long the issuer has to answer; card networks allow some seconds too. */
export const ANSWER_TIMEOUT_MS = 5_000
const REPEAT_PAUSE_MS = 250
/**
 * A sender that comes later than this after the record looks first whether its message still waits.
 * Shorter than any lease, after which another process may have had it reversed (D-795).
 */
const PROMPT_MS = 1_000
/** How long a late approval is tried to be recorded while the database is unavailable. */
const RECORDING_MS = 30_000

/** This process ends and sends nothing any more; another process sends the recorded message. */
export class LinkClosed extends Error {
  override name = 'LinkClosed'
}

/** A message as it was recorded, and its card; undefined if that was deleted. */
export type Ready = {
  message: Pick<MessageRow, 'id' | 'issuer' | 'mti' | 'fields' | 'attempts'>
  card: wire.Card | undefined
  /** When its attempt was recorded, by `performance.now()`. */
  since: number
  /** It is collected for a file, and sent by nobody (D-1047). */
  by_file?: true
}

/**
 * Sends a recorded message again and waits for its answer. Only the attempt is recorded. It goes
 * out as its own repeat, which the issuer answers with the answer that it already gave. Throws
 * LinkClosed if nothing can be sent because the process ends.
 */
export async function transmit(ctx: Context, link: IssuerLink, id: string): Promise<Outcome> {
  if (link.closed) throw new LinkClosed()
  const since = performance.now()
  const message = await updateAttempts(ctx, id)
  const card = message && (await findCard(ctx, message.authorization_id))
  return message ? send(ctx, link, { message, card, since }) : { kind: 'unanswered' }
}

/**
 * Sends a message whose attempt is recorded: one that has just been recorded for it needs no
 * statement more. Proofs belong to the first sending of an authorization. Throws as `transmit`.
 */
export async function send(
  ctx: Context,
  link: IssuerLink,
  { message, card, since }: Ready,
  proofs?: wire.Proofs,
): Promise<Outcome> {
  if (link.closed) throw new LinkClosed()
  if (!card) return { kind: 'unanswered' }
  const isLate = performance.now() - since > PROMPT_MS
  if (isLate && (await findMessage(ctx, message.id))?.status !== 'PENDING') {
    return { kind: 'unanswered' }
  }
  const { issuer, mti, fields, attempts } = message
  const outcome = await exchange(link, message, wire.withCard(fields, card, proofs))
  metrics.issuerMessages.inc({ issuer: issuer ?? 'default', mti, result: resultOf(outcome) })
  if (outcome.kind === 'unsent' && link.closed) throw new LinkClosed()
  if (outcome.kind === 'unanswered') hearLate(ctx, link, { message, card, since })
  // An earlier sending may have arrived all the same.
  return outcome.kind === 'unsent' && attempts > 1 ? { kind: 'unanswered' } : outcome
}

/** A request is reversed, so that an approval that comes later has to be reversed once more. */
function hearLate(ctx: Context, link: IssuerLink, { message, card, since }: Ready): void {
  const { id, issuer, mti, fields } = message
  if (mti !== '0100' && mti !== '0200') return
  link.expectLate(issuer, { mti, fields: { ...(fields as object) } }, async (answer) => {
    if (!tookEffect(answer)) return
    const now = new Date(ctx.now.getTime() + performance.now() - since)
    const again = mti === '0100' ? card : undefined
    await insist(performance.now() + RECORDING_MS, () =>
      transact({ ...ctx, now }, (tx) => reverseAgain(tx, id, again)),
    )
  })
}

function resultOf(outcome: Outcome): string {
  if (outcome.kind !== 'answered') return outcome.kind
  return outcome.approved ? 'approved' : 'declined'
}

async function exchange(
  link: IssuerLink,
  { issuer, mti, attempts }: Ready['message'],
  fields: object,
): Promise<Outcome> {
  const end = performance.now() + ANSWER_TIMEOUT_MS
  for (let repeat = attempts > 1; ; repeat = true) {
    const message = { mti: repeat ? repeatOf(mti) : mti, fields: { ...fields } }
    const answer = await link.exchange(issuer, message, end - performance.now())
    // Only the very first request can be one that was never sent.
    if (answer.kind === 'unsent') return { kind: repeat ? 'unanswered' : 'unsent' }
    if (answer.kind === 'unanswered') return answer
    if (answer.message.fields[39] !== STILL_WORKING) return outcomeOf(answer.message)
    if (performance.now() + REPEAT_PAUSE_MS >= end) return { kind: 'unanswered' }
    await new Promise((resolve) => setTimeout(resolve, REPEAT_PAUSE_MS))
  }
}

/** 0100 is repeated as 0101. */
const repeatOf = (mti: string) => `${mti.slice(0, 3)}1`

/**
 * Front door to the card network. Every message is recorded before it is sent, so that whatever
 * breaks in between, its outcome is settled afterwards: by its answer, by asking again with the
 * same message, or by a reversal that is sent until it is acknowledged (D-87).
 */

import { randomBytes } from 'node:crypto'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { newId } from '#lib/id.ts'
import { Refusal } from '#lib/ruling.ts'
import type { Secret } from '#lib/secret.ts'
import type { IssuerLink } from './link.ts'
import { isAcknowledged, type Outcome, outcomeOf, resendAt, STILL_WORKING } from './rules.ts'
import * as store from './store.ts'
import * as wire from './wire.ts'

export { IssuerLink, type LinkOptions } from './link.ts'
export type { Outcome } from './rules.ts'
export { sealedMerchantCards } from './store.ts'
export type { Acceptor, Card } from './wire.ts'

/** The bell that wakes the sending of advices. */
export const ADVICES = 'acquirer_advices'

/** How long the issuer has to answer; the network gives it some seconds, and so do we. */
export const ANSWER_TIMEOUT_MS = 5_000
const ASK_AGAIN_MS = 250
const RRN_LENGTH = 12

export type Purchase = {
  acceptor: wire.Acceptor
  /** Minor units. */
  amount: bigint
  currency: string
  card: wire.Card
}

/** Records an authorization (0100) and seals the card for what may follow. Answers its id. */
export async function recordAuthorization(tx: Tx, purchase: Purchase): Promise<string> {
  const { acceptor, amount, currency, card } = purchase
  const id = newId()
  const stamp = await stampOf(tx)
  const fields = wire.authorizationFields(acceptor, { amount, currency }, stamp, newRrn())
  await store.keepCard(tx, id, card)
  await store.insertMessage(tx, { id, authorization_id: id, mti: '0100', fields, due: null })
  return id
}

/** Records a completion (0220) of `amount` minor units. Answers the message's id. */
export function recordCompletion(tx: Tx, authorization_id: string, amount: bigint) {
  return recordFollower(tx, authorization_id, '0220', ({ fields, approval_code }, stamp) =>
    wire.completionFields(fields, approval_code, amount, stamp),
  )
}

/** Records a refund (0200, processing code 20) of `amount` minor units. */
export function recordRefund(tx: Tx, authorization_id: string, amount: bigint) {
  return recordFollower(tx, authorization_id, '0200', ({ fields }, stamp) =>
    wire.refundFields(fields, amount, stamp),
  )
}

/**
 * Records that the hold is given back (0420): all of it, or down to `stays` minor units. It is sent
 * from `due` on until the issuer acknowledges it; who sends it first may also be the caller.
 */
export async function recordRelease(
  tx: Tx,
  authorization_id: string,
  { stays, due }: { stays?: bigint; due: Date },
): Promise<string> {
  const fieldsOf: FieldsOf = ({ fields, approval_code }, stamp) =>
    wire.reversalFields('0100', fields, approval_code, '17', stamp, stays)
  const id = await recordFollower(tx, authorization_id, '0420', fieldsOf, due)
  tx.afterCommit(() => tx.ring(ADVICES))
  return id
}

/**
 * Sends a recorded message and waits for its answer. Nothing is written but that it was sent. A
 * message that was sent before goes out as its own repeat, which the issuer answers with the
 * answer that it already gave. `cvv2` belongs to the first sending of an authorization.
 */
export async function transmit(
  ctx: Context,
  link: IssuerLink,
  id: string,
  cvv2?: Secret,
): Promise<Outcome> {
  const message = await store.countAttempt(ctx, id)
  const card = message && (await store.openCard(ctx, message.authorization_id))
  if (!message || !card) return { kind: 'unanswered' }
  const fields = wire.withCard(message.fields, card, cvv2)
  const outcome = await ask(link, message.mti, fields, message.attempts > 1)
  // An earlier sending may have arrived all the same.
  return outcome.kind === 'unsent' && message.attempts > 1 ? { kind: 'unanswered' } : outcome
}

/**
 * Settles a message by its outcome, once: false when that has happened before. What was not
 * answered is taken back by a reversal, which is recorded here and sent until acknowledged.
 */
export async function conclude(tx: Tx, id: string, outcome: Outcome): Promise<boolean> {
  const message = await store.settleMessage(tx, id, settledBy(outcome))
  if (!message) return false
  const { authorization_id, mti } = message
  if (message.status === 'REVERSED') await recordReversal(tx, message)
  else if (mti === '0100' && message.status !== 'APPROVED')
    await store.forgetCard(tx, authorization_id)
  return true
}

/** Sends an advice once, and either settles it or notes when it is sent again. */
export async function forward(ctx: Context, link: IssuerLink, id: string): Promise<boolean> {
  const outcome = await transmit(ctx, link, id)
  if (isAcknowledged(outcome)) {
    await transact(ctx, (tx) => acknowledge(tx, id, outcome))
    return true
  }
  const message = await store.findMessage(ctx, id)
  await store.postpone(ctx, id, resendAt(ctx.now, message?.attempts ?? 0))
  return false
}

/** A card whose authorization is wholly given back is forgotten. */
async function acknowledge(tx: Tx, id: string, outcome: Outcome): Promise<void> {
  const response_code = outcome.kind === 'answered' ? outcome.response_code : null
  const message = await store.settleMessage(tx, id, { status: 'APPROVED', response_code })
  if (!message) return
  const fields = message.fields as Record<string, string | undefined>
  const whole = fields[90]?.startsWith('0100') === true && fields[95] === undefined
  if (whole) await store.forgetCard(tx, message.authorization_id)
}

function settledBy(outcome: Outcome) {
  if (outcome.kind === 'unsent') return { status: 'UNSENT' as const }
  if (outcome.kind === 'unanswered') return { status: 'REVERSED' as const }
  const { approved, response_code, approval_code } = outcome
  return {
    status: approved ? ('APPROVED' as const) : ('DECLINED' as const),
    response_code,
    approval_code,
  }
}

async function recordReversal(tx: Tx, message: store.MessageRow): Promise<void> {
  const { mti, authorization_id } = message
  const stamp = await stampOf(tx)
  const fields = wire.reversalFields(mti, message.fields, null, '68', stamp)
  await store.insertMessage(tx, { id: newId(), authorization_id, mti: '0420', fields, due: tx.now })
  tx.afterCommit(() => tx.ring(ADVICES))
}

type FieldsOf = (authorization: store.MessageRow, stamp: wire.Stamp) => object

async function recordFollower(
  tx: Tx,
  authorization_id: string,
  mti: '0200' | '0220' | '0420',
  fieldsOf: FieldsOf,
  due: Date | null = null,
): Promise<string> {
  const [authorization, stamp] = await Promise.all([
    store.findMessage(tx, authorization_id),
    stampOf(tx),
  ])
  if (!authorization) throw new Refusal('not_found')
  const id = newId()
  const fields = fieldsOf(authorization, stamp)
  await store.insertMessage(tx, { id, authorization_id, mti, fields, due })
  return id
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
    if (answer.kind !== 'answered') return answer
    const outcome = outcomeOf(answer.message)
    if (answer.message.fields[39] !== STILL_WORKING) return outcome
    if (performance.now() + ASK_AGAIN_MS >= end) return { kind: 'unanswered' }
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS))
  }
}

/** 0100 is repeated as 0101. */
const repeatOf = (mti: string) => `${mti.slice(0, 3)}1`

const stampOf = async (tx: Tx): Promise<wire.Stamp> => ({
  now: tx.now,
  stan: await store.nextStan(tx),
})

/** Retrieval reference numbers are told apart by chance: 62 bits of it. */
function newRrn(): string {
  const text = BigInt(`0x${randomBytes(10).toString('hex')}`)
    .toString(36)
    .toUpperCase()
  return text.slice(-RRN_LENGTH).padStart(RRN_LENGTH, '0')
}

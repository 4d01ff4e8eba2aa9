/**
 * Public functions of the connection to the card network. Every message is recorded before it is
 * sent, so that its outcome becomes known after any failure: by its answer, by a repeat of the
 * message, or by a reversal that is sent until it is acknowledged (D-131).
 */

import { randomBytes } from 'node:crypto'
import type { Tx } from '#kit/context.ts'
import { newId } from '#lib/id.ts'
import { ApiError } from '#lib/result.ts'
import { ADVICES } from './outcomes.ts'
import { findMessage, insertCard, insertMessage, type MessageRow, nextStamp } from './store.ts'
import * as wire from './wire.ts'

export { IssuerLink, type LinkOptions } from './link.ts'
export { type Conclusion, conclude, forward, insist, type TakenBack } from './outcomes.ts'
export type { Outcome } from './rules.ts'
export { ANSWER_TIMEOUT_MS, LinkClosed, transmit } from './sending.ts'
export { advicesDue, sealedMerchantCards } from './store.ts'
export { ACQUIRER_ID, type Acceptor, type Card, type ThreeDs } from './wire.ts'

const RRN_LENGTH = 12

export type Purchase = {
  acceptor: wire.Acceptor
  /** Minor units. */
  amount: bigint
  currency: string
  card: wire.Card
  three_ds: wire.ThreeDs
}

/** Records an authorization (0100) and seals the card for later messages. Returns its id. */
export async function recordAuthorization(tx: Tx, purchase: Purchase): Promise<string> {
  const { acceptor, card, ...sale } = purchase
  const id = newId()
  const stamp = await nextStamp(tx)
  const fields = wire.authorizationFields(acceptor, sale, stamp, newRrn())
  await insertCard(tx, id, card)
  await insertMessage(tx, { id, authorization_id: id, mti: '0100', fields, due: null })
  return id
}

/** Records a completion (0220) of `amount` minor units. Returns the message's id. */
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
 * Records a reversal of the hold (0420): in full, or down to `stays` minor units. It is sent from
 * `due` on until the issuer acknowledges it; the caller may send it first.
 */
export async function recordRelease(
  tx: Tx,
  authorization_id: string,
  { stays, due }: { stays?: bigint; due: Date },
): Promise<string> {
  const fieldsOf: FieldsOf = ({ fields, approval_code }, stamp) =>
    wire.reversalFields('0100', fields, approval_code, '17', stamp, stays)
  const id = await recordFollower(tx, authorization_id, '0420', fieldsOf, due)
  tx.afterCommit(() => tx.notify(ADVICES, tx.tenant_id))
  return id
}

type FieldsOf = (authorization: MessageRow, stamp: wire.Stamp) => object

async function recordFollower(
  tx: Tx,
  authorization_id: string,
  mti: '0200' | '0220' | '0420',
  fieldsOf: FieldsOf,
  due: Date | null = null,
): Promise<string> {
  const [authorization, stamp] = await Promise.all([
    findMessage(tx, authorization_id),
    nextStamp(tx),
  ])
  if (!authorization) throw new ApiError('not_found')
  const id = newId()
  const fields = fieldsOf(authorization, stamp)
  await insertMessage(tx, { id, authorization_id, mti, fields, due })
  return id
}

/** Retrieval reference numbers have 62 random bits. */
function newRrn(): string {
  const text = BigInt(`0x${randomBytes(10).toString('hex')}`)
    .toString(36)
    .toUpperCase()
  return text.slice(-RRN_LENGTH).padStart(RRN_LENGTH, '0')
}

/**
 * Public functions of the connection to the card network. Every message is recorded before it is
 * sent, so that its outcome becomes known after any failure: by its answer, by a repeat of the
 * message, or by a reversal that is sent until it is acknowledged (D-131).
 */

import { randomBytes } from 'node:crypto'
import type { Tx } from '#kit/context.ts'
import { Write } from '#kit/db/write.ts'
import { newId } from '#lib/id.ts'
import { ApiError } from '#lib/result.ts'
import { ADVICES } from './due.ts'
import { insertPresentment } from './files/store.ts'
import type { IssuerLink, IssuerName } from './link.ts'
import type { Ready } from './sending.ts'
import {
  findCard,
  findMessage,
  insertCard,
  insertMessage,
  type MessageRow,
  nextStamp,
} from './store.ts'
import * as wire from './wire.ts'

export { auditShopVault } from './audit.ts'
export { auditAcquirer } from './audit_messages.ts'
export { dueKindOfIssuer, isOfIssuer, sweepsByIssuer } from './due.ts'
export { endMessage, isStuck } from './ending.ts'
export {
  type FileRow as WrittenFile,
  filesDue,
  findFile as findWrittenFile,
  listFiles as listWrittenFiles,
  presentmentsDue,
} from './files/store.ts'
export type { TakeIn } from './files/sweeps.ts'
export { bytesOf, writeFile } from './files/writing.ts'
export { insist } from './insist.ts'
export type { AccessControl, IssuerOptions } from './issuer_lines.ts'
export { IssuerLink, type IssuerName } from './link.ts'
export { type Conclusion, conclude, forward, type TakenBack } from './outcomes.ts'
export type { Outcome } from './rules.ts'
export { ANSWER_TIMEOUT_MS, LinkClosed, type Ready, send, transmit } from './sending.ts'
export { reserveStamp } from './stans.ts'
export {
  advicesDueOf,
  deleteCard,
  findCard,
  hasStoredCard,
  insertCard,
  nextStamp,
  sealedMerchantCards,
} from './store.ts'
export { ACQUIRER_ID, type Acceptor, type Card, type Stamp, type ThreeDs } from './wire.ts'

const RRN_LENGTH = 12

export type Purchase = {
  /** Its issuer is that of the payment for ever (D-761). */
  acceptor: wire.Acceptor & { issuer: IssuerName }
  /** Minor units. */
  amount: bigint
  currency: string
  card: wire.Card
  three_ds: wire.ThreeDs
  /** The merchant asks for it with a kept card, without the customer (D-775). */
  recurring?: boolean
}

/**
 * Records an authorization (0100) that is sent at once, and seals the card for later messages. The
 * attempt is recorded with it: after a crash the issuer may have it, and it is reversed.
 */
export function recordAuthorization(tx: Tx, purchase: Purchase, stamp: wire.Stamp): Ready {
  const { acceptor, card, ...sale } = purchase
  const id = newId()
  const fields = wire.authorizationFields(acceptor, sale, stamp, newRrn())
  const { issuer } = acceptor
  const sent = { mti: '0100', fields, due: null, attempts: 1 } as const
  const message = { id, authorization_id: id, issuer, ...sent }
  void tx.withCommit(Write.all(tx.db, insertCard(tx, id, card), insertMessage(tx, message)))
  return { message, card, since: performance.now() }
}

/** The data that a later message of a payment is made from. */
export type Payment = {
  authorization: MessageRow
  card: wire.Card | undefined
  stamp: wire.Stamp
}

/** Reads that travel together, and with those that the caller starts beside them. */
export async function readPayment(
  tx: Tx,
  authorization_id: string,
  reserved?: wire.Stamp,
): Promise<Payment> {
  const [authorization, card, stamp] = await Promise.all([
    findMessage(tx, authorization_id),
    findCard(tx, authorization_id),
    reserved ?? nextStamp(tx),
  ])
  if (!authorization) throw new ApiError('not_found')
  return { authorization, card, stamp }
}

/**
 * Whether the caller sends the message itself, at once: then its attempt is recorded with it. By a
 * file it is sent by nobody, and is approved as it is recorded (D-1047).
 */
export type Sending = 'now' | 'later' | 'by file'

/** How a capture or refund of a payment reaches its issuer. */
export const sendingOf = (
  link: IssuerLink,
  { authorization }: Payment,
  usual: 'now' | 'later',
): Sending => (link.clearsByFile(authorization.issuer) ? 'by file' : usual)

/** Records a completion (0220) of `amount` minor units. */
export function recordCompletion(tx: Tx, of: Payment, amount: bigint, sending: Sending): Ready {
  const { fields, approval_code } = of.authorization
  const completion = wire.completionFields(fields, approval_code, amount, of.stamp)
  return record(tx, of, { mti: '0220', fields: completion, due: null }, sending)
}

/** Records a refund (0200, processing code 20) of `amount` minor units. */
export function recordRefund(tx: Tx, of: Payment, amount: bigint, sending: Sending): Ready {
  const fields = wire.refundFields(of.authorization.fields, amount, of.stamp)
  return record(tx, of, { mti: '0200', fields, due: null }, sending)
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
  const of = await readPayment(tx, authorization_id)
  const { fields, approval_code } = of.authorization
  const reversal = wire.reversalFields('0100', fields, approval_code, '17', of.stamp, stays)
  const { message } = record(tx, of, { mti: '0420', fields: reversal, due }, 'later')
  tx.afterCommit(() => tx.notify(ADVICES, tx.tenant_id))
  return message.id
}

type Follower = Pick<MessageRow, 'mti' | 'fields' | 'due'>

function record(tx: Tx, of: Payment, follower: Follower, sending: Sending): Ready {
  const { id: authorization_id, issuer } = of.authorization
  const attempts = sending === 'now' ? 1 : 0
  const message = { id: newId(), authorization_id, issuer, ...follower, attempts }
  const by_file = sending === 'by file'
  void tx.withCommit(insertMessage(tx, message, by_file ? 'APPROVED' : 'PENDING'))
  if (by_file) {
    const due = dayAfter(tx.now)
    void tx.withCommit(insertPresentment(tx, { message_id: message.id, issuer, due }))
  }
  return { message, card: of.card, since: performance.now(), ...(by_file && { by_file }) }
}

const DAY_MS = 86_400_000

/** The end of its day of UTC. */
const dayAfter = (now: Date): Date => new Date((Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS)

/** Retrieval reference numbers have 62 random bits. */
function newRrn(): string {
  const text = BigInt(`0x${randomBytes(10).toString('hex')}`)
    .toString(36)
    .toUpperCase()
  return text.slice(-RRN_LENGTH).padStart(RRN_LENGTH, '0')
}

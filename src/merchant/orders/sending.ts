/**
 * Sends an operation's message, for the first time or again, and records the outcome. While the
 * outcome is not known the operation stays PENDING, and `in_doubt` once it was sent without an
 * answer (D-131): a capture is sent again, a refund is reversed. The capture of a deadline is sent
 * again also if it could not be sent (D-793).
 */

import { emit, emitAfter, type LastSequences, lastSequences } from '#events/outbox.ts'
import type { Context, Tx } from '#kit/context.ts'
import { shareTransaction } from '#kit/db/shared_transactions.ts'
import { ApiError } from '#lib/result.ts'
import {
  ANSWER_TIMEOUT_MS,
  type Conclusion,
  conclude,
  forward,
  type IssuerLink,
  insist,
  type Outcome,
  type Ready,
  recordRelease,
  send,
  transmit,
} from '#merchant/acquirer/acquirer.ts'
import { orderCaptured, orderExpired, orderRefunded } from './events.ts'
import { payableFrom } from './rules/payable.ts'
import {
  findOperation,
  findOperationByMessage,
  insertOperation,
  lockOrder,
  type OperationRow,
  type OrderRow,
  updateOperationFinished,
  updateOperationInDoubt,
  updateOperationLease,
  updateOrder,
} from './store.ts'

/**
 * The lease of the sender of an operation's message, renewed while it waits for the answer: after a
 * kill another process continues soon.
 */
export const LEASE_MS = 3_000
const RENEW_MS = 1_000
/** The process that sends a release has finished by then, or has ended. */
const RELEASED_MS = ANSWER_TIMEOUT_MS + 3_000

type OnKnown<Result> = (tx: Tx, order: OrderRow, done: OperationRow) => Promise<Result>

/** `ready` is the message, if it has just been recorded. `end` is a time of performance.now(). */
type Carrying = { ready?: Ready | undefined; end: number }

/**
 * Sends the message of an operation and records the outcome, until `end` while the database is
 * unavailable. Undefined: the outcome is not known yet. `onKnown` runs in the transaction that
 * records it. Concurrent calls are safe: the issuer answers a repeat as before, and the first
 * record counts.
 */
export async function carryOut<Result>(
  ctx: Context,
  link: IssuerLink,
  operation: OperationRow,
  onKnown: OnKnown<Result>,
  { ready, end }: Carrying = { end: performance.now() },
): Promise<{ result: Result } | undefined> {
  const outcome = await whileHeld(ctx, operation.id, () =>
    ready ? send(ctx, link, ready) : transmit(ctx, link, operation.message_id),
  )
  const { known, release_id } = await insist(end, () =>
    shareTransaction(ctx, operation.order_id, (tx) =>
      recordOutcome(tx, operation, outcome, onKnown),
    ),
  )
  // The rest is released at once; if this fails, the sweep releases it.
  if (release_id !== undefined) await forward(ctx, link, release_id)
  return known
}

/** A failed renewal only causes a repeat, which the issuer answers as before. */
async function whileHeld<Result>(ctx: Context, id: string, work: () => Promise<Result>) {
  const renewing = setInterval(() => {
    updateOperationLease(ctx, id, RENEW_MS).catch(() => {})
  }, RENEW_MS)
  try {
    return await work()
  } finally {
    clearInterval(renewing)
  }
}

/** Used by callers that do not need the result. */
export const nothingMore = async (): Promise<void> => {}

type Recorded = { order: OrderRow; operation: OperationRow; release_id?: string }

/** No caller waits for the capture of a deadline: an unavailable issuer must not cost the sale. */
const heldOpen = ({ at_deadline }: OperationRow, outcome: Outcome): Outcome =>
  at_deadline && outcome.kind === 'unsent' ? { kind: 'unanswered' } : outcome

async function recordOutcome<Result>(
  tx: Tx,
  begun: OperationRow,
  outcome: Outcome,
  onKnown: OnKnown<Result>,
): Promise<{ known?: { result: Result }; release_id?: string }> {
  const { id, order_id, message_id } = begun
  // Sent together, and run in this order: the order is locked before the message.
  const [order, operation, conclusion, last] = await Promise.all([
    lockedOrder(tx, order_id),
    findOperation(tx, id),
    conclude(tx, message_id, heldOpen(begun, outcome)),
    lastSequences(tx, order_id),
  ])
  if (!operation) throw new ApiError('not_found')
  const recorded = await finishedBy(tx, { order, operation, conclusion, last })
  if (!recorded) return {}
  const result = await onKnown(tx, recorded.order, recorded.operation)
  const { release_id } = recorded
  return { known: { result }, ...(release_id !== undefined && { release_id }) }
}

type Known = {
  order: OrderRow
  operation: OperationRow
  conclusion: Conclusion
  /** The sequences of the order's events. */
  last: LastSequences
  /** When the sweep sends the release of the rest; its caller sends it by default. */
  release?: Date
}

async function finishedBy(tx: Tx, known: Known): Promise<Recorded | undefined> {
  const { order, operation, conclusion, last, release = afterCaller(tx) } = known
  if (operation.status !== 'PENDING') return { order, operation }
  if (!conclusion.known) {
    await updateOperationInDoubt(tx, operation, conclusion.due)
    return undefined
  }
  if (!conclusion.approved) return fail(tx, order, operation)
  const done = { ...operation, status: 'SUCCESS' as const }
  const payable = payableFrom(tx.now)
  void tx.withCommit(updateOperationFinished(tx, operation.id, { status: done.status, payable }))
  return done.type === 'CAPTURE'
    ? captured(tx, order, done, { last, release })
    : refunded(tx, order, done, last)
}

const afterCaller = ({ now }: Tx): Date => new Date(now.getTime() + RELEASED_MS)

/**
 * Records a capture or refund that reaches its issuer by a file: it has succeeded as it is recorded
 * (D-1047).
 */
export async function finishByFile(
  tx: Tx,
  order: OrderRow,
  operation: OperationRow,
): Promise<Pick<Recorded, 'order' | 'operation'>> {
  const last = await lastSequences(tx, order.id)
  void tx.withCommit(insertOperation(tx, operation))
  const conclusion = { known: true, approved: true } as const
  // Nobody sends the release of the rest but the sweep.
  const recorded = await finishedBy(tx, { order, operation, conclusion, last, release: tx.now })
  if (!recorded) throw new Error('an operation by file has no outcome')
  return recorded
}

/**
 * The message of an operation was reversed and the issuer has acknowledged that: the operation has
 * certainly failed. Does nothing if the message belongs to no operation.
 */
export async function operationTakenBack(tx: Tx, message_id: string): Promise<void> {
  const found = await findOperationByMessage(tx, message_id)
  if (!found) return
  const order = await lockedOrder(tx, found.order_id)
  const operation = await findOperation(tx, found.id)
  if (operation?.status === 'PENDING') await fail(tx, order, operation)
}

type Ended = {
  id: string
  order_id: string
  approved: boolean
  end: () => Promise<void>
}

/**
 * Ends an operation whose outcome was learnt beside its messages; `end` records that of its
 * message. False if it has an outcome.
 */
export async function endOperation(
  tx: Tx,
  { id, order_id, approved, end }: Ended,
): Promise<boolean> {
  const order = await lockedOrder(tx, order_id)
  const operation = await findOperation(tx, id)
  if (operation?.status !== 'PENDING') return false
  await end()
  const last = await lastSequences(tx, order_id)
  await finishedBy(tx, { order, operation, conclusion: { known: true, approved }, last })
  return true
}

/** The sums that an order has moved so far, minor units. */
export async function capturedAndRefunded(
  tx: Tx,
  order_id: string,
): Promise<Pick<OrderRow, 'captured' | 'refunded'>> {
  const { captured, refunded } = await lockedOrder(tx, order_id)
  return { captured, refunded }
}

async function fail(tx: Tx, order: OrderRow, operation: OperationRow): Promise<Recorded> {
  const done = { ...operation, status: 'FAILURE' as const }
  await updateOperationFinished(tx, operation.id, { status: done.status }).start()
  return { order: operation.at_deadline ? await releaseOrder(tx, order) : order, operation: done }
}

async function captured(
  tx: Tx,
  order: OrderRow,
  operation: OperationRow,
  { last, release: due }: { last: LastSequences; release: Date },
): Promise<Recorded> {
  const { amount, total, final } = operation
  const changes = {
    captured: order.captured + amount,
    total_captured: order.total_captured + total,
    ...(final && { status: 'COMPLETED' as const, due: null }),
  }
  const after = { ...order, ...changes, modified: tx.now }
  void tx.withCommit(updateOrder(tx, order.id, changes))
  await emitAfter(tx, last, [orderCaptured(after, operation)])
  const stays = after.captured
  if (!final || stays === order.authorized) return { order: after, operation }
  const release_id = await recordRelease(tx, order.authorization_id, { stays, due })
  return { order: after, operation, release_id }
}

async function refunded(
  tx: Tx,
  order: OrderRow,
  operation: OperationRow,
  last: LastSequences,
): Promise<Recorded> {
  const changes = {
    refunded: order.refunded + operation.amount,
    total_refund: order.total_refund + operation.total,
  }
  const after = { ...order, ...changes, modified: tx.now }
  void tx.withCommit(updateOrder(tx, order.id, changes))
  await emitAfter(tx, last, [orderRefunded(after, operation)])
  return { order: after, operation }
}

/**
 * Releases what is held and not captured: nothing more can be captured (D-85). Parts that were
 * captured complete the order (D-783).
 */
export async function releaseOrder(tx: Tx, order: OrderRow): Promise<OrderRow> {
  const { captured: stays } = order
  await recordRelease(tx, order.authorization_id, { ...(stays > 0n && { stays }), due: tx.now })
  const status = stays > 0n ? ('COMPLETED' as const) : order.status
  const changes = { status, released: true, due: null }
  const after = { ...order, ...changes, modified: tx.now }
  await updateOrder(tx, order.id, changes).start()
  await emit(tx, orderExpired(after))
  return after
}

export async function lockedOrder(tx: Tx, id: string): Promise<OrderRow> {
  const order = await lockOrder(tx, id)
  if (!order) throw new ApiError('not_found')
  return order
}

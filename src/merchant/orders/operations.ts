/**
 * Captures and refunds: ruled on and recorded under the order's lock, carried out over the wire
 * without it, and settled under it again. An operation that breaks off in between stays PENDING
 * with its message, and whoever meets it first settles it: the sweep, a retry, or the next in turn.
 */

import { readClock } from '#kit/clock.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { KEY_LIFETIME_MS, keepAnswer } from '#kit/idempotency.ts'
import { emit } from '#kit/outbox.ts'
import type { Keep } from '#kit/route.ts'
import { newId } from '#lib/id.ts'
import { Refusal } from '#lib/ruling.ts'
import {
  ANSWER_TIMEOUT_MS,
  conclude,
  forward,
  type IssuerLink,
  type Outcome,
  recordRelease,
  transmit,
} from '#merchant/acquirer/acquirer.ts'
import { orderCaptured, orderExpired, orderRefunded } from './events.ts'
import type { Movement } from './rules/operations.ts'
import type { OperationRow, OrderRow } from './store.ts'
import * as store from './store.ts'

/** Whoever begins an operation is done with it by then, or is gone. */
export const LEASE_MS = ANSWER_TIMEOUT_MS + 3_000
/** How long the next in turn waits for the operation that is under way. */
const TURN_MS = 2 * LEASE_MS
const FIRST_PAUSE_MS = 10
const LONGEST_PAUSE_MS = 200

export type Plan<Result> = {
  type: OperationRow['type']
  /** What is to be moved; null when there is nothing, which is a failure. Throws refusals. */
  rule: (order: OrderRow, now: Date) => Movement | null
  record: (tx: Tx, order: OrderRow, amount: bigint) => Promise<string>
  present: (order: OrderRow, done: OperationRow | null) => Result
  keep: Keep | undefined
}

type Turn<Result> =
  | { kind: 'answered'; result: Result }
  | { kind: 'started' | 'busy'; operation: OperationRow }

/** Carries an operation out, in turn with the others of the same order, and answers its result. */
export async function perform<Result>(
  ctx: Context,
  link: IssuerLink,
  order_id: string,
  plan: Plan<Result>,
): Promise<Result> {
  const turn = await takeTurn(ctx, link, order_id, plan)
  if (turn.kind === 'answered') return turn.result
  return settle(ctx, link, turn.operation, (tx, order, done) => answer(tx, plan, order, done))
}

/** Waits while another operation is under way; one whose time has passed is settled first. */
async function takeTurn<Result>(
  ctx: Context,
  link: IssuerLink,
  order_id: string,
  plan: Plan<Result>,
): Promise<Turn<Result>> {
  const start = performance.now()
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    const turn = await transact(ctx, (tx) => tryToStart(tx, order_id, plan))
    if (turn.kind !== 'busy') return turn
    const passed = performance.now() - start
    const { due } = turn.operation
    if (due && due.getTime() <= ctx.now.getTime() + passed)
      await settle(ctx, link, turn.operation, nothingMore)
    else if (passed > TURN_MS) throw new Refusal('order_operation_in_progress')
    else await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

async function tryToStart<Result>(
  tx: Tx,
  order_id: string,
  plan: Plan<Result>,
): Promise<Turn<Result>> {
  const order = await lockedOrder(tx, order_id)
  const before = await sameKey(tx, plan.keep)
  if (before?.status === 'PENDING') return { kind: 'started', operation: before }
  if (before) return { kind: 'answered', result: await answer(tx, plan, order, before) }
  const pending = await store.findPending(tx, order_id)
  if (pending) return { kind: 'busy', operation: pending }

  const movement = plan.rule(order, tx.now)
  if (!movement) return { kind: 'answered', result: await answer(tx, plan, order, null) }
  const message_id = await plan.record(tx, order, movement.amount)
  const operation = newOperation(tx, order_id, plan.type, movement, message_id)
  const { key: idempotency_key = null, fingerprint = null } = plan.keep?.key ?? {}
  const row = { ...operation, idempotency_key, fingerprint }
  await store.insertOperation(tx, row)
  return { kind: 'started', operation: row }
}

export function newOperation(
  { tenant_id, now }: Tx,
  order_id: string,
  type: OperationRow['type'],
  { total, amount }: Movement,
  message_id: string,
): OperationRow {
  return {
    ...{ tenant_id, id: newId(), order_id, type, status: 'PENDING', total, amount, message_id },
    at_deadline: false,
    idempotency_key: null,
    fingerprint: null,
    due: new Date(now.getTime() + LEASE_MS),
    created: now,
    modified: now,
  }
}

/**
 * What an earlier request under the same key has begun: a retry joins it at once (D-10). Whoever
 * began it is gone, or works in another process; its message may be sent by both.
 */
async function sameKey(tx: Tx, keep: Keep | undefined): Promise<OperationRow | undefined> {
  const before = keep && (await store.findByKey(tx, keep.key.key))
  if (!before) return undefined
  const real = await readClock(tx.db)
  if (madeAt(before.id) < real.getTime() - KEY_LIFETIME_MS) return undefined
  if (!before.fingerprint?.equals(keep.key.fingerprint)) throw new Refusal('idempotency_key_reused')
  return before
}

/** Real time of an id of version 7, since keys live in real time (D-115). */
const madeAt = (id: string) => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

async function answer<Result>(
  tx: Tx,
  { present, keep }: Plan<Result>,
  order: OrderRow,
  done: OperationRow | null,
): Promise<Result> {
  const result = present(order, done)
  if (keep) await keepAnswer(tx, keep.key, keep.finish(result))
  return result
}

/**
 * Sends the operation's message, for the first time or again, and records what came of it. Safe to
 * do at once by several: the issuer answers a repeat as before, and the first to record decides.
 */
export async function settle<Result>(
  ctx: Context,
  link: IssuerLink,
  { id, order_id, message_id }: OperationRow,
  onSettled: (tx: Tx, order: OrderRow, done: OperationRow) => Promise<Result>,
): Promise<Result> {
  const outcome = await transmit(ctx, link, message_id)
  const { result, release_id } = await transact(ctx, async (tx) => {
    const order = await lockedOrder(tx, order_id)
    const operation = await store.findOperation(tx, id)
    if (!operation) throw new Refusal('not_found')
    const recorded = await recordOutcome(tx, order, operation, outcome)
    const result = await onSettled(tx, recorded.order, recorded.operation)
    return { result, release_id: recorded.release_id }
  })
  // What was not captured is released at once; should this fail, the sweep does it.
  if (release_id !== undefined) await forward(ctx, link, release_id)
  return result
}

/** For those who only clear the way. */
export const nothingMore = async (): Promise<void> => {}

type Settled = { order: OrderRow; operation: OperationRow; release_id?: string }

async function recordOutcome(
  tx: Tx,
  order: OrderRow,
  operation: OperationRow,
  outcome: Outcome,
): Promise<Settled> {
  if (operation.status !== 'PENDING') return { order, operation }
  await conclude(tx, operation.message_id, outcome)
  const approved = outcome.kind === 'answered' && outcome.approved
  const done = { ...operation, status: approved ? ('SUCCESS' as const) : ('FAILURE' as const) }
  await store.finishOperation(tx, operation.id, done.status)
  if (approved) {
    return operation.type === 'CAPTURE' ? captured(tx, order, done) : refunded(tx, order, done)
  }
  return { order: operation.at_deadline ? await releaseOrder(tx, order) : order, operation: done }
}

async function captured(tx: Tx, order: OrderRow, operation: OperationRow): Promise<Settled> {
  const { amount, total } = operation
  const changes = {
    status: 'COMPLETED' as const,
    captured: amount,
    total_captured: total,
    due: null,
  }
  const after = { ...order, ...changes, modified: tx.now }
  await store.updateOrder(tx, order.id, changes)
  await emit(tx, orderCaptured(after, operation))
  if (amount === order.authorized) return { order: after, operation }
  const later = new Date(tx.now.getTime() + LEASE_MS)
  const release_id = await recordRelease(tx, order.authorization_id, { stays: amount, due: later })
  return { order: after, operation, release_id }
}

async function refunded(tx: Tx, order: OrderRow, operation: OperationRow): Promise<Settled> {
  const changes = {
    refunded: order.refunded + operation.amount,
    total_refund: order.total_refund + operation.total,
  }
  const after = { ...order, ...changes, modified: tx.now }
  await store.updateOrder(tx, order.id, changes)
  await emit(tx, orderRefunded(after, operation))
  return { order: after, operation }
}

/** Gives the whole hold back: the order can be captured no more (D-85). */
export async function releaseOrder(tx: Tx, order: OrderRow): Promise<OrderRow> {
  await recordRelease(tx, order.authorization_id, { due: tx.now })
  const after = { ...order, released: true, due: null, modified: tx.now }
  await store.updateOrder(tx, order.id, { released: true, due: null })
  await emit(tx, orderExpired(after))
  return after
}

async function lockedOrder(tx: Tx, id: string): Promise<OrderRow> {
  const order = await store.lockOrder(tx, id)
  if (!order) throw new Refusal('not_found')
  return order
}

/**
 * Captures and refunds: validated and recorded under the order's lock, sent to the issuer without
 * it, and finished under it again. An operation whose outcome is not known stays PENDING with its
 * message (D-131). When it is due, the first to claim it continues it: the sweep, a request that
 * waits for it, or the next operation of the order.
 */

import { recordChange } from '#kit/audit_log/records.ts'
import type { Context, Tx } from '#kit/context.ts'
import { shareTransaction } from '#kit/db/shared_transactions.ts'
import { holdKey, keepAnswer } from '#kit/http/idempotency.ts'
import { findOfSameRequest, unlessStored } from '#kit/http/joining.ts'
import type { Keep } from '#kit/http/route.ts'
import { newId } from '#lib/id.ts'
import { TransientError } from '#lib/result.ts'
import {
  type IssuerLink,
  type Payment,
  type Ready,
  readPayment,
  reserveStamp,
  type Stamp,
} from '#merchant/acquirer/acquirer.ts'
import { type Known, untilKnown, WAIT_MS } from '#merchant/checkouts/checkouts.ts'
import { getFees } from '#merchant/merchants/merchants.ts'
import { feeOf, type StoredFee } from '#merchant/merchants/rules.ts'
import type { Movement } from './rules/operations.ts'
import { carryOut, finishByFile, LEASE_MS, lockedOrder, nothingMore } from './sending.ts'
import {
  claimOperation,
  findChargedBack,
  findOperation,
  findOperationByKey,
  findPendingOperation,
  insertOperation,
  type OperationRow,
  type OrderRow,
} from './store.ts'

const RETRY_AFTER_SECONDS = 5

export type Plan<Result> = {
  type: OperationRow['type']
  /**
   * The amount to move; null when there is none, which is a FAILURE. Throws ApiError. `taken` is
   * what chargebacks have taken, which only a refund asks.
   */
  rule: (order: OrderRow, now: Date, taken: bigint) => Movement | null
  record: (tx: Tx, of: Payment, amount: bigint) => Ready
  present: (order: OrderRow, done: OperationRow | null) => Result
  keep: Keep | undefined
}

type Turn<Result> =
  | { kind: 'answered'; result: Result }
  /** Recorded just now. */
  | { kind: 'started'; operation: OperationRow; ready: Ready }
  /** An earlier one under the same key or id; another that is under way. */
  | { kind: 'joined' | 'busy'; operation: OperationRow }

/** The columns of an order that never change. */
export type OrderNamed = Pick<OrderRow, 'id' | 'merchant_id' | 'authorization_id'>

type PerformRequest<Result> = {
  ctx: Context
  link: IssuerLink
  order: OrderNamed
  /** Id of the operation that this request may start, and the stamp of its message. */
  id: string
  stamp: Stamp
  plan: Plan<Result>
  start: number
}

/**
 * Carries an operation out after the others of the same order and returns its result. Fails with
 * `outcome_unknown` if the outcome is not known within 30 seconds, and with
 * `order_operation_in_progress` while the outcome of another operation is not known (D-131).
 */
export async function perform<Result>(
  ctx: Context,
  link: IssuerLink,
  order: OrderNamed,
  plan: Plan<Result>,
): Promise<Result> {
  const start = performance.now()
  const stamp = await reserveStamp(ctx)
  const request = { ctx, link, order, id: newId(), stamp, plan, start }
  let sent = false
  return untilKnown({
    start,
    async pass(isAgain, begin) {
      const turn = await shareTransaction(ctx, order.id, (tx) => tryToStart(tx, request, isAgain))
      if (turn.kind === 'answered') return turn
      if (turn.kind !== 'busy') begin()
      // This request also sends its own operation after a COMMIT without answer.
      const isOwn = turn.operation.id === request.id && !sent
      sent ||= isOwn
      return advance(request, turn, isOwn)
    },
    notBegun: inProgress,
  })
}

async function tryToStart<Result>(
  tx: Tx,
  { order: named, id, stamp, plan }: PerformRequest<Result>,
  isAgain: boolean,
): Promise<Turn<Result>> {
  const { id: order_id, merchant_id, authorization_id } = named
  // Sent together. Behind the lock an earlier transaction of this request has ended.
  const [order, begun, pending, fees, payment, keyed, taken] = await Promise.all([
    lockedOrder(tx, order_id),
    isAgain ? findOperation(tx, id) : undefined,
    findPendingOperation(tx, order_id),
    getFees(tx, merchant_id),
    readPayment(tx, authorization_id, stamp),
    findOfSameRequest(tx, plan.keep, findOperationByKey),
    plan.type === 'REFUND' ? findChargedBack(tx, order_id) : 0n,
  ])
  const own = begun ?? keyed
  if (own?.status === 'PENDING') return { kind: 'joined', operation: own }
  if (own) return { kind: 'answered', result: await answer(tx, plan, order, own) }
  if (pending?.in_doubt) throw inProgress()
  if (pending) return { kind: 'busy', operation: pending }

  const movement = plan.rule(order, tx.now, taken)
  if (!movement) return { kind: 'answered', result: await answer(tx, plan, order, null) }
  const ready = plan.record(tx, payment, movement.amount)
  const { type } = plan
  const { message } = ready
  const operation = newOperation(tx, { id, type, order, fees, movement, message })
  const { key: idempotency_key = null, fingerprint = null } = plan.keep?.key ?? {}
  const row = { ...operation, idempotency_key, fingerprint }
  recordChange(tx, [order_id, id])
  if (ready.by_file) {
    if (plan.keep) await holdKey(tx, plan.keep.key).start()
    const finished = await finishByFile(tx, order, row)
    return { kind: 'answered', result: await answer(tx, plan, finished.order, finished.operation) }
  }
  // If another request has the key, it is this statement that fails.
  if (plan.keep) void tx.withCommit(holdKey(tx, plan.keep.key))
  void tx.withCommit(insertOperation(tx, row))
  return { kind: 'started', operation: row, ready }
}

/** Sends an operation of this request, or claims and sends one that is due. */
async function advance<Result>(
  { ctx, link, plan, start }: PerformRequest<Result>,
  turn: Exclude<Turn<Result>, { kind: 'answered' }>,
  isOwn: boolean,
): Promise<Known<Result> | undefined> {
  const { kind, operation } = turn
  const end = start + WAIT_MS
  const now = new Date(ctx.now.getTime() + performance.now() - start)
  const isDue = operation.due !== null && operation.due <= now
  if (!isOwn && !isDue) return undefined
  if (isDue) {
    const held_until = new Date(now.getTime() + LEASE_MS)
    if (!(await claimOperation(ctx, operation.id, now, held_until))) return undefined
  }
  if (kind === 'busy') {
    await carryOut(ctx, link, operation, nothingMore, { end })
    return undefined
  }
  const onKnown = (tx: Tx, order: OrderRow, done: OperationRow) => answer(tx, plan, order, done)
  // A claim is a sending of its own, and is counted.
  const ready = kind === 'started' && !isDue ? turn.ready : undefined
  return carryOut(ctx, link, operation, onKnown, { ready, end })
}

const inProgress = () =>
  new TransientError('order_operation_in_progress', {
    retry_after_seconds: RETRY_AFTER_SECONDS,
  })

type Begun = {
  id: string
  type: OperationRow['type']
  order: OrderRow
  /** The fees of its merchant, at this time (D-734). */
  fees: readonly StoredFee[]
  movement: Movement
  message: Ready['message']
}

export function newOperation({ tenant_id, now }: Tx, begun: Begun): OperationRow {
  const { id, type, order, fees, movement, message } = begun
  const { id: order_id, merchant_id, currency } = order
  const { total, amount, final } = movement
  return {
    tenant_id,
    id,
    order_id,
    merchant_id,
    currency,
    type,
    status: 'PENDING',
    total,
    amount,
    fee: feeOf(fees, { type, amount, currency }),
    message_id: message.id,
    issuer: message.issuer,
    booked: null,
    payable: null,
    payout_id: null,
    final,
    at_deadline: false,
    in_doubt: false,
    idempotency_key: null,
    fingerprint: null,
    due: new Date(now.getTime() + LEASE_MS),
    created: now,
    modified: now,
  }
}

async function answer<Result>(
  tx: Tx,
  { present, keep }: Plan<Result>,
  order: OrderRow,
  done: OperationRow | null,
): Promise<Result> {
  const result = present(order, done)
  if (keep) await keepAnswer(tx, keep.key, keep.finish(result)).catch(unlessStored)
  return result
}

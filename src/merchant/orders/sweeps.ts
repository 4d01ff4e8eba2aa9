/** What becomes due of orders: reminders, the deadline, and operations that broke off. */

import { type Context, type Tx, transact } from '#kit/context.ts'
import { emit } from '#kit/outbox.ts'
import { type Sweep, tenantsWithDue } from '#kit/sweeper.ts'
import { type IssuerLink, recordCompletion } from '#merchant/acquirer/acquirer.ts'
import { orderCaptureExpiring } from './events.ts'
import { LEASE_MS, newOperation, nothingMore, releaseOrder, settle } from './operations.ts'
import { REMINDER_HOURS, stageAfter } from './rules/deadline.ts'
import type { OrderRow } from './store.ts'
import * as store from './store.ts'

const PORTION = 20
/** The bell that wakes the settling of operations. */
const OPERATIONS = 'order_operations'

export function orderSweeps(link: IssuerLink): Sweep[] {
  return [
    {
      name: 'order deadlines',
      dueTenants: tenantsWithDue('orders', 'due'),
      run: passDeadlines,
    },
    {
      name: 'order operations',
      outside: true,
      bell: OPERATIONS,
      dueTenants: tenantsWithDue('order_operations', 'due'),
      run: (ctx) => settleLeft(ctx, link),
    },
  ]
}

/** One step of each due order; a clock that jumped brings the next steps in the next portions. */
export function passDeadlines(ctx: Context): Promise<{ more: boolean }> {
  return transact(ctx, async (tx) => {
    const orders = await store.lockDueOrders(tx, PORTION)
    for (const order of orders) await step(tx, order)
    return { more: orders.length > 0 }
  })
}

async function step(tx: Tx, order: OrderRow): Promise<void> {
  const hours_left = REMINDER_HOURS[order.reminders]
  if (hours_left !== undefined) {
    await store.updateOrder(tx, order.id, stageAfter(order.reminders + 1, order.capture_expiration))
    await emit(tx, orderCaptureExpiring(order, hours_left))
    return
  }
  const pending = await store.findPending(tx, order.id)
  // A capture that began in time is waited for; if it fails, the deadline comes again.
  if (pending) {
    const later = new Date(tx.now.getTime() + LEASE_MS)
    await store.updateOrder(tx, order.id, { due: later })
  } else if (order.deadline_policy === 'capture') await captureAtDeadline(tx, order)
  else await releaseOrder(tx, order)
}

/** Only recorded here: the sweep of operations carries it out over the wire. */
async function captureAtDeadline(tx: Tx, order: OrderRow): Promise<void> {
  const { id, authorization_id, total, authorized: amount } = order
  const message_id = await recordCompletion(tx, authorization_id, amount)
  const operation = newOperation(tx, id, 'CAPTURE', { total, amount }, message_id)
  await store.insertOperation(tx, { ...operation, at_deadline: true, due: tx.now })
  await store.updateOrder(tx, id, { due: null })
  tx.afterCommit(() => tx.ring(OPERATIONS))
}

export async function settleLeft(ctx: Context, link: IssuerLink): Promise<{ more: boolean }> {
  const held_until = new Date(ctx.now.getTime() + LEASE_MS)
  const claimed = await transact(ctx, (tx) => store.claimDueOperations(tx, held_until, PORTION))
  await Promise.all(claimed.map((operation) => settle(ctx, link, operation, nothingMore)))
  return { more: claimed.length === PORTION }
}

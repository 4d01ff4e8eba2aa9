/** The due jobs of orders: reminders, the deadline, and interrupted operations. */

import { emit } from '#events/outbox.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { tenantsWithDue } from '#kit/jobs/due_tenants.ts'
import type { Sweep } from '#kit/jobs/sweep.ts'
import { newId } from '#lib/id.ts'
import { allOf } from '#lib/promises.ts'
import {
  type IssuerLink,
  type IssuerName,
  isOfIssuer,
  LinkClosed,
  readPayment,
  recordCompletion,
  sendingOf,
} from '#merchant/acquirer/acquirer.ts'
import { getFees } from '#merchant/merchants/merchants.ts'
import { orderCaptureExpiring } from './events.ts'
import { newOperation } from './operations.ts'
import { REMINDER_HOURS, stageAfter } from './rules/deadline.ts'
import { carryOut, finishByFile, LEASE_MS, nothingMore, releaseOrder } from './sending.ts'
import {
  claimDueOperations,
  findPendingOperation,
  insertOperation,
  lockDueOrders,
  type OrderRow,
  operationsDueOf,
  ordersDue,
  updateOrder,
} from './store.ts'

const PORTION = 20
/** How often a deadline checks a capture whose outcome is not known. */
const DOUBT_MS = 60_000
/** The channel that starts the sweep of operations. */
const OPERATIONS = 'order_operations'

/** The deadlines and reminders of orders. */
export const deadlineSweep = (link: IssuerLink): Sweep => ({
  ...ordersDue,
  run: (ctx) => passDeadlines(ctx, link),
})

/** Operations that a process has left, of one issuer. */
export const operationSweep = (link: IssuerLink, issuer: IssuerName): Sweep => ({
  ...operationsDueOf(issuer),
  outside: true,
  channel: OPERATIONS,
  unfinished: tenantsWithDue('order_operations', 'due', isOfIssuer('d.issuer', issuer), LEASE_MS),
  run: (ctx) => carryOutLeft(ctx, link, issuer),
})

/** One step of each due order; after a jump of the clock the next portions do the next steps. */
function passDeadlines(ctx: Context, link: IssuerLink): Promise<{ more: boolean }> {
  return transact(ctx, async (tx) => {
    const orders = await lockDueOrders(tx, PORTION)
    for (const order of orders) await step(tx, order, link)
    return { more: orders.length > 0 }
  })
}

async function step(tx: Tx, order: OrderRow, link: IssuerLink): Promise<void> {
  const hours_left = REMINDER_HOURS[order.reminders]
  if (hours_left !== undefined) {
    await updateOrder(
      tx,
      order.id,
      stageAfter(order.reminders + 1, order.capture_expiration),
    ).start()
    await emit(tx, orderCaptureExpiring(order, hours_left))
    return
  }
  const pending = await findPendingOperation(tx, order.id)
  // A capture that began in time is awaited; if it fails, the deadline is due again.
  if (pending) {
    const later = new Date(tx.now.getTime() + (pending.in_doubt ? DOUBT_MS : LEASE_MS))
    await updateOrder(tx, order.id, { due: later }).start()
  } else if (order.deadline_policy === 'capture') await captureAtDeadline(tx, order, link)
  else await releaseOrder(tx, order)
}

/**
 * All that is left. Only recorded here: the sweep of operations sends it, unless a file has it.
 */
async function captureAtDeadline(tx: Tx, order: OrderRow, link: IssuerLink): Promise<void> {
  const { id, merchant_id, authorization_id } = order
  const total = order.total - order.total_captured
  const amount = order.authorized - order.captured
  const [payment, fees] = await Promise.all([
    readPayment(tx, authorization_id),
    getFees(tx, merchant_id),
  ])
  const sending = sendingOf(link, payment, 'later')
  const { message, by_file } = recordCompletion(tx, payment, amount, sending)
  const operation = newOperation(tx, {
    id: newId(),
    type: 'CAPTURE',
    order,
    fees,
    message,
    movement: { total, amount, final: true },
  })
  const row = { ...operation, at_deadline: true, due: tx.now }
  if (by_file) {
    await finishByFile(tx, order, row)
    return
  }
  await insertOperation(tx, row).start()
  await updateOrder(tx, id, { due: null }).start()
  tx.afterCommit(() => tx.notify(OPERATIONS, tx.tenant_id))
}

async function carryOutLeft(
  ctx: Context,
  link: IssuerLink,
  issuer: IssuerName,
): Promise<{ more: boolean }> {
  if (link.closed) return { more: false }
  const held_until = new Date(ctx.now.getTime() + LEASE_MS)
  const claimed = await transact(ctx, (tx) => claimDueOperations(tx, issuer, held_until, PORTION))
  await allOf(
    claimed.map((operation) => carryOut(ctx, link, operation, nothingMore).catch(whileOpen)),
  )
  return { more: claimed.length === PORTION }
}

/** A process that ends leaves its operations to another process. */
function whileOpen(error: unknown): undefined {
  if (!(error instanceof LinkClosed)) throw error
}

/**
 * Hands batches over (D-1023). A file is written under a temporary name; once it is whole its row
 * says so; then it gets its own name, and the batch is SENT. Whatever ends in between, the names at
 * the bureau and the row together say what is left to do, so a batch has one file.
 */

import { orderCards } from '#issuing/cards/cards.ts'
import { type Context, transact } from '#kit/context.ts'
import { dueBy } from '#kit/jobs/due_work.ts'
import type { Sweep } from '#kit/jobs/sweep.ts'
import type { Log } from '#kit/log.ts'
import { TransientError } from '#lib/result.ts'
import { doubledWait } from '#lib/time.ts'
import { applySimulated } from './answers/simulated.ts'
import { CARD_ORDERS } from './collect.ts'
import { fileOf, Passed } from './file/file.ts'
import { LayoutFault } from './file/layout.ts'
import { protection } from './file/protection.ts'
import { makePins } from './mailers.ts'
import { type FailureReason, metrics } from './metrics.ts'
import { type Bureau, BureauFault, type Transport } from './provider.ts'
import {
  claimOrder,
  listCardsToOrder,
  type OrderRow,
  ordersDue,
  updateAttempt,
  updateOrder,
  updateSeal,
} from './store.ts'

const MINUTE = 60_000
/** Longer than an attempt can last; after it another process takes over. */
const LEASE_MS = 15 * MINUTE
const RETRY_LAST_MS = 60 * MINUTE
const CARDS_A_PORTION = 1_000
/** Earlier attempts whose files are deleted. */
const LEFT_OVER_MAX = 20
/** Cards that others have locked come again after this. */
const AGAIN_MS = 1_000

export type Sending = { bureau: Bureau; log: Log }

export const handingOver = (sending: Sending): Sweep => ({
  ...ordersDue,
  ...(sending.bureau.outside && { outside: true }),
  channel: CARD_ORDERS,
  run: async (ctx) => ({ more: await workOnDue(ctx, sending) }),
})

/** False when no batch is due. */
async function workOnDue(ctx: Context, sending: Sending): Promise<boolean> {
  const { bureau, log } = sending
  const until = new Date(ctx.now.getTime() + (bureau.outside ? LEASE_MS : MINUTE))
  const order = await claimOrder(ctx, until)
  if (!order) return false
  try {
    await workOn(ctx, sending, order)
  } catch (error) {
    const fault = sentenceOf(error)
    metrics.cardOrderFailures.inc({ reason: reasonOf(error) })
    log.warn({ err: error, card_order_id: order.id, fault }, 'a batch of cards is not handed over')
    const wait = doubledWait(order.attempts, MINUTE, RETRY_LAST_MS)
    const due = new Date(ctx.now.getTime() + wait)
    const isHere = await updateAttempt(ctx, order, { due, fault })
    // The bureau has the file, so that is not at fault: its cards become ORDERED in another turn.
    if (!isHere && order.state === 'SENT') await updateAttempt(ctx, order, { due }, 'SENT')
  }
  return true
}

/** A sentence for the operator; the log has the error of what nobody expected. */
function sentenceOf(error: unknown): string {
  if (error instanceof BureauFault || error instanceof LayoutFault) return error.message
  return 'an unexpected error, which the log of the program has'
}

function reasonOf(error: unknown): FailureReason {
  if (error instanceof BureauFault) return 'bureau'
  if (error instanceof LayoutFault) return 'layout'
  return error instanceof TransientError ? 'unavailable' : 'fault'
}

/** One attempt at a batch that was claimed. */
export async function workOn(ctx: Context, sending: Sending, order: OrderRow): Promise<void> {
  const { bureau } = sending
  if (order.state === 'PREPARING' && !(await handOver(ctx, bureau, order))) return
  await markOrdered(ctx, order.id)
  if (!bureau.outside) await applySimulated(ctx, bureau, order)
}

/** False if the batch is another process's by now. */
async function handOver(ctx: Context, bureau: Bureau, order: OrderRow): Promise<boolean> {
  await using transport = await bureau.open()
  const uploaded = order.uploaded ?? (await upload(ctx, bureau, transport, order))
  if (uploaded === undefined) return false
  await updateSeal(ctx, order.id)
  await finish(transport, uploaded, order.file_name)
  await removeOthers(transport, order, uploaded)
  const sent = { state: 'SENT', sent: ctx.now, fault: null, due: ctx.now } as const
  // It is awaited here, since the connection is closed as soon as this block is left.
  const isOurs = await updateAttempt(ctx, order, sent)
  if (isOurs) {
    metrics.cardOrdersSent.inc()
    metrics.lastCardOrder.setToCurrentTime()
  }
  return isOurs
}

/**
 * The name under which the bureau has the whole file now. An attempt before this one that came less
 * far has left nothing that counts: the file is made again, from what the batch froze.
 */
async function upload(
  ctx: Context,
  bureau: Bureau,
  transport: Transport,
  order: OrderRow,
): Promise<string | undefined> {
  const protect = await protection(await bureau.keys())
  await makePins(ctx, bureau, order)
  const name = temporaryName(order, order.attempts)
  const [clear, encrypted] = [new Passed(), new Passed()]
  const file = protect(clear.of(fileOf(ctx, order)), order.file_name.replace(/\.pgp$/, ''))
  await transport.write(name, encrypted.of(file))
  const size = await transport.size(name)
  if (size !== encrypted.bytes) {
    const has = size === undefined ? 'no file' : `${size} bytes`
    throw new BureauFault(`the bureau has ${has} of ${encrypted.bytes} bytes`)
  }
  const whole = { uploaded: name, digest: clear.digest() }
  return (await updateAttempt(ctx, order, whole)) ? name : undefined
}

/**
 * Gives the file its own name, unless it has it. If neither name is there the bureau has taken
 * the file: it was renamed before this process knew.
 */
async function finish(transport: Transport, uploaded: string, name: string): Promise<void> {
  if ((await transport.size(name)) !== undefined) return
  if ((await transport.size(uploaded)) === undefined) return
  await transport.rename(uploaded, name)
}

const temporaryName = ({ file_name }: OrderRow, attempt: number) => `.${file_name}.${attempt}`

/** Deletes what earlier attempts have left; a file of no use at the bureau is no fault. */
async function removeOthers(transport: Transport, order: OrderRow, uploaded: string) {
  const from = Math.max(1, order.attempts - LEFT_OVER_MAX)
  for (let attempt = from; attempt < order.attempts; attempt += 1) {
    const name = temporaryName(order, attempt)
    if (name !== uploaded) await transport.remove(name)
  }
}

/** The cards of a batch that the bureau has become ORDERED, a portion at a time. */
async function markOrdered(ctx: Context, id: string): Promise<void> {
  for (;;) {
    const isOver = await transact(ctx, async (tx) => {
      const ids = await listCardsToOrder(tx, id, CARDS_A_PORTION)
      if (ids.length === 0) {
        await updateOrder(tx, id, { due: null })
        return true
      }
      if ((await orderCards(tx, ids)) === ids.length) return false
      const due = new Date(tx.now.getTime() + AGAIN_MS)
      await Promise.all([dueBy(tx, ordersDue, due), updateOrder(tx, id, { due })])
      return true
    })
    if (isOver) return
  }
}

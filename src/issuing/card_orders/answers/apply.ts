/** The effect of an answer on its order, its card and its batch (D-1023). Each has it once. */

import { changeFulfillment, checkFulfillment, lockCard, orderCards } from '#issuing/cards/cards.ts'
import type { FulfillmentStatus } from '#issuing/cards/schema.ts'
import { deleteMailedPin } from '#issuing/vault/vault.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import type { AnswerStatus, OrderState } from '../schema.ts'
import {
  countRecords,
  findOrderRow,
  lockOrderRow,
  lockRecord,
  type RecordRow,
  updateOrder,
  updateRecord,
} from '../store.ts'
import type { BureauLine } from './lines.ts'

/** The statuses that may follow one; a status that comes again changes nothing. */
const next: Readonly<Record<AnswerStatus | 'NONE', readonly AnswerStatus[]>> = {
  NONE: ['PRODUCED', 'SHIPPED', 'DELIVERED', 'RETURNED', 'REJECTED'],
  PRODUCED: ['SHIPPED', 'DELIVERED', 'RETURNED', 'REJECTED'],
  SHIPPED: ['DELIVERED', 'RETURNED'],
  DELIVERED: [],
  RETURNED: [],
  REJECTED: [],
}

/** The steps of the card; those that it has taken are left out. */
const steps: Readonly<Record<AnswerStatus, readonly FulfillmentStatus[]>> = {
  PRODUCED: [],
  SHIPPED: ['SHIPPED'],
  DELIVERED: ['SHIPPED', 'DELIVERED'],
  RETURNED: ['SHIPPED', 'FAILED'],
  REJECTED: ['FAILED'],
}

/** An answer that is right; one with a fault; one whose batch is not SENT yet. */
export type Applied = { is: 'DONE' } | { is: 'FAULT'; message: string } | { is: 'EARLY' }

const fault = (message: string): Applied => ({ is: 'FAULT', message })
const DONE: Applied = { is: 'DONE' }

/** `digest` is that of the file, whose lines come in their order, again after a fall too. */
export function applyLine(
  ctx: Context | Tx,
  answer: BureauLine,
  digest: string,
): Promise<Applied & { card_order_id?: string }> {
  return transact(ctx, async (tx) => {
    const record = await lockRecord(tx, answer.order_id)
    if (!record) return fault('there is no such order')
    const { card_order_id } = record
    if (record.answer_digest === digest && (record.answer_line ?? 0) >= answer.line) {
      return { ...DONE, card_order_id }
    }
    const order = await findOrderRow(tx, card_order_id)
    if (order?.state === 'PREPARING') {
      return order.uploaded === null ? fault('the order was not sent yet') : { is: 'EARLY' }
    }
    const before = (record.status ?? 'NONE') as AnswerStatus | 'NONE'
    if (before !== answer.status && !next[before].includes(answer.status)) {
      return { ...fault(`the order is ${before} already`), card_order_id }
    }
    await updateRecord(tx, record.id, {
      status: answer.status,
      reason: answer.reason,
      answer_digest: digest,
      answer_line: answer.line,
      answered: answer.date ?? tx.now,
    })
    if (before !== answer.status) await moveCard(tx, record, answer)
    return { ...DONE, card_order_id }
  })
}

/** Nothing for a card that has another order by now, or that an operator has moved by hand. */
async function moveCard(tx: Tx, record: RecordRow, answer: BureauLine): Promise<void> {
  const { card_id, card_order_id } = record
  let card = await lockCard(tx, card_id)
  if (card.card_order_id !== card_order_id) return
  if (card.fulfillment_status === 'CREATED') {
    await orderCards(tx, [card_id])
    card = await lockCard(tx, card_id)
  }
  for (const step of steps[answer.status]) {
    if (!checkFulfillment(card, step).ok) continue
    const delivery = step === 'SHIPPED' ? deliveryOf(answer) : {}
    await changeFulfillment(tx, card_id, { fulfillment_status: step, ...delivery })
    card = await lockCard(tx, card_id)
  }
  // The mailer is on its way with the card: nothing will print it again.
  if (['SHIPPED', 'DELIVERED'].includes(answer.status)) await deleteMailedPin(tx, card_id)
}

const deliveryOf = ({ carrier, tracking }: BureauLine) => ({
  ...(carrier !== null && { delivery_partner: carrier }),
  ...(tracking !== null && { tracking_number: tracking }),
})

/** The state of a batch by the answers to its records; SENT until all are answered. */
export function completeOrder(ctx: Context | Tx, id: string): Promise<void> {
  return transact(ctx, async (tx) => {
    const order = await lockOrderRow(tx, id)
    const counts = (await countRecords(tx, [id])).get(id)
    if (!order || !counts || counts.answered < counts.records) return
    const state: OrderState =
      counts.rejected === 0
        ? 'CONFIRMED'
        : counts.rejected === counts.records
          ? 'FAILED'
          : 'PARTLY_REJECTED'
    if (state === order.state) return
    await updateOrder(tx, id, { state, answered: order.answered ?? tx.now })
  })
}

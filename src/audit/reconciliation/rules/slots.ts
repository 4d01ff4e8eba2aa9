/** Which entries of the three books are one and the same capture, refund or payment. */

import type { EntryType } from './kinds.ts'
import type {
  IssuerTransaction,
  Message,
  Operation,
  Payment,
  Posting,
  Side,
  Sides,
} from './model.ts'

/** One entry as each book has it. */
export type Slot = {
  entry: EntryType
  sides: Sides
  /** Its message, in effect or not. */
  message?: Message
  /** Its outcome is not known yet. */
  open?: 'unanswered' | 'reversing' | 'operation_pending' | 'in_file'
}

/** A posting of the issuer; `key` is that of the message that made it, if it is kept. */
type Posted = { key: string | undefined; side: Side }

const MTI = { CAPTURE: '0220', REFUND: '0200' } as const

/** The captures or the refunds of a payment. Without `issuer` its book is not compared. */
export function slotsOf(
  entry: 'CAPTURE' | 'REFUND',
  payment: Payment,
  issuer: readonly IssuerTransaction[] | undefined,
): Slot[] {
  const messages = payment.messages.filter(({ mti }) => mti === MTI[entry])
  const operations = payment.operations.filter(({ type }) => type === entry)
  const slots = ownSlots(entry, payment, messages, operations)
  return issuer ? withPosted(entry, slots, postedOf(entry, issuer)) : slots
}

/** The slots of books (a) and (b), joined by the message that an operation names. */
function ownSlots(
  entry: 'CAPTURE' | 'REFUND',
  payment: Payment,
  messages: readonly Message[],
  operations: readonly Operation[],
): Slot[] {
  const { tenant_id } = payment
  const free = new Map(messages.map((message) => [message.id, message]))
  const slots: Slot[] = []
  for (const operation of operations) {
    const message = free.get(operation.message_id)
    free.delete(operation.message_id)
    if (operation.status === 'FAILURE' && !isInEffect(message)) continue
    slots.push(slotOf(entry, { payment, operation, message }))
  }
  for (const message of free.values()) {
    if (message.status === 'APPROVED' || openOf(message)) {
      slots.push({ entry, message, sides: acquirerSide(tenant_id, message), ...openOf(message) })
    }
  }
  return slots
}

const isInEffect = (message: Message | undefined): boolean =>
  message?.status === 'APPROVED' || message?.status === 'REVERSING'

type Own = { payment: Payment; operation: Operation; message: Message | undefined }

function slotOf(entry: EntryType, { payment, operation, message }: Own): Slot {
  const { tenant_id } = payment
  const { id, amount, currency, created: at, status } = operation
  const side = { id, amount, currency, at, tenant_id }
  return {
    entry,
    ...(message && { message }),
    sides: {
      ...(status === 'SUCCESS' && { ORDERS: side }),
      ...acquirerSide(tenant_id, message),
    },
    ...(openOf(message) ?? (status === 'PENDING' && { open: 'operation_pending' })),
  }
}

export function acquirerSide(tenant_id: string, message: Message | undefined): Sides {
  if (message?.status !== 'APPROVED') return {}
  const { id, amount, currency, created: at } = message
  return { ACQUIRER: { id, amount, currency, at, tenant_id } }
}

export function openOf(message: Message | undefined): Pick<Slot, 'open'> | undefined {
  if (message?.status === 'PENDING') return { open: 'unanswered' }
  if (message?.file === 'WAITS') return { open: 'in_file' }
  return message?.status === 'REVERSING' ? { open: 'reversing' } : undefined
}

function postedOf(entry: EntryType, issuer: readonly IssuerTransaction[]): Posted[] {
  const type = entry === 'REFUND' ? 'REFUND' : 'PURCHASE'
  return issuer
    .filter((transaction) => transaction.type === type)
    .flatMap((transaction) =>
      transaction.postings.map((posting) => ({
        key: entry === 'REFUND' ? transaction.key : undefined,
        side: postedSide(transaction, posting),
      })),
    )
}

const postedSide = (
  { id, currency, tenant_id }: IssuerTransaction,
  { amount, created: at }: Posting,
): Side => ({ id, amount, currency, at, tenant_id })

/**
 * Gives each slot its posting: by the key of the message, then by the amount, then in their order;
 * a remaining posting is a slot of the issuer alone.
 */
function withPosted(entry: EntryType, slots: readonly Slot[], posted: readonly Posted[]): Slot[] {
  const free = new Set(posted)
  const given = new Map<Slot, Posted>()
  const pair = (fits: (slot: Slot, one: Posted) => boolean) => {
    for (const slot of slots) {
      if (given.has(slot)) continue
      const one = [...free].find((candidate) => fits(slot, candidate))
      if (!one) continue
      given.set(slot, one)
      free.delete(one)
    }
  }
  pair(({ message }, { key }) => key !== undefined && message?.key === key)
  pair(({ sides }, { side }) => amountsOf(sides).includes(side.amount))
  pair(() => true)
  return [
    ...slots.map((slot) => ({ ...slot, sides: { ...slot.sides, ...issuerOf(given.get(slot)) } })),
    ...[...free].map((one) => ({ entry, sides: issuerOf(one) })),
  ]
}

const amountsOf = (sides: Sides) => Object.values(sides).map(({ amount }) => amount)
const issuerOf = (posted: Posted | undefined): Sides => (posted ? { ISSUER: posted.side } : {})

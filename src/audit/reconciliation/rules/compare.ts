/** Compares what the three books have of one payment (D-717). */

import { formatDate } from '#lib/time.ts'
import { type Day, isWithin } from './day.ts'
import type { Book, EntryType, Kind } from './kinds.ts'
import type {
  Compared,
  Counted,
  Difference,
  IssuerTransaction,
  Message,
  Open,
  Payment,
  Side,
  Sides,
} from './model.ts'
import { acquirerSide, openOf, type Slot, slotsOf } from './slots.ts'
import { amountText, bookName, detailOf, missingText } from './words.ts'

/**
 * How much later than the time of its request a message may be sent and its answer recorded: a
 * request waits 30 s (D-131) and its issuer 5 s.
 */
const REQUEST_MS = 60_000

type Comparing = {
  payment: Payment
  issuer: readonly IssuerTransaction[] | undefined
  merchant_id: string | undefined
  day: Day
}

/**
 * Finds differences and open entries among those that a book has on the day, and counts those of
 * the day. Without `issuer` the card is of another issuer, whose book is elsewhere.
 */
export function comparePayment(comparing: Comparing): Compared {
  const { payment, issuer, day } = comparing
  const kept = issuer?.filter((one) => !isTakenBack(one, payment))
  const groups = [
    authorizationSlots(payment, kept),
    slotsOf('CAPTURE', payment, kept),
    slotsOf('REFUND', payment, kept),
  ]
  const found: EntryFinding[] = groups.flatMap((slots) =>
    slots.flatMap((slot) => judged(slot, slots, comparing)),
  )
  found.push(...notReversed(comparing))
  const differing = new Set(found.map(({ entry }) => entry))
  found.push(...ledgerFaults(kept ?? [], differing))
  if (!differing.has('AUTHORIZATION')) found.push(...heldFaults(comparing))
  const of = found.filter(({ touched }) => touched.some((at) => isWithin(day, at)))
  const whole: (Difference | Open)[] = of.map((one) => complete(one, comparing))
  return {
    differences: whole.filter((one): one is Difference => 'kind' in one),
    open: whole.filter((one): one is Open => 'reason' in one),
    counted: groups.flat().flatMap(({ entry, sides }) => countedOf(entry, sides, comparing)),
  }
}

type EntryFinding = Pick<Difference, 'sides' | 'detail'> & {
  entry: EntryType
  /** When the entry was made in any book. */
  touched: readonly Date[]
} & (Pick<Difference, 'kind'> | Pick<Open, 'reason'>)

function complete({ touched: _, ...found }: EntryFinding, { payment, merchant_id }: Comparing) {
  const { tenant_id, order, rrn } = payment
  return {
    ...found,
    tenant_id,
    merchant_id,
    rrn,
    order_id: order?.id,
    order_reference: order?.reference,
  }
}

function countedOf(entry: EntryType, sides: Sides, { payment, merchant_id, day }: Comparing) {
  const { tenant_id, acceptor } = payment
  return booksOf(sides).flatMap(([book, side]): Counted[] => {
    if (!isWithin(day, side.at)) return []
    const { amount, currency } = side
    return [{ book, entry, amount, currency, merchant_id, acceptor, tenant_id }]
  })
}

const booksOf = (sides: Sides) => Object.entries(sides) as [Book, Side][]

/** The payment itself, and the issuer's authorizations beside it. */
function authorizationSlots(
  payment: Payment,
  issuer: readonly IssuerTransaction[] | undefined,
): Slot[] {
  const { tenant_id, order, messages } = payment
  const message = messages.find(({ mti }) => mti === '0100')
  const orders = order && {
    ORDERS: {
      id: order.id,
      amount: order.authorized,
      currency: order.currency,
      at: order.created,
      tenant_id,
    },
  }
  const own = { ...orders, ...acquirerSide(tenant_id, message) }
  const authorized = (issuer ?? []).filter((one) => countsAsAuthorized(one, payment, message))
  const [first, ...others] = authorized.toSorted(
    (one, other) => Number(other.key === message?.key) - Number(one.key === message?.key),
  )
  const slot: Slot = {
    entry: 'AUTHORIZATION',
    ...(message && { message }),
    sides: { ...own, ...(first && { ISSUER: authorizedSide(first, payment) }) },
    ...openOf(message),
  }
  const more = others.map(
    (one): Slot => ({ entry: 'AUTHORIZATION', sides: { ISSUER: authorizedSide(one, payment) } }),
  )
  return [slot, ...more].filter(({ open, sides }) => open || Object.keys(sides).length > 0)
}

/** A payment that its acquirer does not count as approved is one where the issuer has it in force. */
function countsAsAuthorized(
  { type, status }: IssuerTransaction,
  payment: Payment,
  message: Message | undefined,
): boolean {
  if (type !== 'PURCHASE') return false
  if (status === 'PENDING' || status === 'SETTLED') return true
  return message?.status === 'APPROVED' && (status === 'EXPIRED' || isReleased(payment))
}

const releasesOf = ({ messages }: Payment) =>
  messages.filter(({ mti, reverses }) => mti === '0420' && reverses === null)
const isReleased = (payment: Payment) => releasesOf(payment).length > 0

/** A release lowers the amount of the transaction, so that its first amount is compared. */
function authorizedSide(transaction: IssuerTransaction, payment: Payment): Side {
  const { id, currency, created: at, tenant_id, authorized, amount } = transaction
  return { id, currency, at, tenant_id, amount: isReleased(payment) ? authorized : amount }
}

/** The differences between the sides of one entry, or the reason why it is open. */
function judged(slot: Slot, slots: readonly Slot[], { issuer }: Comparing): EntryFinding[] {
  const { entry, sides, message, open } = slot
  const times = Object.values(sides).map(({ at }) => at)
  const touched = message ? [...times, message.created, message.modified] : times
  const base = { entry, sides, touched }
  if (open) return [{ ...base, reason: open, detail: detailOf[open](slot) }]
  const compared: Book[] = ['ORDERS', 'ACQUIRER', ...(issuer ? ['ISSUER' as const] : [])]
  const missing = compared.filter((book) => sides[book] === undefined)
  const found: EntryFinding[] = []
  const add = (kind: Kind, detail: string) => found.push({ ...base, kind, detail })
  if (missing.length > 0) {
    const kind = isDoubled(slot, slots) ? doubled[entry] : lacking[entry]
    add(kind, missingText(kind, entry, sides, missing))
  }
  const [first, ...others] = booksOf(sides)
  if (!first) return found
  const currency = others.find(([, side]) => side.currency !== first[1].currency)
  const amount = others.find(([, side]) => side.amount !== first[1].amount)
  if (currency) add('other_currency', detailOf.other_currency(entry, first, currency))
  else if (amount) add('other_amount', detailOf.other_amount(entry, first, amount))
  return [...found, ...daysOf(base, message)]
}

const doubled = {
  AUTHORIZATION: 'doubled_authorization',
  CAPTURE: 'doubled_capture',
  REFUND: 'doubled_refund',
} as const satisfies Record<EntryType, Kind>
const lacking = {
  AUTHORIZATION: 'missing_authorization',
  CAPTURE: 'missing_capture',
  REFUND: 'missing_refund',
} as const satisfies Record<EntryType, Kind>

/** One book alone has it, and has another of the same amount that a second book has too. */
function isDoubled(slot: Slot, slots: readonly Slot[]): boolean {
  const [only, ...others] = booksOf(slot.sides)
  if (!only || others.length > 0) return false
  const [book, { amount, currency }] = only
  return slots.some(({ sides }) => {
    const same = sides[book]
    const isSame = same?.amount === amount && same.currency === currency
    return isSame && Object.keys(sides).length > 1
  })
}

/**
 * Orders and issuer have an entry within the time of its message, which may pass midnight. Another
 * day than that is a difference.
 */
function daysOf(
  base: Pick<EntryFinding, 'entry' | 'sides' | 'touched'>,
  message?: Message,
): EntryFinding[] {
  const { ACQUIRER: sent, ...rest } = base.sides
  if (!sent || !message) return []
  const earliest = message.created.getTime() - REQUEST_MS
  // A clearing file is posted on a later day.
  const latest = message.file ? Number.POSITIVE_INFINITY : message.modified.getTime() + REQUEST_MS
  return booksOf(rest).flatMap(([book, side]): EntryFinding[] => {
    if (formatDate(side.at) === formatDate(sent.at)) return []
    const time = side.at.getTime()
    const words = [base.entry, [book, side], ['ACQUIRER', sent]] as const
    return time >= earliest && time <= latest
      ? [{ ...base, reason: 'over_midnight', detail: detailOf.over_midnight(...words) }]
      : [{ ...base, kind: 'other_day', detail: detailOf.other_day(...words) }]
  })
}

/** A message that the acquirer reversed, and that is in effect at the issuer. */
function isTakenBack({ key, status }: IssuerTransaction, { messages }: Payment): boolean {
  if (status !== 'PENDING' && status !== 'SETTLED') return false
  return messages.some((message) => message.status === 'REVERSED' && message.key === key)
}

function notReversed({ payment, issuer = [] }: Comparing): EntryFinding[] {
  return issuer
    .filter((one) => isTakenBack(one, payment))
    .map((one) => {
      const entry = one.type === 'REFUND' ? 'REFUND' : 'AUTHORIZATION'
      const ISSUER = authorizedSide(one, payment)
      const message = payment.messages.find(({ key }) => key === one.key)
      const touched = [one.created, ...(message ? [message.created, message.modified] : [])]
      const detail = detailOf.missing_reversal(entry, ISSUER)
      return { kind: 'missing_reversal', entry, sides: { ISSUER }, touched, detail }
    })
}

/** Faults of the ledger, if the entries of a transaction agree otherwise. */
function ledgerFaults(
  issuer: readonly IssuerTransaction[],
  differing: ReadonlySet<EntryType>,
): EntryFinding[] {
  return issuer.flatMap((one): EntryFinding[] => {
    const entry = one.type === 'REFUND' ? 'REFUND' : 'CAPTURE'
    if (one.cleared_amount === one.posted_amount || differing.has(entry)) return []
    const { id, currency, created: at, tenant_id, amount, postings } = one
    const sides = { ISSUER: { id, currency, at, tenant_id, amount } }
    const touched = [at, ...postings.map(({ created }) => created)]
    return [{ kind: 'ledger_differs', entry, sides, touched, detail: detailOf.ledger_differs(one) }]
  })
}

/** Holds of a payment that is over, once nothing of it is under way. */
function heldFaults({ payment, issuer = [] }: Comparing): EntryFinding[] {
  const { order, messages } = payment
  const isOver = order !== undefined && (order.released || order.status === 'COMPLETED')
  const isOpen = messages.some(
    ({ status, file }) => status === 'PENDING' || status === 'REVERSING' || file === 'WAITS',
  )
  if (!isOver || isOpen) return []
  const newest = messages.map(({ modified }) => modified).toSorted((a, b) => +b - +a)[0]
  return issuer
    .filter(({ type, held }) => type === 'PURCHASE' && held > 0n)
    .map((one) => {
      const ISSUER = { ...authorizedSide(one, payment), amount: one.held }
      const detail = `${bookName.ISSUER} holds ${amountText(ISSUER)} for a payment that is over.`
      const touched = newest ? [newest] : [one.created]
      return { kind: 'hold_remains', entry: 'AUTHORIZATION', sides: { ISSUER }, touched, detail }
    })
}

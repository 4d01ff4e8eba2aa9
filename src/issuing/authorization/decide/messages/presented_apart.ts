/**
 * Completions that were posted apart (1857), because their authorization or its code was not known
 * when they came (D-316, D-529). Their amount of the authorization is not held.
 */

import { clearedOf, heldOf, type TransactionRow } from '#issuing/transactions/rules.ts'
import { least, portionOf } from '#lib/money.ts'
import { addDays } from '#lib/time.ts'
import type { Case } from '../case.ts'
import type { OpenTransaction, Part } from '../rows.ts'
import type { WorkingSet } from '../state/working_set.ts'
import { isFuel, isHonoured, paymentOf } from './payment.ts'
import { eventOf } from './record.ts'

/** The amount that was presented before it was authorized, and has no authorization yet (1857). */
export function presentedBefore(
  workingSet: WorkingSet,
  input: Case,
): { amount: bigint; last: OpenTransaction | undefined } {
  const honoured = paymentOf(workingSet, input).filter(({ row }) => isHonoured(row))
  const isAuthorized = honoured.some(
    ({ row }) => row.message_type !== '0220' && row.status !== 'VOIDED',
  )
  // An approval that was reversed since does not count: a later reversal looks for it by this link.
  const presented = isAuthorized ? [] : presentmentsOf(workingSet, input)
  const amount = clearedOfAll(presented)
  return { amount, last: amount > 0n ? presented.at(-1) : undefined }
}

const clearedOfAll = (presented: readonly OpenTransaction[]): bigint =>
  presented.reduce((sum, { row }) => sum + clearedOf(row), 0n)

const presentmentsOf = (workingSet: WorkingSet, input: Case): OpenTransaction[] =>
  paymentOf(workingSet, input).filter(({ row }) => isHonoured(row) && row.message_type === '0220')

const isLinkedTo = ({ row }: OpenTransaction, presented: readonly OpenTransaction[]): boolean =>
  presented.some(({ row: { id } }) => id === row.reference_transaction_id)

/** Minor units that were presented before this authorization came, and are separate from it. */
export function presentedApart(workingSet: WorkingSet, input: Case, open: OpenTransaction): bigint {
  const presented = presentmentsOf(workingSet, input)
  return isLinkedTo(open, presented) ? clearedOfAll(presented) : 0n
}

/**
 * An advice makes the code known under which something was presented: that much is not held any
 * longer.
 */
export function linkPresented(
  workingSet: WorkingSet,
  input: Case,
  { row }: OpenTransaction,
): Partial<TransactionRow> {
  const last = presentmentsOf(workingSet, input).at(-1)
  return row.reference_transaction_id === null && last
    ? { reference_transaction_id: last.row.id }
    : {}
}

/**
 * Holds what of an authorization is neither cleared nor presented apart, whatever came first:
 * releases what is too much, and holds at most `most` more. `fields` is what else changes of it;
 * the state that follows is returned.
 */
export function settle(
  workingSet: WorkingSet,
  input: Case,
  open: OpenTransaction,
  fields: Partial<TransactionRow>,
  most = 0n,
): Pick<TransactionRow, 'status' | 'hold_expires'> {
  const { row } = open
  const free = freeOf(workingSet, input, { ...open, row: { ...row, ...fields } })
  const held = heldOf(row)
  if (free.amount < held) {
    const billing = row.held - least(free.billing, row.held)
    workingSet.release(open, { amount: held - free.amount, billing })
  }
  const more = { amount: free.amount - held, billing: free.billing - row.held }
  const part = least(most, more.amount)
  const billing = part > 0n && more.billing > 0n ? portionOf(more.billing, more.amount, part) : 0n
  if (billing > 0n) workingSet.hold(open, { amount: part, billing }, true)
  if (row.held === 0n) return { status: 'SETTLED', hold_expires: null }
  const end = addDays(workingSet.now, workingSet.settings.hold_days)
  return { status: 'PENDING', hold_expires: row.hold_expires ?? end }
}

/** The part of an authorization that neither a completion nor a presentment apart has claimed. */
function freeOf(workingSet: WorkingSet, input: Case, open: OpenTransaction): Part {
  const { row } = open
  const apart = presentedApart(workingSet, input, open)
  const rest = row.amount - clearedOf(row)
  const isOver = isFuel(row) && clearedOf(row) + apart > 0n
  const amount = isOver ? 0n : rest - apart
  const billing = amount > 0n ? billedRestOf(row, rest) : 0n
  if (billing <= 0n) return { amount: 0n, billing: 0n }
  return { amount, billing: portionOf(billing, rest, amount) }
}

/**
 * The worth of what is not cleared, as it was authorized. A scheme bills each clearing by a rate of
 * its own, so that what is left of the whole says nothing.
 */
function billedRestOf(
  { billing_amount, amount, cleared_amount, foreign }: TransactionRow,
  rest: bigint,
) {
  const whole = billing_amount ?? 0n
  return foreign?.by_scheme ? portionOf(whole, amount, rest) : whole - cleared_amount
}

/** Marks the event of a reversal that takes back no approval. */
export const OF_COMPLETION = { of_completion: true } as const

type More = Part & { status_code: string; link?: Partial<TransactionRow> }

/** Authorizes more, and holds what of it is not presented yet. */
export function raise(
  workingSet: WorkingSet,
  input: Case,
  open: OpenTransaction,
  { amount, billing, status_code, link }: More,
): void {
  const { row } = open
  const presented = least(overOf(workingSet, input, open), amount)
  const rest = amount - presented
  const raised = {
    amount: row.amount + rest,
    billing_amount: (row.billing_amount ?? 0n) + portionOf(billing, amount, rest),
    ...link,
  }
  const settled = settle(workingSet, input, open, raised, rest)
  const event = {
    ...eventOf(workingSet, input, 'INCREMENTED', status_code, amount),
    ...(presented > 0n && { presented: String(presented) }),
  }
  workingSet.change(open, { ...raised, ...settled }, event)
}

/**
 * Minor units that were presented of an amount which the network then reversed. This amount of its
 * next authorization has been presented already, whichever came first.
 */
export function overOf(workingSet: WorkingSet, input: Case, open: OpenTransaction): bigint {
  const { id, events } = open.row
  const ofEvents = events.reduce(
    (sum, { over = '0', presented = '0' }) => sum + BigInt(over) - BigInt(presented),
    0n,
  )
  const refused = new Map(
    paymentOf(workingSet, input).flatMap(({ row }) =>
      isRefusedAsPosted(row, id) ? [[row.asked?.of ?? row.id, row.amount] as const] : [],
    ),
  )
  return [...refused.values()].reduce((sum, amount) => sum + amount, ofEvents)
}

/** A reversal in full of an amount that had been posted. */
const isRefusedAsPosted = (row: TransactionRow, id: string): boolean =>
  isRefused(row, id) && row.asked?.stays === undefined

/** A reversal of all or a part of the authorized amount that came when none of it was held. */
const isRefused = (row: TransactionRow, id: string): boolean =>
  row.reference_transaction_id === id &&
  row.message_type.startsWith('04') &&
  row.status_code === '1858' &&
  row.asked?.of_completion === undefined

/**
 * The part of all that is authorized that stays (DE95) by reversals which came when all of it was
 * presented, minor units; undefined if none came, or if more was authorized since.
 */
function staysOfRefused(
  workingSet: WorkingSet,
  input: Case,
  { row: { id, events } }: OpenTransaction,
): bigint | undefined {
  const { created = '' } = events.findLast(({ type }) => type === 'INCREMENTED') ?? {}
  const stays = paymentOf(workingSet, input).flatMap(({ row }) => {
    const isLast = isRefused(row, id) && row.created.toISOString() >= created
    return isLast && row.asked?.stays !== undefined ? [BigInt(row.asked.stays)] : []
  })
  return stays.length > 0 ? stays.reduce(least) : undefined
}

/**
 * More was presented than is authorized, so the next message authorizes it. An amount that only an
 * advice has authorized is no payment of its own either, even if all of it was presented.
 */
export function isOverPresented(
  workingSet: WorkingSet,
  input: Case,
  open: OpenTransaction,
): boolean {
  const { row } = open
  const presented = clearedOf(row) + presentedApart(workingSet, input, open)
  const isAdvice = row.message_type === '0120' && presented === row.amount
  return presented > row.amount || isAdvice || overOf(workingSet, input, open) > 0n
}

/**
 * After a reversal of `amount` of a presentment, the later authorization is held again by that
 * amount, or by less if more was presented apart since it came. It may even be held for less than
 * before.
 */
export function holdAgain(workingSet: WorkingSet, input: Case, amount: bigint): void {
  const presented = presentmentsOf(workingSet, input)
  const open = paymentOf(workingSet, input).find(
    (one) => OPEN.has(one.row.status) && isLinkedTo(one, presented),
  )
  if (!open) return
  const { row } = open
  const before = heldOf(row)
  const { less, ...seen } = withoutOver(workingSet, input, open, amount)
  const settled = settle(workingSet, input, open, less, amount)
  const part = heldOf(row) - before
  if (part === 0n && less.amount === row.amount) return
  const event = {
    ...eventOf(workingSet, input, 'REVERSED', '0000', part > 0n ? part : 0n),
    ...OF_COMPLETION,
    ...seen,
  }
  const end = row.held > 0n && addDays(workingSet.now, workingSet.settings.hold_days)
  workingSet.change(open, { ...less, ...settled, ...(end && { hold_expires: end }) }, event)
}

/**
 * A presentment that is taken back belonged to an amount that the network has reversed, if there is
 * one, and no more is authorized than a reversal has left.
 */
export function withoutOver(
  workingSet: WorkingSet,
  input: Case,
  open: OpenTransaction,
  back: bigint,
) {
  const { amount, billing_amount } = open.row
  const over = least(least(overOf(workingSet, input, open), back), amount)
  const left = least(amount - over, staysOfRefused(workingSet, input, open) ?? amount)
  const less = {
    amount: left,
    billing_amount: billing_amount === null ? null : portionOf(billing_amount, amount, left),
  }
  return { less, ...(over > 0n && { presented: String(over) }) }
}

const OPEN: ReadonlySet<TransactionRow['status']> = new Set(['PENDING', 'SETTLED'])

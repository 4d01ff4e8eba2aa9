/**
 * Reversals that came before the advice (0120) of the request that they take back, or before the
 * completion (D-316, D-855, D-877).
 */

import { clearedOf, heldOf, type TransactionRow } from '#issuing/transactions/rules.ts'
import { least, portionOf } from '#lib/money.ts'
import type { AuthorizationAnswer } from '../../schema.ts'
import type { Case } from '../case.ts'
import type { OpenTransaction } from '../rows.ts'
import { earlyReversalKey, isNamedBy, nameOfMessage } from '../state/message_keys.ts'
import { isOfPart, staysOf } from '../state/undone.ts'
import type { WorkingSet } from '../state/working_set.ts'
import { missedReversalsOf, paymentOf } from './payment.ts'
import { presentedApart, settle } from './presented_apart.ts'
import { decline, eventOf, voided } from './record.ts'

/** Reversals that came before the advice of the request that they name. */
export type Waited = {
  reversal: OpenTransaction | undefined
  /**
   * The amount that they leave (DE95), minor units; undefined if one takes back the whole payment.
   */
  stays: bigint | undefined
}

/**
 * The reversals that wait for this advice; undefined if none does. Each names one message, and an
 * advice rarely says of which request it is: that of the same amount is meant, and a reversal that
 * has met its advice waits for no other.
 */
export function waitedFor(workingSet: WorkingSet, input: Case): Waited | undefined {
  const waiting = waitingOf(workingSet, input)
  const [reversal] = waiting
  if (reversal) {
    const same = waiting.filter((one) => nameIn(one) === nameIn(reversal))
    const parts = same.map(({ row }) => leftBy(row, input)).filter((stays) => stays !== undefined)
    const isPart = parts.length === same.length
    return { reversal, stays: isPart ? parts.reduce(least) : undefined }
  }
  const { message_key, rrn } = input.request.original ?? {}
  if (message_key === undefined) return undefined
  const isKnown = workingSet.stored(earlyReversalKey(message_key, rrn, input.card?.card_id))
  return isKnown && { reversal: undefined, stays: undefined }
}

/**
 * The amount that a reversal leaves of this advice: by its DE95, or below the advice by its DE4.
 */
function leftBy({ asked, amount }: TransactionRow, { request }: Case): bigint | undefined {
  if (asked?.stays !== undefined) return BigInt(asked.stays)
  return amount > 0n && amount < request.amount ? request.amount - amount : undefined
}

const nameIn = ({ row }: OpenTransaction): string => row.asked?.of ?? row.id

function waitingOf(workingSet: WorkingSet, input: Case): OpenTransaction[] {
  const { amount, original, duplicate_key = '' } = input.request
  const missed = missedReversalsOf(workingSet, input)
  if (missed.length === 0) return []
  const payment = paymentOf(workingSet, input)
  const met = new Set(payment.flatMap(({ row }) => metBy(row)))
  const over = new Set(missed.filter(({ row }) => met.has(row.id)).map(nameIn))
  const own = nameOfMessage(duplicate_key)?.message_key
  const names = [own, original?.message_key].filter((name) => name !== undefined)
  const isOfAmount = ({ row }: OpenTransaction) => {
    const request = payment.find((one) => one.row.id === row.reference_transaction_id)
    const isRequest = request?.row.status === 'DECLINED' && request.row.message_type === '0100'
    return (isRequest ? request.row.amount : row.amount) === amount
  }
  const waiting = missed.filter((one) => !over.has(nameIn(one)))
  const named = waiting.filter(({ row }) => names.some((name) => isNamedBy(name, row.asked?.of)))
  return named.length > 0 ? named : waiting.filter(isOfAmount)
}

/** The reversals whose advice has come: it was declined for them, or a part of it was reversed. */
function metBy({
  message_type,
  status,
  reference_transaction_id,
  events,
}: TransactionRow): string[] {
  const isDeclined = message_type === '0120' && status === 'DECLINED'
  const declined = isDeclined && reference_transaction_id !== null ? [reference_transaction_id] : []
  return [...declined, ...events.flatMap(({ waited }) => waited ?? [])]
}

/** The amount that reversals have left of this completion, if they named it. */
export function leftOfCompletion(workingSet: WorkingSet, input: Case): bigint | undefined {
  const { duplicate_key } = input.request
  const named = duplicate_key === undefined ? undefined : nameOfMessage(duplicate_key)
  if (!named) return undefined
  const missed = missedReversalsOf(workingSet, input, named.message_key)
  return missed.length > 0 ? missed.map(({ row }) => staysOf(row)).reduce(least) : undefined
}

/** A request that is declined because its reversal came first, which leaves a part of it. */
export const isDeclinedForPart = (
  workingSet: WorkingSet,
  input: Case,
  { status, status_code, message }: TransactionRow,
): boolean =>
  status === 'DECLINED' &&
  status_code === '1894' &&
  missedReversalsOf(workingSet, input).some(
    ({ row }) =>
      isOfPart(row) &&
      isNamedBy(nameOfMessage(message?.key ?? '')?.message_key ?? '', row.asked?.of),
  )

/**
 * Lowers the authorization that an advice has just made to the amount that earlier reversals leave,
 * as if these came now.
 */
export function leaveWaited(
  workingSet: WorkingSet,
  input: Case,
  { id }: TransactionRow,
  { reversal, stays = 0n }: Waited,
): void {
  const open = workingSet.originals.get(id)
  if (!open) throw new Error(`transaction ${id} was not made`)
  lower(workingSet, input, open, { stays, waited: reversal?.row.id })
}

/**
 * The advice of a payment that the network has reversed holds nothing; the reversal waits no
 * longer.
 */
export const declineReversed = (
  workingSet: WorkingSet,
  input: Case,
  { reversal }: Waited,
): AuthorizationAnswer =>
  decline(workingSet, input, '1894', [['reversal', 'came first', '1894']], reversal)

type Lowered = {
  /** Minor units that stay authorized, in the currency of the transaction. */
  stays: bigint
  waited?: string | undefined
  /** The same in the currency of the account, where a scheme bills it; else its part. */
  billing?: bigint | undefined
}

/**
 * Leaves `stays` of all that is authorized, as a reversal requires by DE95, whenever it came. The
 * hold is lowered to the part that is not presented. Returns the minor units that are held no
 * longer.
 */
export function lower(
  workingSet: WorkingSet,
  input: Case,
  open: OpenTransaction,
  { stays, waited, billing }: Lowered,
): bigint {
  const { row } = open
  const held = heldOf(row)
  const amount = least(row.amount, stays)
  const whole = row.billing_amount
  const part = whole === null ? null : portionOf(whole, row.amount, amount)
  const less = { amount, billing_amount: billing ?? part }
  const isUsed = clearedOf(row) + presentedApart(workingSet, input, open) > 0n
  const settled = settle(workingSet, input, open, less)
  const released = held - heldOf(row)
  const event = {
    ...eventOf(workingSet, input, 'REVERSED', '0000', released),
    stays: String(stays),
    ...(waited !== undefined && { waited }),
  }
  if (stays === 0n && !isUsed) {
    workingSet.charges.reverse(open)
    workingSet.change(open, voided(row), event)
  } else workingSet.change(open, { ...less, ...settled }, event)
  return released
}

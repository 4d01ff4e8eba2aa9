/** Money that comes to the cardholder: refunds, deposits, original credits (D-47). */

import {
  clearedOf,
  refundedOf,
  type StoredTrace,
  type TransactionRow,
} from '#issuing/transactions/rules.ts'
import type { AuthorizationAnswer, OriginalReference } from '../../schema.ts'
import type { Case } from '../case.ts'
import { isDebit } from '../kinds.ts'
import {
  afterRefund,
  billedOf,
  clearedPart,
  isBilledByScheme,
  newForeign,
} from '../money/billing.ts'
import type { OpenTransaction, Part } from '../rows.ts'
import type { WorkingSet } from '../state/working_set.ts'
import { answerOf, decline, eventOf, newTransaction } from './record.ts'

type CreditOutcome = { status_code: string; approval_code?: string | null }

/** The purchase that a credit refunds, if any, and why it may not be posted. */
type Ground = { purchase?: OpenTransaction; detail: string; code?: string }

/** Why a credit that has passed the checks is declined, or an advice of one not posted. */
export const creditCodes: readonly (readonly [code: string, reason: string])[] = [
  ['9114', 'the refund names a purchase that this card does not have'],
  ['9115', 'the presentment of a refund that was declined as 9114'],
  ['1858', 'what the refund names is no purchase, or one in another currency'],
  ['1894', 'the purchase was reversed'],
  ['1854', 'more than was cleared of the purchase and not refunded yet'],
  ['1896', 'without a purchase, and above `unlinked_credit_max_amount`'],
  [
    '1897',
    'without a purchase, and with those of the day above `unlinked_credit_max_daily_amount`',
  ],
]

/**
 * Credits at once, with every message type; a refund is counted at its purchase. A credit that
 * exceeds the purchase, or the product's limits of credits without one, is declined whole and
 * recorded: a request is answered so, an advice is acknowledged and not posted (D-313 to D-315).
 * `authorization` is the earlier message that a presentment claims.
 */
export function creditNow(
  workingSet: WorkingSet,
  input: Case,
  { status_code, approval_code = null }: CreditOutcome,
  trace: StoredTrace,
  authorization?: OpenTransaction,
): AuthorizationAnswer {
  const { amount } = input.request
  const { purchase, detail, code } = groundOf(workingSet, input, authorization)
  if (code !== undefined) {
    const original = purchase ?? authorization
    return decline(workingSet, input, code, [...trace, ['purchase', detail, code]], original)
  }
  const credit = creditOf(input, purchase)
  const { billing, settled } = credit
  const row = newTransaction(workingSet, input, [...trace, ['purchase', detail]], {
    status: 'SETTLED',
    status_code,
    approval_code,
    ...credit.fields,
    reference_transaction_id: purchase?.row.id ?? null,
  })
  const open = workingSet.open(row)
  workingSet.credit(open, billing, row.transaction_type)
  workingSet.exchange(open, billing - settled)
  if (purchase) {
    workingSet.change(
      purchase,
      afterRefund(purchase.row, { amount, billing }),
      eventOf(workingSet, input, 'REFUNDED', '0000', amount),
    )
  } else workingSet.unlinked.add(row, billing)
  return answerOf(workingSet, input, row, {
    status_code,
    approved: true,
    amount,
    ...(approval_code !== null && { approval_code }),
  })
}

/**
 * The value of a credit. A refund is worth as much as the cardholder paid for that part of the
 * purchase; any other credit is converted at the rate of now. The network pays the rate of now
 * (D-457).
 */
function creditOf(input: Case, purchase: OpenTransaction | undefined) {
  const { amount } = input.request
  const settled = billedOf(input)
  const paid = purchase?.row.foreign
  if (!purchase || !paid) return { billing: settled, settled, fields: { cleared_amount: settled } }
  const { billing } = clearedPart(purchase.row, amount)
  const isByScheme = isBilledByScheme(input) || paid.by_scheme === true
  const foreign = {
    ...newForeign(input.rate ?? paid.rate, { amount, billing, settled }, isByScheme),
    rate: paid.rate,
  }
  return { billing, settled, fields: { billing_amount: billing, cleared_amount: billing, foreign } }
}

function groundOf(workingSet: WorkingSet, input: Case, authorization?: OpenTransaction): Ground {
  const unlinked = () => unlinkedGround(workingSet, input)
  if (input.kind.type !== 'REFUND') return unlinked()
  if (!authorization) return refundGround(workingSet, input) ?? unlinked()
  const { status, status_code, reference_transaction_id } = authorization.row
  const purchase = workingSet.originals.get(reference_transaction_id ?? undefined)
  if (purchase) return purchaseGround(input, purchase)
  const isLost = status === 'DECLINED' && status_code === '9114'
  return isLost ? { detail: 'its authorization named none', code: '9115' } : unlinked()
}

const takesMoney = ({ transaction_type }: TransactionRow): boolean => isDebit(transaction_type)

/**
 * A refund names its purchase by id or DE90; the retrieval reference, which every message has,
 * names one only if the card has paid under it. Undefined for a refund that names none.
 */
function refundGround(workingSet: WorkingSet, input: Case): Ground | undefined {
  const { amount } = input.request
  const { transaction_id, message_key } = input.request.original ?? {}
  const original = withoutApproval(input.request.original)
  const hasRoom = (row: TransactionRow) => takesMoney(row) && roomOf(row) >= amount
  const card_id = input.card?.card_id
  const named = workingSet.originals.find(original, card_id, hasRoom)
  const purchase =
    named && hasRoom(named.row)
      ? named
      : (presentedOf(workingSet, input, hasRoom) ??
        (named && takesMoney(named.row)
          ? named
          : workingSet.originals.find(original, card_id, takesMoney)))
  if (purchase && takesMoney(purchase.row)) return purchaseGround(input, purchase)
  if (transaction_id === undefined && message_key === undefined) return undefined
  return purchase
    ? { detail: `${purchase.row.id} is no purchase`, code: '1858' }
    : { detail: 'the one that it names was not found', code: '9114' }
}

/** The presentment of the payment that was posted apart from the named message. */
const presentedOf = (
  workingSet: WorkingSet,
  { request, card }: Case,
  hasRoom: (row: TransactionRow) => boolean,
): OpenTransaction | undefined =>
  workingSet.originals
    .ofPayment(withoutApproval(request.original), card?.card_id)
    .findLast(({ row }) => row.currency === request.currency && hasRoom(row))

/** DE38 of a refund that names its purchase by DE90 is the refund's own. */
function withoutApproval(original: OriginalReference | undefined): OriginalReference | undefined {
  if (original?.message_key === undefined) return original
  const { approval_code: _own, ...named } = original
  return named
}

const roomOf = (row: TransactionRow): bigint => clearedOf(row) - refundedOf(row)

/** Refunds add up to at most what was cleared of their purchase (D-313). */
function purchaseGround({ request }: Case, purchase: OpenTransaction): Ground {
  const { id, status, currency } = purchase.row
  if (status === 'VOIDED') return { purchase, detail: `${id} was reversed`, code: '1894' }
  if (currency !== request.currency)
    return { purchase, detail: `${id} in ${currency}`, code: '1858' }
  const room = roomOf(purchase.row)
  const detail = `${id}, ${room} not refunded`
  return request.amount > room ? { purchase, detail, code: '1854' } : { purchase, detail }
}

/** The product's limits of credits without a purchase, of one credit and of a day (D-315). */
function unlinkedGround(workingSet: WorkingSet, input: Case): Ground {
  const { card, product } = input
  if (!card || !product) return { detail: 'none' }
  const { unlinked, now } = workingSet
  const amount = billedOf(input)
  const { unlinked_credit_max_amount: most, unlinked_credit_max_daily_amount: daily } = product
  if (most !== null && amount > most) return { detail: `none, at most ${most}`, code: '1896' }
  if (daily === null) return { detail: 'none' }
  const sum = unlinked.of(card.card_id, now) + amount
  return sum > daily
    ? { detail: `none, ${sum} of ${daily} today`, code: '1897' }
    : { detail: `none, ${sum} of ${daily} today` }
}

/**
 * An amount taken back from a credit no longer counts at its purchase, or among credits without
 * one.
 */
export function uncountCredit(
  workingSet: WorkingSet,
  input: Case,
  credit: TransactionRow,
  { amount, billing }: Part,
) {
  const { reference_transaction_id } = credit
  if (reference_transaction_id === null) return workingSet.unlinked.add(credit, -billing)
  const purchase = workingSet.originals.get(reference_transaction_id)
  if (!purchase || refundedOf(purchase.row) < amount) return
  const event = eventOf(workingSet, input, 'REFUND_REVERSED', '0000', amount)
  const less = { amount: -amount, billing: -billing }
  workingSet.change(purchase, afterRefund(purchase.row, less), event)
}

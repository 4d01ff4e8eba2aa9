/** 0100 and 0200 are requests, 0120 reports a decision of the network (D-47, D-48). */

import type { ShadowFinding } from '#issuing/shadows/rules.ts'
import type { StoredTrace, TransactionRow } from '#issuing/transactions/rules.ts'
import { portionOf } from '#lib/money.ts'
import { addDays } from '#lib/time.ts'
import type { AuthorizationAnswer } from '../../schema.ts'
import type { Case } from '../case.ts'
import { chargePosting } from '../charges/charges.ts'
import { type Examination, examine } from '../checks/checks.ts'
import { withIssuerData } from '../checks/chip.ts'
import { approvedAmount, successCode } from '../money/approval.ts'
import { billedOf } from '../money/billing.ts'
import type { OpenTransaction, Part } from '../rows.ts'
import type { WorkingSet } from '../state/working_set.ts'
import { adopt } from './adopt.ts'
import { creditNow } from './credit.ts'
import { pumpOf, replaceHold } from './fuel.ts'
import { advisedOf, isFuel, note } from './payment.ts'
import { isOverPresented, presentedBefore, raise } from './presented_apart.ts'
import { answerOf, decline, newTransaction } from './record.ts'
import { declineReversed, leaveWaited, waitedFor } from './reversed_before.ts'

export function authorize(workingSet: WorkingSet, input: Case): AuthorizationAnswer {
  const { chip } = input
  if (chip?.right) {
    workingSet.chips.set(chip.right.used)
    workingSet.touch(input.card?.account_id)
  }
  const answer = decideOn(workingSet, input)
  return chip ? withIssuerData(workingSet, chip, answer) : answer
}

function decideOn(workingSet: WorkingSet, input: Case): AuthorizationAnswer {
  const { done, raised } = input
  const { message_type } = input.request
  const examined = examine(input)
  const { pin_failures, wrong_try, shadows } = examined
  const { declined, trace } = done ? withoutTaken(examined.trace) : examined
  // A try counts whatever the checks after it find.
  if (pin_failures !== undefined) workingSet.countPin(input.card?.card_id, pin_failures)
  if (wrong_try) workingSet.tries.count(input.card?.card_id, workingSet.now)
  if (pin_failures !== undefined || wrong_try) workingSet.touch(input.card?.account_id)
  if (message_type === '0120') return advise(workingSet, input, trace, declined)
  if (done && declined === undefined) return note(workingSet, input, done)
  const answer =
    declined !== undefined
      ? decline(workingSet, input, declined, trace, done ?? raised)
      : raised
        ? increment(workingSet, input, raised)
        : approve(workingSet, input, trace)
  if (shadows.length > 0) noteShadows(workingSet, input, shadows, answer)
  return answer
}

/** The code that a request would get now, and whether that approves it. Changes nothing. */
export function foreseen(input: Case): Pick<AuthorizationAnswer, 'status_code' | 'approved'> {
  const { done } = input
  const examined = examine(input)
  const { declined } = done ? withoutTaken(examined.trace) : examined
  if (declined !== undefined) return { status_code: declined, approved: false }
  if (done?.row.status === 'VOIDED') return { status_code: '1894', approved: false }
  if (done) return { status_code: '0000', approved: true }
  const amount = approvedAmount(input)
  return { status_code: successCode(input, amount, billedOf(input, amount)), approved: true }
}

/** An advice is not noted here: no list and no limit declines it (D-481). */
function noteShadows(
  workingSet: WorkingSet,
  input: Case,
  shadows: readonly ShadowFinding[],
  { transaction_id, approved }: AuthorizationAnswer,
): void {
  const { currency, billing: amount = 0n } = input
  if (currency === undefined) return
  for (const { kind, id, code } of shadows) {
    workingSet.shadows.push({ kind, id, code, transaction_id, approved, amount, currency })
  }
}

/** The advice has already held or counted the amount, so the request does not lack it. */
const TAKEN: ReadonlySet<string> = new Set(['1016', '1876', '1878', '1897', '1898'])

/**
 * The result as if there were room for the request. Checks after the limits may still decline it
 * (D-954).
 */
function withoutTaken(made: StoredTrace): Pick<Examination, 'declined' | 'trace'> {
  const trace = made.map<StoredTrace[number]>((entry) => {
    const [name, detail, code, shadow] = entry
    const isTaken = code !== undefined && shadow === undefined && TAKEN.has(code)
    return isTaken ? [name, detail] : entry
  })
  const refused = trace.find(([, , code, shadow]) => code !== undefined && shadow === undefined)
  return { trace, declined: refused?.[2] }
}

/** An authorization that is still held, of the same card, shop and kind: this one raises it. */
export function incrementOf(workingSet: WorkingSet, input: Case): OpenTransaction | undefined {
  const { request, kind, card } = input
  const { type } = kind
  if (request.message_type !== '0100' || kind.direction !== 'debit') return undefined
  const open = workingSet.originals.find(
    request.original,
    card?.card_id,
    (row) => row.transaction_type === type && row.message_type !== '0220',
  )
  if (!open || !isRaisable(workingSet, input, open)) return undefined
  const { row } = open
  const fits =
    row.currency === request.currency &&
    row.transaction_type === type &&
    row.merchant.id === request.merchant.id
  return fits ? open : undefined
}

/** Held, or authorized for less than was presented before. */
const isRaisable = (workingSet: WorkingSet, input: Case, open: OpenTransaction): boolean =>
  (open.row.status === 'PENDING' && open.row.held > 0n) ||
  (open.row.status === 'SETTLED' && isOverPresented(workingSet, input, open))

/**
 * May be approved in part like any other request; its own code is answered, the row keeps the
 * first.
 */
function increment(
  workingSet: WorkingSet,
  input: Case,
  open: OpenTransaction,
): AuthorizationAnswer {
  const { row } = open
  const amount = approvedAmount(input)
  const billing = billedOf(input, amount)
  const status_code = successCode(input, amount, billing)
  raise(workingSet, input, open, { amount, billing, status_code })
  return answerOf(workingSet, input, row, {
    status_code,
    approved: true,
    amount,
    ...(row.approval_code !== null && { approval_code: row.approval_code }),
  })
}

function approve(workingSet: WorkingSet, input: Case, trace: StoredTrace): AuthorizationAnswer {
  const { request, card, approval_code } = input
  const { direction } = input.kind
  const amount = approvedAmount(input)
  const billing = billedOf(input, amount)
  const status_code = successCode(input, amount, billing)
  if (direction === 'credit')
    return creditNow(workingSet, input, { status_code, approval_code }, trace)

  const sums = { amount, billing_amount: card?.account_id ? billing : null }
  const base = { ...sums, status_code, approval_code }
  if (direction === 'debit' && request.message_type === '0100') {
    const row = holdRest(workingSet, input, { amount, billing }, base, trace)
    return answerOf(workingSet, input, row, { status_code, approved: true, amount, approval_code })
  }
  const cleared_amount = direction === 'debit' ? billing : 0n
  const row = newTransaction(workingSet, input, trace, {
    ...base,
    status: 'SETTLED',
    cleared_amount,
  })
  const open = workingSet.open(row)
  if (direction === 'debit') {
    workingSet.post(open, billing, row.transaction_type)
    chargePosting(workingSet, input, open, { billing, first: true })
  }
  return answerOf(workingSet, input, row, { status_code, approved: true, amount, approval_code })
}

/** Holds the part of a new authorization that was not presented before it came (D-316). */
function holdRest(
  workingSet: WorkingSet,
  input: Case,
  { amount, billing }: Part,
  fields: Partial<TransactionRow> & { status_code: string },
  trace: StoredTrace,
  forced = false,
): TransactionRow {
  const { amount: presented, last } = presentedBefore(workingSet, input)
  // The first presentment of a fuel pump ends the hold whatever its amount (D-1036).
  const isOver = presented >= amount || (presented > 0n && isFuel(input.request))
  const left = isOver ? 0n : amount - presented
  const rest = { amount: left, billing: portionOf(billing, amount, left) }
  // A rest may come to nothing in the currency of the account.
  const isHeld = rest.billing > 0n
  const hold_expires = isHeld ? holdEnd(workingSet) : null
  const row = newTransaction(workingSet, input, trace, {
    ...fields,
    status: isHeld ? 'PENDING' : 'SETTLED',
    hold_expires,
    reference_transaction_id: last?.row.id ?? null,
  })
  const open = workingSet.open(row)
  if (hold_expires) workingSet.hold(open, rest, forced)
  // The presented amount is claimed by this request, and another request of the payment has to see
  // that (D-906).
  else workingSet.touch(row.account_id)
  return row
}

/** Held even if the balance does not cover it: the network has already approved it. */
function advise(
  workingSet: WorkingSet,
  input: Case,
  trace: StoredTrace,
  declined: string | undefined,
): AuthorizationAnswer {
  const { request } = input
  const { direction, type } = input.kind
  const waited = direction === 'none' ? undefined : waitedFor(workingSet, input)
  const { stays = 0n } = waited ?? {}
  const isOfPart = direction === 'debit' && stays > 0n
  const fault = unpostable(input, isOfPart && declined === '1894' ? undefined : declined)
  const pump = fault === undefined || fault === '1010' ? pumpOf(workingSet, input) : undefined
  if (pump) return replaceHold(workingSet, input, pump)
  if (fault !== undefined) return decline(workingSet, input, fault, trace)

  const known = direction === 'none' ? undefined : advisedOf(workingSet, input)
  if (known) return adopt(workingSet, input, known)
  if (waited && !isOfPart) return declineReversed(workingSet, input, waited)

  const approval_code = request.advised_approval?.approval_code ?? null
  const { amount } = request
  if (direction === 'credit') {
    return creditNow(workingSet, input, { status_code: '0000', approval_code }, trace)
  }
  const status_code = type === 'VERIFICATION' ? '0885' : '0000'
  const base = { status_code, approval_code }
  if (direction === 'none') {
    const row = newTransaction(workingSet, input, trace, { ...base, status: 'SETTLED' })
    workingSet.open(row)
    return answerOf(workingSet, input, row, { status_code, approved: true, amount })
  }
  const billing = billedOf(input)
  const row = holdRest(workingSet, input, { amount, billing }, base, trace, true)
  if (waited) leaveWaited(workingSet, input, row, waited)
  return answerOf(workingSet, input, row, { status_code, approved: true, amount })
}

/** Codes that make an advice itself unusable; the other codes did not bind the network. */
const UNUSABLE = new Set(['1018', '1847', '1846', '9104', '1894'])

/**
 * Why an advice is recorded only (D-108). The first check that declines gives the code, so the
 * conditions that make a posting impossible are checked again.
 */
function unpostable({ request, kind, account, billing }: Case, declined: string | undefined) {
  if (declined !== undefined && UNUSABLE.has(declined)) return declined
  if (!request.advised_approval?.approved) return '1856'
  const { direction, type } = kind
  if (type === 'UNKNOWN') return '1888'
  if (!account) return direction === 'none' ? undefined : '1019'
  // Nothing is worth nothing in any currency.
  if (billing === undefined && request.amount > 0n) return '1888'
  return !billing && direction !== 'none' ? '1010' : undefined
}

const holdEnd = ({ now, settings }: WorkingSet): Date => addDays(now, settings.hold_days)

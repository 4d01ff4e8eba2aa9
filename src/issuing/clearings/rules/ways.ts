/** The way of a record: posted by the engine, booked, in suspense, or shown. Pure. */

import { type Answer, type Answerable, type Answered, answerOf, answerStep } from './answers.ts'
import type { RecordKind } from './facts.ts'

export const recordStates = [
  ...(['WAITING', 'POSTED', 'BOOKED', 'SUSPENDED', 'SHOWN', 'RESOLVED'] as const),
] as const
export type RecordState = (typeof recordStates)[number]

/** Why a record is in suspense, beside the status codes of the engine. */
export const suspenseReasons = {
  UNKNOWN_CARD: 'no card of the platform has its number',
  ACCOUNT_CLOSED: 'the account is not active, and does not cover it',
  DUPLICATE: 'another record has posted its acquirer reference data',
  NO_ORIGINAL: 'no presentment with its acquirer reference data is known',
  ORIGINAL_NOT_POSTED: 'the presentment that it reverses is not posted to a card',
  REVERSED_BEFORE: 'its reversal came first',
  DISPUTE: 'a second presentment or chargeback that fits no dispute, or not one alone',
  UNKNOWN_MESSAGE: 'its message type moves money in no way that is known',
  DECLINED: 'the engine does not post it; `status_code` has the reason',
} as const
export type SuspenseReason = keyof typeof suspenseReasons

/** A record among those of its acquirer reference data. */
export type Sibling = {
  file_id: string
  number: number
  kind: RecordKind
  state: RecordState
  reason: string | null
  reversed: boolean
}

export type Subject = Sibling &
  Answered & {
    amount: bigint | undefined
    has_card: boolean
    /** A purchase before it, which it may be the refund of, is not decided yet (D-1251). */
    is_early: boolean
    /** The available amount of an account that is not active; undefined for one that is. */
    closed_with: bigint | undefined
  }

export type Way =
  | { to: 'ENGINE' }
  | { to: 'REVERSAL'; of: Sibling }
  | { to: 'FEES' }
  | { to: 'DISPUTE'; answer: Answer }
  | { to: 'SHOWN' }
  | { to: 'SUSPENSE'; reason: SuspenseReason }
  /** An earlier record of the same reference is not decided yet. */
  | { to: 'LATER' }

const suspense = (reason: SuspenseReason): Way => ({ to: 'SUSPENSE', reason })

/** `disputes` are those of the transactions that the siblings have posted. */
export function wayOf(
  record: Subject,
  siblings: readonly Sibling[],
  disputes: readonly Answerable[],
): Way {
  const before = siblings.filter((one) => isBefore(one, record))
  if (answerStep(record) !== undefined) return disputeWay(record, before, disputes)
  if (record.amount === undefined || record.amount === 0n) return { to: 'SHOWN' }
  if (record.kind === 'FEE') {
    return isFee(record) ? { to: 'FEES' } : suspense('UNKNOWN_MESSAGE')
  }
  if (record.kind === 'DISPUTE') return suspense('DISPUTE')
  if (record.kind !== 'PRESENTMENT' && record.kind !== 'REVERSAL') {
    return record.kind === 'TOTALS' ? { to: 'SHOWN' } : suspense('UNKNOWN_MESSAGE')
  }
  if (before.some(isUndecided) || record.is_early) return { to: 'LATER' }
  if (!record.has_card) return suspense('UNKNOWN_CARD')
  return record.kind === 'REVERSAL' ? reversalWay(before) : presentmentWay(record, before)
}

/** The one place that decides about second presentments, and about what the centre rejected. */
function disputeWay(
  record: Subject,
  before: readonly Sibling[],
  disputes: readonly Answerable[],
): Way {
  if (before.some(isUndecided)) return { to: 'LATER' }
  const answer = answerOf(record, disputes)
  if (answer) return { to: 'DISPUTE', answer }
  const isShown = record.amount === undefined || record.amount === 0n
  return isShown ? { to: 'SHOWN' } : suspense('DISPUTE')
}

const isUndecided = ({ state }: Sibling): boolean => state === 'WAITING'

/** DE3 of a fee: 19 is collected from the issuer, 29 paid to it. */
const isFee = ({ processing_code }: Subject): boolean => /^[12]9/.test(processing_code)

const isBefore = (one: Sibling, other: Sibling): boolean =>
  one.file_id < other.file_id || (one.file_id === other.file_id && one.number < other.number)

function reversalWay(before: readonly Sibling[]): Way {
  const presented = before.filter(({ kind }) => kind === 'PRESENTMENT')
  const original = presented.findLast(({ state, reversed }) => state === 'POSTED' && !reversed)
  if (original) return { to: 'REVERSAL', of: original }
  return suspense(presented.length > 0 ? 'ORIGINAL_NOT_POSTED' : 'NO_ORIGINAL')
}

function presentmentWay(record: Subject, before: readonly Sibling[]): Way {
  const isPosted = ({ kind, state, reversed }: Sibling) =>
    kind === 'PRESENTMENT' && !reversed && (state === 'POSTED' || state === 'RESOLVED')
  if (before.some(isPosted)) return suspense('DUPLICATE')
  const early = before.filter(({ reason }) => reason === 'NO_ORIGINAL')
  const taken = before.filter(({ reason }) => reason === 'REVERSED_BEFORE')
  if (early.length > taken.length) return suspense('REVERSED_BEFORE')
  const { closed_with, credit, amount = 0n } = record
  const isShort = closed_with !== undefined && !credit && closed_with < amount
  return isShort ? suspense('ACCOUNT_CLOSED') : { to: 'ENGINE' }
}

/** A stored transaction as it is answered and reported: minor units become decimals. */

import type { ObjectEvent } from '#events/outbox.ts'
import { statusDescription } from '#iso8583/codes.ts'
import { isCurrency } from '#lib/currency.ts'
import { formatAmount } from '#lib/money.ts'
import type {
  Merchant,
  Pos,
  TraceEntry,
  Transaction,
  TransactionEventType,
  TransactionStatus,
  TransactionType,
} from './schema.ts'

/** Types that credit the cardholder. */
export const credits: readonly string[] = [
  ...['REFUND', 'DEPOSIT', 'LOAD', 'ORIGINAL_CREDIT', 'PAYMENT'],
]

/** As stored in the row: the amount in minor units as text, because JSON has no bigint. */
export type StoredEvent = {
  type: TransactionEventType
  message_type?: string
  status_code: string
  amount: string
  created: string
  /** The network's approval code of an advice, which its presentment contains (D-529). */
  approval_code?: string
  /** The platform reversed it, because no answer of it had left: the network does not know that. */
  unsent?: true
  /** The amount that stays of the whole after a reversal with DE95, minor units as text. */
  stays?: string
  /**
   * The amount that a reversal took back beyond the hold, because it was presented before. This
   * amount of the next authorization has been presented already. Minor units as text.
   */
  over?: string
  /** The part of an approval that was presented against an earlier approval which was reversed. */
  presented?: string
  /** A reversal has it that took back a presentment, which is held again. */
  of_completion?: true
  /** A presentment of a clearing file (D-1046). */
  by_file?: true
  /** It came by line and by file, and was posted by the one that came first. */
  twin?: true
  /** The transaction of the reversal, if a part was reversed before its advice came. */
  waited?: string
  /** State of the transaction after it; the last one's is the row itself. */
  after?: StoredState
}

/** The columns of a transaction that change in its life, as stored in an event: amounts as text. */
export type StoredState = {
  status: TransactionStatus
  status_code: string
  amount: string
  billing_amount: string | null
  cleared_amount: string
  refunded_amount: string
  hold_expires: string | null
  clearing_rate?: string
}

/** The message that made a transaction, and the answer to a repeat of it (D-109). */
export type MakingMessage = {
  key: string
  /** Keyed digest of the members that a repeat must have in common with it (D-312), in hex. */
  fingerprint: string
  /** The part of the answer that the row itself does not show. */
  answer: MakingAnswer
}

/** Amounts in minor units, as text: JSON has no bigint. */
export type MakingAnswer = {
  approval_code?: string
  available?: { amount: string; ledger: string; currency: string }
  /** DE55 in hex. */
  emv?: string
  hints: { card_reason?: string; cvv2?: boolean }
}

/**
 * The count of a transaction at one time against velocity limits of one group of a holder's
 * counters (D-430): minor units as text, whether it counted as one, and windows by `counterName`.
 */
export type Counted = readonly [
  holder_id: string,
  group: string,
  amount: string,
  number: number,
  windows: Readonly<Record<string, string>>,
]

/**
 * The amounts of a transaction in another currency than the account's (D-456): the rates, as major
 * units of the account's currency for one of the transaction's, and the same parts of it in its own
 * currency as the row has in the account's.
 */
export type Foreign = {
  /** The rate of the authorization. */
  rate: string
  /** The rate of the last clearing. */
  clearing_rate?: string
  /** The scheme has said what is billed (D-1034), so that no rate of the platform explains it. */
  by_scheme?: true
  held: bigint
  cleared: bigint
  refunded: bigint
  /** The amount that the card network got for the cleared amount, in the account's currency. */
  settled: bigint
}

/**
 * The merchant category code of fuel pumps, whose holds end with the first presentment (D-1036).
 */
export const FUEL_MCC = '5542'

/** Minor units of the transaction's own currency. */
export const heldOf = ({ held, foreign }: TransactionRow): bigint => foreign?.held ?? held
export const clearedOf = ({ cleared_amount, foreign }: TransactionRow): bigint =>
  foreign?.cleared ?? cleared_amount
export const refundedOf = ({ refunded_amount, foreign }: TransactionRow): bigint =>
  foreign?.refunded ?? refunded_amount

/**
 * The members of the first message that no other column shows, for decisions that are repeated
 * later and for messages of the same payment. Absent members are left out, and no value of a proof
 * is stored.
 */
export type StoredDetails = {
  cvv2?: true
  pin?: true
  /** The network's id of the payment (DE63). */
  trace_id?: string
  /** The terminal could accept less than it requested. */
  partial?: true
  recurring?: true
  three_ds?: 'AUTHENTICATED' | 'ATTEMPTED'
  /** The amount that was requested if less was approved, minor units as text. */
  amount?: string
  /** About a completion rather than about the authorization: that one, as DE90 names it. */
  of_completion?: string
  /** The message that a reversal of something else than a completion names, as DE90 names it. */
  of?: string
  /** The amount that a reversal leaves of the message it names (DE95), minor units as text. */
  stays?: string
}

/** A transaction as it is stored; amounts in minor units of the currency beside them. */
export type TransactionRow = {
  id: string
  card_id: string | null
  account_id: string | null
  user_id: string | null
  message_type: string
  transaction_type: TransactionType
  status: TransactionStatus
  status_code: string
  amount: bigint
  currency: string
  billing_amount: bigint | null
  billing_currency: string | null
  /** Null if the account has the transaction's currency, or there is no rate to it. */
  foreign: Foreign | null
  cleared_amount: bigint
  refunded_amount: bigint
  /** The part of the account's balance that is held for it, in the account's currency. */
  held: bigint
  hold_expires: Date | null
  approval_code: string | null
  rrn: string | null
  stan: string | null
  reference_transaction_id: string | null
  merchant: Merchant
  pos: Pos
  events: StoredEvent[]
  /** The checks of its decision, in order (D-45). */
  trace: StoredTrace
  /** Null if no message of the card network made it. */
  message: MakingMessage | null
  asked?: StoredDetails
  /** Absent if it never counted against a velocity limit. */
  counted?: readonly Counted[]
  /** Charges were made for it; absent for none. */
  charged?: true
  /** The request of the message was reversed: its repeats are declined (D-302). */
  withdrawn: boolean
  created: Date
  modified: Date
}

export function present(row: TransactionRow): Transaction {
  const billing = row.billing_currency ?? row.currency
  const { billing_amount, hold_expires, events, amount, cleared_amount, refunded_amount } = row
  const { foreign } = row
  return {
    ...withoutNulls(row),
    status_description: statusDescription(row.status_code) ?? 'Unknown status',
    amount: shown(amount, row.currency),
    ...(billing_amount !== null && { billing_amount: shown(billing_amount, billing) }),
    ...(foreign && { rate: foreign.rate }),
    ...(foreign?.clearing_rate !== undefined && { clearing_rate: foreign.clearing_rate }),
    ...(hold_expires !== null && { hold_expires }),
    cleared_amount: shown(cleared_amount, billing),
    refunded_amount: shown(refunded_amount, billing),
    events: events.map(({ type, message_type, status_code, amount, created }) => ({
      type,
      ...(message_type !== undefined && { message_type }),
      status_code,
      amount: shown(BigInt(amount), row.currency),
      created: new Date(created),
    })),
  }
}

/** A currency that the message names and ISO 4217 does not know is shown in minor units. */
const shown = (minor: bigint, currency: string) =>
  isCurrency(currency) ? formatAmount(minor, currency) : Number(minor)

const OPTIONAL = [
  'card_id',
  'account_id',
  'user_id',
  'billing_currency',
  'approval_code',
  'rrn',
  'stan',
  'reference_transaction_id',
] as const

function withoutNulls(row: TransactionRow) {
  const { message_type, transaction_type, status, status_code, currency, merchant, pos } = row
  const { id, created, modified } = row
  const filled: Partial<Record<(typeof OPTIONAL)[number], string>> = {}
  for (const name of OPTIONAL) {
    const value = row[name]
    if (value !== null) filled[name] = value
  }
  return {
    id,
    ...filled,
    message_type,
    transaction_type,
    status,
    status_code,
    currency,
    merchant,
    pos,
    created,
    modified,
  }
}

/**
 * A check as it is stored: its name, its detail, and the code when it declined. With the id of a
 * list or limit in SHADOW it is what that would have declined (D-480).
 */
export type StoredTrace = readonly (readonly [
  check: string,
  detail: string,
  code?: string,
  shadow?: string,
])[]

/** The detail of a check that was not made because an earlier one declined (D-467). */
export const NOT_CHECKED = 'not checked'

/** Entries of decisions after the checks, which are decisive whatever the checks found. */
const AFTER_THE_CHECKS: ReadonlySet<string> = new Set(['purchase'])

export function tracePresented(trace: StoredTrace): TraceEntry[] {
  let isDecided = false
  return trace.map(([check, detail, code, control_id]) => {
    if (control_id !== undefined && code !== undefined) {
      const verdict = 'would_refuse'
      return { check, detail, verdict, status_code: code, control_id, decisive: false }
    }
    const decisive = !isDecided || AFTER_THE_CHECKS.has(check)
    isDecided ||= code !== undefined
    const verdict = detail === NOT_CHECKED ? 'skipped' : 'passed'
    return code === undefined
      ? { check, detail, verdict, decisive }
      : { check, detail, verdict: 'refused', status_code: code, decisive }
  })
}

/** Whether the platform reversed all of it, because no answer of it had left (D-529). */
export const isTakenBackUnsent = ({ status, events }: TransactionRow): boolean =>
  status === 'VOIDED' && events.findLast(({ type }) => type === 'REVERSED')?.unsent === true

/**
 * The amounts that were authorized one after the other, without those that the platform has taken
 * back; minor units of the transaction's currency. Partial reversals do not change them.
 */
export function approvalsOf({ events }: Pick<TransactionRow, 'events'>): bigint[] {
  const approvals: bigint[] = []
  for (const [at, { type, amount, unsent }] of events.entries()) {
    if (at === 0 || type === 'INCREMENTED') approvals.push(BigInt(amount))
    const taken_back = unsent ? approvals.indexOf(BigInt(amount)) : -1
    if (taken_back >= 0) approvals.splice(taken_back, 1)
  }
  return approvals
}

/** The state of a transaction, stored with its last event before the next one changes it. */
export function stateOf(row: TransactionRow): StoredState {
  const { clearing_rate } = row.foreign ?? {}
  return {
    status: row.status,
    status_code: row.status_code,
    amount: String(row.amount),
    billing_amount: row.billing_amount === null ? null : String(row.billing_amount),
    cleared_amount: String(row.cleared_amount),
    refunded_amount: String(row.refunded_amount),
    hold_expires: row.hold_expires?.toISOString() ?? null,
    ...(clearing_rate !== undefined && { clearing_rate }),
  }
}

/** The transaction as it was after its event number `sequence`, counted from 1. */
export function asOf(row: TransactionRow, sequence: number): TransactionRow {
  const events = row.events.slice(0, sequence)
  const last = events.at(-1)
  if (!last?.after) return row
  const { billing_amount, hold_expires, clearing_rate, ...state } = last.after
  return {
    ...row,
    ...state,
    foreign: row.foreign && foreignAsOf(row.foreign, clearing_rate),
    amount: BigInt(state.amount),
    billing_amount: billing_amount === null ? null : BigInt(billing_amount),
    cleared_amount: BigInt(state.cleared_amount),
    refunded_amount: BigInt(state.refunded_amount),
    hold_expires: hold_expires === null ? null : new Date(hold_expires),
    modified: new Date(last.created),
    events,
  }
}

/** The amounts with the rate of the last clearing until then. */
function foreignAsOf(foreign: Foreign, rate: string | undefined): Foreign {
  const { clearing_rate: _later, ...before } = foreign
  return rate === undefined ? before : { ...before, clearing_rate: rate }
}

/**
 * The event of a new or changed transaction: its events number it (D-61). It contains no copy of
 * the transaction, but is rendered from its history (`asOf`): a copy would double what is written.
 */
export function transactionEvent(
  { id, events }: TransactionRow,
  event: ObjectEvent['event'] = 'TRANSACTION',
): ObjectEvent {
  return { event, object_id: id, sequence: events.length }
}

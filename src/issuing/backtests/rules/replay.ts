/**
 * The replay of stored decisions in the order of their events (D-483): each is decided again with
 * the proposal, and the amount that it would have taken counts for those after it. Pure.
 */

import {
  countedOf,
  type HeldCard,
  isDebit,
  type Proposed,
  type Redecision,
  redecide,
  redecideIncrement,
  requestedOf,
} from '#issuing/authorization/rules.ts'
import type { StoredCounters, VelocityRule } from '#issuing/limits/rules.ts'
import { asOf, type Counted, type TransactionRow } from '#issuing/transactions/rules.ts'
import { checksOf, type Plan, proposedRules } from './proposed.ts'
import { ReplayCounts } from './replay_counts.ts'
import { addTurned, addUnknown, type Sums, type Turned } from './sums.ts'

/** A card with the settings of the proposal. */
export type ReplayCard = HeldCard & { chain_id: string }

/** A transaction with an event after those that were replayed. Amounts as text. */
export type Open = {
  transaction_id: string
  /** The time and the number of its next event. */
  due: Date
  sequence: number
  state: {
    counted: readonly Counted[]
    /** The amount of it that counts. */
    taken: string
    /** The account has so much more, because the transaction was decided otherwise. */
    kept: string
    /** Its first message would have been declined. */
    turned: boolean
    /** The amount of the increments that would have been declined. */
    less: string
  }
}

const START: Open['state'] = { counted: [], taken: '0', kept: '0', turned: false, less: '0' }

export class Replay {
  readonly #plan: Plan
  readonly #checks: ReturnType<typeof checksOf>
  readonly #cards: ReadonlyMap<string, ReplayCard>
  readonly #counts: ReplayCounts
  readonly #sums: Sums

  /** `counts` by holder, of all that the transactions name. Adds to `sums`. */
  constructor(
    plan: Plan,
    cards: ReadonlyMap<string, ReplayCard>,
    counts: ReadonlyMap<string, StoredCounters>,
    sums: Sums,
  ) {
    this.#plan = plan
    this.#checks = checksOf(plan)
    this.#cards = cards
    this.#counts = new ReplayCounts(plan.settings.time_zone, counts)
    this.#sums = sums
  }

  /** The first message of a transaction. Undefined if nothing more of it is to be replayed. */
  begin(row: TransactionRow): Open | undefined {
    return this.#replay(row, 1, { ...START }, row.created)
  }

  /** The next event of a transaction. */
  continue(row: TransactionRow, { due, sequence, state }: Open): Open | undefined {
    return this.#replay(row, sequence, { ...state }, due)
  }

  get changed(): ReplayCounts['changed'] {
    return this.#counts.changed
  }

  #replay(
    row: TransactionRow,
    sequence: number,
    state: Open['state'],
    now: Date,
  ): Open | undefined {
    const card = this.#cards.get(row.card_id ?? '')
    if (!card) return undefined
    const rules = this.#rulesOf(row, card)
    const isMade = sequence === 1 && this.#isDecision(row, now)
    const isRaised =
      row.events[sequence - 1]?.type === 'INCREMENTED' && now >= this.#plan.from && !state.turned
    const approved = isMade ? this.#first(row, card, rules, now) : undefined
    if (approved === false) state.turned = true
    if (isRaised && !this.#increment(row, sequence, card, rules, now, BigInt(state.less))) {
      state.less = String(BigInt(state.less) + (requestedOf(row, sequence) ?? 0n))
    }
    const after = approved ? asApproved(row) : takenOf(row, sequence, state)
    this.#move(row, rules, state, after, now)
    return this.#next(row, sequence, state)
  }

  /** Whether it answers a request of the period. */
  #isDecision({ message_type: mti }: TransactionRow, now: Date): boolean {
    return (mti === '0100' || mti === '0200') && now >= this.#plan.from
  }

  /** True: it would be approved and was declined. False: the reverse. */
  #first(
    row: TransactionRow,
    card: ReplayCard,
    rules: readonly VelocityRule[],
    now: Date,
  ): boolean | undefined {
    const found = redecide(row, this.#proposed(row, card, rules, now))
    const [first] = row.events
    const former = first?.type === 'DECLINED' ? first.status_code : undefined
    return this.#report(row, 1, found, former)
  }

  /** Whether it would be approved, as it was. */
  #increment(
    row: TransactionRow,
    sequence: number,
    card: ReplayCard,
    rules: readonly VelocityRule[],
    now: Date,
    less: bigint,
  ): boolean {
    const found = redecideIncrement(row, sequence, this.#proposed(row, card, rules, now, less))
    return this.#report(row, sequence, found, undefined) === undefined
  }

  #report(
    row: TransactionRow,
    sequence: number,
    found: Redecision,
    former: string | undefined,
  ): boolean | undefined {
    const sums = this.#sums
    sums.evaluated += 1
    if (found === 'unknown') {
      addUnknown(sums, 'CHECK_NOT_MADE')
      return undefined
    }
    const { code } = found
    if (code === former) {
      if (code === undefined && this.#lacksFunds(row, sequence))
        addUnknown(sums, 'FUNDS_NOT_STORED')
      else sums.unchanged += 1
      return undefined
    }
    const turned: Turned = {
      transaction_id: row.id,
      ...(code !== undefined && { status_code: code }),
      ...(former !== undefined && { former_status_code: former }),
      currency: row.billing_currency ?? row.currency,
      amount: requestedOf(row, sequence) ?? row.amount,
    }
    if (code === undefined) addTurned(sums, 'would_approve', turned)
    else addTurned(sums, former === undefined ? 'would_decline' : 'would_decline_otherwise', turned)
    return code === undefined ? true : former === undefined ? false : undefined
  }

  /** The funds that were available at an increment are not stored. */
  #lacksFunds({ account_id, transaction_type }: TransactionRow, sequence: number): boolean {
    const asksFunds = this.#plan.balance.length > 0 && isDebit(transaction_type)
    return asksFunds && sequence > 1 && account_id !== null
  }

  #proposed(
    row: TransactionRow,
    card: ReplayCard,
    rules: readonly VelocityRule[],
    now: Date,
    less = 0n,
  ): Proposed {
    const counters = this.#counts.at(now, rules, [])
    const velocity = counters.of(rules)
    const currency = row.billing_currency ?? card.product.currency
    const balance = this.#plan.balance.filter((limit) => limit.currency === currency)
    const more = this.#counts.moreOf(row.account_id)
    const { settings } = this.#plan
    const limits = { velocity, balance }
    return { card, limits, more, less, ...this.#checks, settings, now }
  }

  /** Sets the amount of it that counts, and the amount that its account has more, from now on. */
  #move(
    row: TransactionRow,
    rules: readonly VelocityRule[],
    state: Open['state'],
    { taken, kept }: Taken,
    now: Date,
  ): void {
    const before = BigInt(state.taken)
    if (before !== taken) state.counted = this.#count(row, rules, state.counted, before, taken, now)
    const more = kept - BigInt(state.kept)
    if (more !== 0n && row.account_id !== null) this.#counts.addMore(row.account_id, more)
    state.taken = String(taken)
    state.kept = String(kept)
  }

  #count(
    row: TransactionRow,
    rules: readonly VelocityRule[],
    counted: readonly Counted[],
    before: bigint,
    after: bigint,
    now: Date,
  ): readonly Counted[] {
    const counters = this.#counts.at(now, rules, counted)
    const one = { row: { ...row, ...holding(before), counted }, read_sequence: 0 }
    counters.watch(one)
    Object.assign(one.row, holding(after))
    counters.recount()
    this.#counts.keep(counters)
    return one.row.counted
  }

  #rulesOf(row: TransactionRow, { chain_id }: ReplayCard): VelocityRule[] {
    const { account_id, user_id, billing_currency: currency } = row
    if (account_id === null || currency === null) return []
    return proposedRules(this.#plan, { account_id, user_id, chain_id, currency })
  }

  /** Its next event of the period, if that can change anything. */
  #next(row: TransactionRow, sequence: number, state: Open['state']): Open | undefined {
    const event = row.events[sequence]
    if (!event || !isDebit(row.transaction_type)) return undefined
    const due = new Date(event.created)
    if (due >= this.#plan.to) return undefined
    return { transaction_id: row.id, due, sequence: sequence + 1, state }
  }
}

type Taken = { taken: bigint; kept: bigint }

/**
 * The transaction was declined at the time. Its whole amount stays taken, since no later event is
 * known.
 */
function asApproved(row: TransactionRow): Taken {
  const amount = isDebit(row.transaction_type) ? (requestedOf(row) ?? 0n) : 0n
  return { taken: amount, kept: -amount }
}

/**
 * The amount of it that counts after an event, and the part of its funds that the replay has not
 * taken.
 */
function takenOf(row: TransactionRow, sequence: number, state: Open['state']): Taken {
  const { after } = row.events[sequence - 1] ?? {}
  const then = asOf(row, sequence)
  const { billing_amount, cleared_amount: cleared } = then
  const open = then.status === 'PENDING' ? (billing_amount ?? 0n) - cleared : 0n
  // The state after an event does not contain what is held: the last one's is the row's own.
  const held = after === undefined ? row.held : open > 0n ? open : 0n
  const counted = countedOf({ ...then, held })
  const funds = isDebit(row.transaction_type) && then.status !== 'DECLINED' ? held + cleared : 0n
  if (state.turned) return { taken: 0n, kept: funds }
  const authorized = (billing_amount ?? 0n) - BigInt(state.less)
  const most = authorized > 0n ? authorized : 0n
  // An amount that the network has presented does not stay with the account.
  const within = funds < most ? funds : most
  const spent = cleared > within ? cleared : within
  return { taken: counted < most ? counted : most, kept: funds - spent }
}

/** A transaction of which exactly so much counts. */
const holding = (amount: bigint) => ({
  status: 'PENDING' as const,
  held: amount,
  cleared_amount: 0n,
  billing_amount: amount,
})

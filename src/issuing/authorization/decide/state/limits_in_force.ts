/** The limits of the cards of a batch, with the counts and the funds at each message. */

import type { Account } from '#issuing/ledger/schema.ts'
import {
  type CardLimits,
  type Count,
  enforced,
  type HolderCounters,
  type LimitTerms,
  NO_LIMITS,
  type Standing,
} from '#issuing/limits/rules.ts'
import { Counters } from './counters.ts'
import type { Gathered } from './gathered.ts'
import { roomWithin, standingOf, summedUsers } from './standing.ts'

type Read = Pick<Gathered, 'now' | 'settings' | 'accounts' | 'limits' | 'counters'>

/** The limits that apply, with their counts and the funds of the account and its user. */
export type LimitsNow = {
  velocity: readonly { limit: LimitTerms; counted: Count }[]
  balance: readonly LimitTerms[]
  standing?: Standing | undefined
}

/** No limit applies. */
export const NO_COUNTS: LimitsNow = { velocity: [], balance: [], standing: undefined }

export class LimitsInForce {
  readonly counters: Counters
  readonly #byCard: ReadonlyMap<string, CardLimits>
  readonly #summed: ReadonlySet<string>
  /** The accounts as the batch has changed them so far. */
  readonly #accounts: ReadonlyMap<string, Account>

  constructor(read: Read, accounts: ReadonlyMap<string, Account>) {
    const { now, settings, limits = new Map(), counters = [] } = read
    this.#byCard = limits
    this.#accounts = accounts
    this.#summed = summedUsers(read.accounts, limits.values())
    const rulesOf = (card_id: string | null) => this.#byCard.get(card_id ?? '')?.velocity ?? []
    this.counters = new Counters(now, settings.time_zone, rulesOf, counters)
  }

  of(card_id: string | undefined, account: Account | undefined): LimitsNow {
    const limits = this.#byCard.get(card_id ?? '')
    if (!limits || !account) return NO_COUNTS
    const { velocity, balance } = limits
    return {
      velocity: this.counters.of(velocity),
      balance,
      standing: standingOf(balance, account, this.#accounts.values()),
    }
  }

  /** The most that may be debited, minor units; not positive if nothing may. */
  room(card_id: string | undefined, account: Account | undefined): bigint {
    if (!account) return 0n
    const { balance } = this.#byCard.get(card_id ?? '') ?? NO_LIMITS
    return roomWithin(enforced(balance), account, this.#accounts.values())
  }

  /** JSON of the counters that have changed, by their accounts, whose rows they are written in. */
  get accountCounters(): ReadonlyMap<string, string> {
    const changed = this.counters.changed.filter(
      (one) => this.#accounts.has(one.holder_id) && this.counters.hasChangedRow(one),
    )
    return new Map(changed.map(({ holder_id, counters }) => [holder_id, JSON.stringify(counters)]))
  }

  /** The counters of users, which have rows of their own. */
  get userCounters(): Record<'changed' | 'unchanged', HolderCounters[]> {
    const isOfUser = ({ holder_id }: HolderCounters) => !this.#accounts.has(holder_id)
    const { changed, unchanged } = this.counters
    return { changed: changed.filter(isOfUser), unchanged: unchanged.filter(isOfUser) }
  }

  /** If decisions rest on the sum of the user's accounts, no other batch changes it meanwhile. */
  touch({ user_id }: Account): void {
    if (user_id !== null && this.#summed.has(user_id)) this.counters.touch(user_id)
  }
}

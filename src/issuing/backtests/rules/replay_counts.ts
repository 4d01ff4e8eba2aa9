/** The counts of a replay, and the sums that accounts have more than at the time. Pure. */

import { Counters } from '#issuing/authorization/rules.ts'
import {
  countIn,
  groupIn,
  type StoredCounters,
  storedCount,
  type VelocityRule,
  withGroups,
} from '#issuing/limits/rules.ts'
import type { Counted } from '#issuing/transactions/rules.ts'

/** Stored beside the counters of an account: the sum that it has more, without a window. */
const MORE = 'more'
const NO_WINDOW = ''

export class ReplayCounts {
  readonly #time_zone: string
  readonly #byHolder: Map<string, StoredCounters>
  readonly #changed = new Set<string>()

  /** `byHolder` has the counters of all holders that the transactions name. */
  constructor(time_zone: string, byHolder: ReadonlyMap<string, StoredCounters>) {
    this.#time_zone = time_zone
    this.#byHolder = new Map(byHolder)
  }

  /** The counters of the holders of these rules, and of the counts of a transaction. */
  at(now: Date, rules: readonly VelocityRule[], counted: readonly Counted[]): Counters {
    const holders = new Set([
      ...rules.map(({ holder_id }) => holder_id),
      ...counted.map(([holder_id]) => holder_id),
    ])
    const read = [...holders].map((holder_id) => ({
      holder_id,
      version: 0n,
      counters: this.#of(holder_id),
    }))
    return new Counters(now, this.#time_zone, () => rules, read)
  }

  keep({ changed }: Counters): void {
    for (const { holder_id, counters } of changed) this.#set(holder_id, counters)
  }

  /** The sum that the account has more, minor units; negative if it has less. */
  moreOf(account_id: string | null): bigint {
    return countIn(groupIn(this.#of(account_id ?? ''), MORE)?.[MORE], NO_WINDOW).amount
  }

  addMore(account_id: string, more: bigint): void {
    const amount = this.moreOf(account_id) + more
    const group = { [MORE]: storedCount({ amount, number: 0 }, NO_WINDOW) }
    this.#set(account_id, withGroups(this.#of(account_id), new Map([[MORE, group]])))
  }

  get changed(): { holder_id: string; counters: StoredCounters }[] {
    return [...this.#changed].map((holder_id) => ({ holder_id, counters: this.#of(holder_id) }))
  }

  #of(holder_id: string): StoredCounters {
    return this.#byHolder.get(holder_id) ?? []
  }

  #set(holder_id: string, counters: StoredCounters): void {
    this.#byHolder.set(holder_id, counters)
    this.#changed.add(holder_id)
  }
}

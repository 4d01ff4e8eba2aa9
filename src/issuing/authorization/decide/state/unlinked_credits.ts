/**
 * How much was credited to each card of a batch without a purchase, by the tenant's days (D-315).
 */

import type { TransactionRow } from '#issuing/transactions/rules.ts'
import { windowOf } from '#lib/window.ts'

/** `day` is YYYY-MM-DD in the tenant's time zone; `amount` is in minor units. */
export type CardDay = { card_id: string; day: string; amount: bigint }

export class UnlinkedCredits {
  readonly #time_zone: string
  readonly #known = new Map<string, bigint>()
  readonly #added = new Map<string, CardDay>()

  constructor(time_zone: string, credited: readonly CardDay[]) {
    this.#time_zone = time_zone
    for (const { card_id, day, amount } of credited) this.#known.set(`${card_id}|${day}`, amount)
  }

  /** Minor units that the card was credited on the day of this instant. */
  of(card_id: string, now: Date): bigint {
    const key = `${card_id}|${this.#dayOf(now)}`
    const sum = (this.#known.get(key) ?? 0n) + (this.#added.get(key)?.amount ?? 0n)
    return sum > 0n ? sum : 0n
  }

  /** Counts a credit on the day when it was made; a negative amount takes a part back. */
  add({ card_id, created }: Pick<TransactionRow, 'card_id' | 'created'>, amount: bigint): void {
    if (card_id === null) return
    const day = this.#dayOf(created)
    const key = `${card_id}|${day}`
    const before = this.#added.get(key)?.amount ?? 0n
    this.#added.set(key, { card_id, day, amount: before + amount })
  }

  /** The amounts that this batch adds to each card and day; may be negative. */
  get changes(): CardDay[] {
    return [...this.#added.values()]
  }

  #dayOf(instant: Date): string {
    return windowOf('DAILY', instant, this.#time_zone).key
  }
}

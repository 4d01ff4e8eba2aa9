/** Wrong CVV2, iCVV, CVV and expiry dates of a card, and when they were too many (D-122). Pure. */

import { VERIFICATION_TRIES_MAX } from '#issuing/tenants/rules.ts'

/** Milliseconds in which wrong tries count together, and for which too many of them block. */
const WINDOW = 24 * 60 * 60 * 1000

/** The wrong tries after another one, oldest first: those of the 24 hours before it, and it. */
export function withTry(tries: readonly Date[], now: Date): Date[] {
  const since = now.getTime() - WINDOW
  return [...tries.filter((instant) => instant.getTime() > since), now].slice(
    -VERIFICATION_TRIES_MAX,
  )
}

/** Whether so many tries block: `max` within 24 hours, until 24 hours after the last. 0: never. */
export function areTooMany(tries: readonly Date[], max: number, now: Date): boolean {
  const last = tries.at(-1)
  if (max === 0 || last === undefined || tries.length < max) return false
  return last.getTime() + WINDOW > now.getTime()
}

/** `version` is that of the stored row; 0 if none is stored. */
export type CardTries = { card_id: string; tries: readonly Date[]; version: bigint }

/** The wrong tries of the cards of a batch: each message sees those of the messages before it. */
export class Tries {
  readonly #read: ReadonlyMap<string, CardTries>
  /** All wrong tries that count now, of the cards that got one. */
  readonly #changed = new Map<string, readonly Date[]>()

  constructor(cards: readonly CardTries[]) {
    this.#read = new Map(cards.map((card) => [card.card_id, card]))
  }

  of(card_id: string | undefined): readonly Date[] {
    if (card_id === undefined) return []
    return this.#changed.get(card_id) ?? this.#read.get(card_id)?.tries ?? []
  }

  count(card_id: string | undefined, now: Date): void {
    if (card_id === undefined) return
    this.#changed.set(card_id, withTry(this.of(card_id), now))
  }

  /** The cards that got wrong tries, in the order of their ids, with all that count. */
  get changed(): CardTries[] {
    return [...this.#changed]
      .map(([card_id, tries]) => {
        const { version } = this.#read.get(card_id) ?? { version: 0n }
        return { card_id, tries, version }
      })
      .sort((one, other) => (one.card_id < other.card_id ? -1 : 1))
  }
}

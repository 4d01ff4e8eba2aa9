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

export type CardTries = { card_id: string; tries: readonly Date[] }

/** With what they were before the batch. */
export type CountedTries = CardTries & { read: readonly Date[] }

/** The wrong tries of the cards of a batch: each message sees those of the messages before it. */
export class Tries {
  readonly #byCard: Map<string, readonly Date[]>
  /** Of the cards that got wrong tries, what they were before. */
  readonly #changed = new Map<string, readonly Date[]>()

  constructor(cards: readonly CardTries[]) {
    this.#byCard = new Map(cards.map(({ card_id, tries }) => [card_id, tries]))
  }

  /** Without what was counted since they were read. */
  copy(): Tries {
    const read = ([card_id, tries]: [string, readonly Date[]]) => ({
      card_id,
      tries: this.#changed.get(card_id) ?? tries,
    })
    return new Tries([...this.#byCard].map(read))
  }

  of(card_id: string | undefined): readonly Date[] {
    return (card_id === undefined ? undefined : this.#byCard.get(card_id)) ?? []
  }

  count(card_id: string | undefined, now: Date): void {
    if (card_id === undefined) return
    const before = this.of(card_id)
    this.#byCard.set(card_id, withTry(before, now))
    if (!this.#changed.has(card_id)) this.#changed.set(card_id, before)
  }

  /** The cards that got wrong tries, in the order of their ids, with all that count. */
  get changed(): CountedTries[] {
    return [...this.#changed]
      .map(([card_id, read]) => ({ card_id, read, tries: this.of(card_id) }))
      .sort((one, other) => (one.card_id < other.card_id ? -1 : 1))
  }
}

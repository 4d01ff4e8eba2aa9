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

/** The wrong tries of the cards of a batch: each message sees those of the messages before it. */
export class Tries {
  readonly #byCard: Map<string, readonly Date[]>
  readonly #changed = new Set<string>()

  constructor(cards: readonly CardTries[]) {
    this.#byCard = new Map(cards.map(({ card_id, tries }) => [card_id, tries]))
  }

  of(card_id: string | undefined): readonly Date[] {
    return (card_id === undefined ? undefined : this.#byCard.get(card_id)) ?? []
  }

  count(card_id: string | undefined, now: Date): void {
    if (card_id === undefined) return
    this.#byCard.set(card_id, withTry(this.of(card_id), now))
    this.#changed.add(card_id)
  }

  /** The cards that got wrong tries, in the order of their ids, with all that count. */
  get changed(): CardTries[] {
    return [...this.#changed].sort().map((card_id) => ({ card_id, tries: this.of(card_id) }))
  }
}

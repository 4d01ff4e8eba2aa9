/** The chips of a batch: each message sees the counters that those before it left. Pure. */

import { newChip } from '#issuing/chips/rules.ts'
import type { Chip } from '#issuing/chips/schema.ts'

export class Chips {
  readonly #byId: Map<string, Chip>
  readonly #changed = new Set<string>()

  constructor(chips: readonly Chip[]) {
    this.#byId = new Map(chips.map((chip) => [chip.id, chip]))
  }

  of(id: string): Chip {
    return this.#byId.get(id) ?? newChip(id)
  }

  set(chip: Chip): void {
    this.#byId.set(chip.id, chip)
    this.#changed.add(chip.id)
  }

  /** The chips to write, at the versions that were read. */
  get changed(): Chip[] {
    return [...this.#changed].map((id) => this.of(id))
  }
}

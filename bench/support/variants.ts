/** The same work in several variants, in turns. */

import { type Cpu, perUnit, totalOf } from './cpu.ts'
import type { DecisionCost } from './engine_load.ts'

export type Figures = DecisionCost & { cpu: Cpu }

/**
 * Measures each variant once for its code, then in every round. The one that takes the least CPU
 * time counts; a variant is missing where CPU time cannot be measured.
 */
export async function inTurns<Name extends string>(
  variants: readonly Name[],
  rounds: number,
  measure: (variant: Name) => Promise<DecisionCost>,
): Promise<Map<Name, Figures>> {
  const best = new Map<Name, Figures>()
  for (const variant of variants) await measure(variant)
  for (let round = 0; round < rounds; round++) {
    console.log(`Round ${round + 1} of ${rounds} …`)
    // Each variant begins every other round: the tables grow.
    for (const variant of round % 2 === 0 ? variants : variants.toReversed()) {
      const { cpu, per_second } = await measure(variant)
      const known = best.get(variant)
      if (cpu && (!known || totalOf(cpu) < totalOf(known.cpu)))
        best.set(variant, { cpu, per_second })
    }
  }
  return best
}

/** One line each. */
export function printFigures(figures: ReadonlyMap<string, Figures>): void {
  if (figures.size === 0) console.log('CPU time cannot be measured here')
  console.log('\n                          a second   CPU PostgreSQL + Node a decision')
  for (const [name, { cpu, per_second }] of figures) {
    const rate = Math.round(per_second).toLocaleString('en').padStart(10)
    console.log(`${name.padEnd(24)}${rate}   ${perUnit(cpu, 1)}`)
  }
}

/** How much more CPU time one takes than the other, in percent. */
export const moreThan = (one: Figures, other: Figures): number =>
  (totalOf(one.cpu) / totalOf(other.cpu) - 1) * 100

/** Chance that can be had again: the same numbers for the same seed (mulberry32). */

import { randomInt } from 'node:crypto'

/** A number from 0 up to, not including, 1. */
export type Chance = () => number

/** The seed of this run: a new one, or the one that SEED names to see a run again. */
export const SEED = Number(process.env['SEED'] ?? randomInt(2 ** 31))

export function chances(seed: number): Chance {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

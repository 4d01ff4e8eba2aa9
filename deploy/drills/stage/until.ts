/** Waits for what must come. */

import { setTimeout as pause } from 'node:timers/promises'
import { DrillFault } from '../fault.ts'

const POLL_MS = 20
const PATIENCE_MS = 120_000

/** A fault that names what has not come after two minutes. */
export async function until(
  what: string,
  is: () => boolean | Promise<boolean>,
  ms = PATIENCE_MS,
): Promise<void> {
  for (const end = performance.now() + ms; ; await pause(POLL_MS)) {
    if (await is()) return
    if (performance.now() > end) throw new DrillFault(`waited ${ms / 1000} s in vain until ${what}`)
  }
}

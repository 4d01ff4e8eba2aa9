/** CPU time of processes, from /proc of Linux; elsewhere 0. */

import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second. */
const TICK_US = 10_000

type Process = { parent: number; cpu_us: number }

/** Microseconds of CPU time that a process and those that it started have used. */
export function cpuOf(pid: number): number {
  const all = new Map<number, Process>()
  for (const id of processIds()) {
    const one = processOf(id)
    if (one) all.set(id, one)
  }
  const isPartOfIt = (id: number): boolean => {
    const parent = all.get(id)?.parent ?? 0
    return id === pid || (parent > 1 && isPartOfIt(parent))
  }
  return [...all].reduce((sum, [id, { cpu_us }]) => sum + (isPartOfIt(id) ? cpu_us : 0), 0)
}

function processIds(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

/** Undefined for one that has just ended. */
function processOf(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name is in brackets and may contain spaces; the state follows it.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [, parent = 0] = fields
    // Its own time and that of its children that have ended, as user and as system.
    const ticks = fields.slice(11, 15).reduce((sum, one) => sum + one, 0)
    return { parent, cpu_us: ticks * TICK_US }
  } catch {
    return undefined
  }
}

/** Asks each node of a cluster by itself: one that does not answer keeps no other from it. */

import { asOutage, DatabaseUnavailable } from './connections/outage.ts'

export type Asked<Result> = {
  answers: { name: string; result: Result }[]
  /** The nodes that did not answer. */
  away: string[]
}

/**
 * All are asked at one time; the pulse of a node bounds how long it may be silent. Rejects if the
 * first entry, the database itself, does not answer, and with any error that is no outage.
 */
export async function askEach<Entry extends { name: string }, Result>(
  entries: readonly Entry[],
  ask: (entry: Entry) => Promise<Result>,
): Promise<Asked<Result>> {
  const asked: Asked<Result> = { answers: [], away: [] }
  const results = await Promise.allSettled(entries.map(ask))
  for (const [at, settled] of results.entries()) {
    const name = entries[at]?.name ?? ''
    if (settled.status === 'fulfilled') asked.answers.push({ name, result: settled.value })
    else if (at === 0 || !isAway(settled.reason)) throw settled.reason
    else asked.away.push(name)
  }
  return asked
}

const isAway = (error: unknown): boolean => asOutage(error) instanceof DatabaseUnavailable

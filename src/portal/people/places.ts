/** The places in which passwords are hashed, and the queues before them (D-977). */

import { ApiError } from '#lib/result.ts'

/** At most so many of the four threads of the process hash, with 19 MiB each. */
const PLACES = 2
/** More wait than this in one of the queues: a wait would outlast the patience of a browser. */
const WAITING_MOST = 100

/** Each kind of asker has a queue, and every second turn where both are waiting (D-977). */
export type Asker = 'KNOWN' | 'STRANGER'

let busy = 0
const waiting: Record<Asker, (() => void)[]> = { KNOWN: [], STRANGER: [] }
let last: Asker = 'STRANGER'

/** Throws `unavailable` where too many wait. */
export async function inPlace<Result>(asker: Asker, work: () => Promise<Result>): Promise<Result> {
  const queue = waiting[asker]
  if (queue.length >= WAITING_MOST) {
    const detail = 'Too many people sign in at the moment; try again.'
    throw new ApiError('unavailable', { detail, retry_after_seconds: 5 })
  }
  if (busy >= PLACES) await new Promise<void>((resolve) => queue.push(resolve))
  else busy += 1
  try {
    return await work()
  } finally {
    const next = nextWaiting()
    if (next) next()
    else busy -= 1
  }
}

/** The one that has waited longest in the queue whose turn it is, or else in the other one. */
function nextWaiting(): (() => void) | undefined {
  const turns: Asker[] = last === 'KNOWN' ? ['STRANGER', 'KNOWN'] : ['KNOWN', 'STRANGER']
  last = turns.find((one) => waiting[one].length > 0) ?? last
  return waiting[last].shift()
}

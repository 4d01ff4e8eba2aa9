/** The places in which passwords are hashed, and the queues before them (D-977). */

import { ApiError } from '#lib/result.ts'

/** The most threads of the process that hash at one time, of four, with 19 MiB each. */
const PLACES = 2
/** More wait than this in one of the queues: a wait would outlast the patience of a browser. */
const WAITING_MOST = 100

/** Each kind of asker has a queue, and every second turn if both are waiting (D-977). */
export type Asker = 'KNOWN' | 'STRANGER'

type Waiter = { of: string; go: () => void; refuse: (error: ApiError) => void }

let busy = 0
const waiting: Record<Asker, Waiter[]> = { KNOWN: [], STRANGER: [] }
let last: Asker = 'STRANGER'

/**
 * Throws `unavailable` if too many wait. `of` names the asker, as far as the queue knows. In a full
 * queue the last request of the asker with the most requests gives way to another.
 */
export async function inPlace<Result>(
  asker: Asker,
  work: () => Promise<Result>,
  of = '',
): Promise<Result> {
  const queue = waiting[asker]
  if (queue.length >= WAITING_MOST) makeRoom(queue, of)
  if (busy >= PLACES) {
    await new Promise<void>((go, refuse) => queue.push({ of, go, refuse }))
  } else busy += 1
  try {
    return await work()
  } finally {
    const next = nextWaiting()
    if (next) next.go()
    else busy -= 1
  }
}

/** Throws if no other asker has more in the queue than this one would have. */
function makeRoom(queue: Waiter[], of: string): void {
  const groups = Map.groupBy(queue, (one) => one.of)
  const own = groups.get(of)?.length ?? 0
  const largest = [...groups.values()].reduce((most, one) =>
    one.length > most.length ? one : most,
  )
  const latest = largest.at(-1)
  if (!latest || largest.length <= own + 1) throw tooMany()
  queue.splice(queue.lastIndexOf(latest), 1)
  latest.refuse(tooMany())
}

const tooMany = (): ApiError =>
  new ApiError('unavailable', {
    detail: 'Too many people sign in at the moment; try again.',
    retry_after_seconds: 5,
  })

/** The one that has waited longest in the queue whose turn it is, or else in the other one. */
function nextWaiting(): Waiter | undefined {
  const turns: Asker[] = last === 'KNOWN' ? ['STRANGER', 'KNOWN'] : ['KNOWN', 'STRANGER']
  last = turns.find((one) => waiting[one].length > 0) ?? last
  return waiting[last].shift()
}

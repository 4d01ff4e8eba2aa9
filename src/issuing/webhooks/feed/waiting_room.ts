/**
 * The place where calls wait for the next object, such as an event. One query serves all calls of a
 * tenant that wait at the same place: it is sent when a call comes in, when the tenant is notified,
 * and seldom without a cause. No connection is held meanwhile.
 */

import type { Context } from '#kit/context.ts'
import type { Sweep } from '#kit/jobs/sweep.ts'

/** If a notification is lost, new objects are found within this time. */
const LOOK_MS = 1_000
/** So many looks fail one after another before those who wait get the fault. */
const FAULTS_MAX = 3

export type WaitingRoomOptions<Found, From> = {
  /** The objects from a place on, undefined if there are none. */
  look: (ctx: Context, from: From, limit: number) => Promise<Found | undefined>
  /** Equal for equal places, whose calls share a look. */
  keyOf: (from: From) => string
  /** Milliseconds between two looks without a notification. */
  look_ms?: number
}

export type Wait<From> = {
  ctx: Context
  from: From
  /** The most that is found; one query for several calls may find more. */
  limit: number
  milliseconds: number
  /** Ends the wait early. */
  signal?: AbortSignal
}

export type WaitingRoom<Found, From> = {
  /** Undefined if none came in time, or the room ends. */
  waitFor: (wait: Wait<From>) => Promise<Found | undefined>
  wake: (tenant_id: string) => void
  isAwaited: (tenant_id: string) => boolean
  isEnding: () => boolean
  /** Ends all waits, and every later one at once. */
  end: () => void
}

type Waiter<Found, From> = PromiseWithResolvers<Found | undefined> &
  Pick<Wait<From>, 'ctx' | 'from' | 'limit'>

/** The waiting calls of one tenant. */
type Queue<Found, From> = {
  waiters: Set<Waiter<Found, From>>
  isLooking: boolean
  /** Something has come since the look under way began. */
  again: boolean
  /** Looks that failed since the last one that did not. */
  faults: number
  timer: NodeJS.Timeout
}

export function createWaitingRoom<Found, From>(
  options: WaitingRoomOptions<Found, From>,
): WaitingRoom<Found, From> {
  const { look, look_ms = LOOK_MS } = options
  const queues = new Map<string, Queue<Found, From>>()
  let ending = false

  function openQueue(tenant_id: string): Queue<Found, From> {
    const timer = setInterval(() => wake(tenant_id), look_ms)
    timer.unref()
    const queue = newQueue<Found, From>(timer)
    queues.set(tenant_id, queue)
    return queue
  }

  function wake(tenant_id: string): void {
    const queue = queues.get(tenant_id)
    if (!queue) return
    queue.again = true
    if (!queue.isLooking) void lookFor(queue, options)
  }

  return {
    async waitFor({ ctx, from, limit, milliseconds, signal }) {
      if (ending) return look(ctx, from, limit)
      const { tenant_id } = ctx
      const queue = queues.get(tenant_id) ?? openQueue(tenant_id)
      const waiter: Waiter<Found, From> = { ...Promise.withResolvers(), ctx, from, limit }
      queue.waiters.add(waiter)
      wake(tenant_id)
      const end = () => waiter.resolve(undefined)
      const timer = setTimeout(end, milliseconds)
      signal?.addEventListener('abort', end, { once: true })
      if (signal?.aborted) end()
      try {
        return await waiter.promise
      } finally {
        clearTimeout(timer)
        signal?.removeEventListener('abort', end)
        queue.waiters.delete(waiter)
        if (queue.waiters.size === 0 && queues.get(tenant_id) === queue) {
          clearInterval(queue.timer)
          queues.delete(tenant_id)
        }
      }
    },
    wake,
    isAwaited: (tenant_id) => queues.has(tenant_id),
    isEnding: () => ending,
    end() {
      ending = true
      for (const { waiters } of queues.values())
        for (const { resolve } of waiters) resolve(undefined)
    },
  }
}

const newQueue = <Found, From>(timer: NodeJS.Timeout): Queue<Found, From> => ({
  waiters: new Set(),
  isLooking: false,
  again: false,
  faults: 0,
  timer,
})

/** Wakes a room at the notifications of a channel, and ends it when the program stops. */
export const wakingSweep = (
  name: string,
  channel: string,
  room: Pick<WaitingRoom<unknown, unknown>, 'wake' | 'end'>,
): Sweep => ({
  name,
  channel,
  outside: true,
  notified(tenant_id) {
    room.wake(tenant_id)
    return false
  },
  dueTenants: async () => [],
  run: async () => ({ more: false }),
  prepareStop: room.end,
})

/** One look at a time for each tenant. Objects that come meanwhile are found by the next. */
async function lookFor<Found, From>(
  queue: Queue<Found, From>,
  { look, keyOf }: WaitingRoomOptions<Found, From>,
): Promise<void> {
  queue.isLooking = true
  while (queue.again && queue.waiters.size > 0) {
    queue.again = false
    const groups = Map.groupBy(queue.waiters, ({ from }) => keyOf(from))
    for (const waiters of groups.values()) await serve(queue, waiters, look)
  }
  queue.isLooking = false
}

async function serve<Found, From>(
  queue: Queue<Found, From>,
  waiters: readonly Waiter<Found, From>[],
  look: WaitingRoomOptions<Found, From>['look'],
): Promise<void> {
  const [first] = waiters
  if (!first) return
  try {
    const limit = Math.max(...waiters.map((waiter) => waiter.limit))
    const found = await look(first.ctx, first.from, limit)
    queue.faults = 0
    if (found === undefined) return
    for (const { resolve } of waiters) resolve(found)
  } catch (error) {
    queue.faults += 1
    if (queue.faults < FAULTS_MAX) return
    for (const { reject } of waiters) reject(error)
  }
  for (const waiter of waiters) queue.waiters.delete(waiter)
}

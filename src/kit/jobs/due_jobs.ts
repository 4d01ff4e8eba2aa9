/**
 * All due work of one tenant, now and to the end, as a clock that moves promises (D-70, D-479).
 * Other processes, and the rounds of this one, may have some of it in hand: that is waited for,
 * within a bound, and jobs that go on after it are named.
 */

import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '#kit/db/database.ts'
import type { DueTenants } from './due_tenants.ts'

/** How long a turn elsewhere is waited for: longer than any portion lasts. */
const IN_HAND_MS = 10_000
/** How long calls of the outside world are waited for. */
const OUTSIDE_MS = 2_000
/** A bound on the portions of one sweep at a time. */
const PORTIONS_TO_THE_END = 1_000
const LOOK_FIRST_MS = 5
const LOOK_LAST_MS = 200

/** Milliseconds. */
export type Bounds = { in_hand_ms: number; outside_ms: number }
const BOUNDS: Bounds = { in_hand_ms: IN_HAND_MS, outside_ms: OUTSIDE_MS }

/** The members of a sweep that count here. */
type Job = {
  name: string
  dueTenants: DueTenants
  unfinished?: DueTenants
  outside?: true
  realTime?: true
}

type Parts<Sweep extends Job> = {
  db: Db
  /** More may come while the program runs. */
  sweeps: readonly Sweep[]
  portionOf: (sweep: Sweep, tenant_id: string) => Promise<{ more: boolean }>
  /** The tenant has a turn in the sweep's next round, which begins at once. */
  name: (sweep: Sweep, tenant_id: string) => void
  /** Whether this process has a turn of the tenant. */
  isRunning: (sweep: Sweep, tenant_id: string) => boolean
  /** Whether any process makes rounds: without them what calls the outside would never end. */
  hasRounds: () => boolean
  isStopping: () => boolean
  bounds?: Bounds | undefined
  /** In tests only: fails if the rounds would not find due work. */
  check: ((tenant_id: string) => Promise<void>) | undefined
}

/** Returns the names of the sweeps whose work goes on; they are empty as a rule. */
export type RunDueJobs = (tenant_id: string) => Promise<readonly string[]>

export function createDueJobs<Sweep extends Job>(parts: Parts<Sweep>): RunDueJobs {
  const { sweeps, portionOf, name, hasRounds, isStopping, bounds = BOUNDS } = parts

  /** Runs the sweep until no row is left that another session has not locked. */
  async function sweepToTheEnd(sweep: Sweep, tenant_id: string): Promise<void> {
    for (let portion = 0; portion < PORTIONS_TO_THE_END && !isStopping(); portion++) {
      if (!(await portionOf(sweep, tenant_id)).more) return
    }
  }

  async function work(some: readonly Sweep[], tenant_id: string): Promise<void> {
    for (const sweep of some) {
      if (sweep.outside) name(sweep, tenant_id)
      else await sweepToTheEnd(sweep, tenant_id)
    }
  }

  return async (tenant_id) => {
    const began = performance.now()
    const timed = sweeps.filter(({ realTime }) => realTime !== true)
    const isOver = ({ outside }: Sweep) => {
      const bound = outside ? (hasRounds() ? bounds.outside_ms : 0) : bounds.in_hand_ms
      return isStopping() || performance.now() - began >= bound
    }
    await parts.check?.(tenant_id)
    await work(sweeps, tenant_id)
    await parts.check?.(tenant_id)
    for (let wait = LOOK_FIRST_MS; ; wait = Math.min(2 * wait, LOOK_LAST_MS)) {
      // All of them each time: one job may make work for another.
      const left = await unfinished(parts, timed, tenant_id)
      const awaited = left.filter(({ sweep }) => !isOver(sweep))
      if (awaited.length === 0) return left.map(({ sweep }) => sweep.name)
      await pause(wait)
      // A turn that only runs here is waited for; another one would be waited for in its turn.
      const due = awaited.flatMap(({ sweep, isDue }) => (isDue ? [sweep] : []))
      await work(due, tenant_id)
    }
  }
}

type Left<Sweep> = { sweep: Sweep; isDue: boolean }

/** The sweeps that have due work of the tenant, or a turn of it, in any process. */
async function unfinished<Sweep extends Job>(
  { db, isRunning }: Parts<Sweep>,
  sweeps: readonly Sweep[],
  tenant_id: string,
): Promise<Left<Sweep>[]> {
  const before = idBefore(tenant_id)
  const found = await db.runSession((session) =>
    Promise.all(
      sweeps.map(async (sweep) => {
        const ask = sweep.unfinished ?? sweep.dueTenants
        const [first] = await ask(session, before, 1)
        const isDue = first === tenant_id
        return isDue || isRunning(sweep, tenant_id) ? [{ sweep, isDue }] : []
      }),
    ),
  )
  return found.flat()
}

/** The id before this one, in their order; that of the first of all is its own. */
function idBefore(id: string): string {
  const number = BigInt(`0x${id.replaceAll('-', '')}`)
  const hex = (number > 0n ? number - 1n : number).toString(16).padStart(32, '0')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

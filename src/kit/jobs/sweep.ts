/** The work of a slice that becomes due; the sweeper runs it (sweeper.ts). */

import type { Context } from '#kit/context.ts'
import type { DueTenants } from './due_tenants.ts'
import type { DueKind } from './due_work.ts'

export type Sweep = {
  name: string
  /** Tenants with due work, by the rows of the work. */
  dueTenants: DueTenants
  /** Its work is in `due_work`, under its name. */
  earliest?: DueKind['earliest']
  earliestKnown?: DueKind['earliest']
  /** Otherwise the time from one of its own looks at all tenants to the next: POLL_MS or longer. */
  every_ms?: number
  /** Does one bounded portion and returns whether more may be left. */
  run: (ctx: Context) => Promise<{ more: boolean }>
  /** A sweep that calls the outside world: woken when a clock moves, and awaited briefly. */
  outside?: true
  /** It runs on real time: a clock that moves makes none of its work due. */
  realTime?: true
  /** Like `dueTenants`, with those whose claimed work a process may still have in hand. */
  unfinished?: DueTenants
  /** The channel that wakes it before its next poll. */
  channel?: string
  /**
   * Called on a notification that names its tenant, also before the start. False if the sweep need
   * not wake for it. Without it the tenant has a turn in the next round.
   */
  notified?: (tenant_id: string) => boolean
  /** The tenants that have a turn in the next round, of a sweep that has `notified`. */
  named?: () => readonly string[]
  /** Runs in every process, not only in those with the role `worker`. */
  everywhere?: true
  /** Called as soon as the program begins to stop; a sweep that waits ends its wait. */
  prepareStop?: () => void
  /** Waits, within a bound, for work that `run` has left running; called after the last round. */
  stop?: () => Promise<void>
}

/** Between two polls of a sweep: it looks at `due_work`, and tries again what has failed. */
export const POLL_MS = 1_000
/** Between the looks at all tenants of a sweep whose work is not in `due_work`. */
export const SELDOM_MS = 30_000
/** On a cluster all of these are so many times as long: a look asks each shard (D-692). */
export const ON_A_CLUSTER = 3

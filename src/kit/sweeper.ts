/**
 * Work that becomes due (D-70): each slice keeps it in its own tables with a due time on the
 * tenant's clock. A sweep first asks, without locks, which tenants have due work, then each
 * tenant's share is claimed and done within that tenant.
 */

import { type RawBuilder, sql } from 'kysely'
import type { Context } from './context.ts'
import type { Db } from './database.ts'
import type { Log } from './log.ts'
import { metrics } from './metrics.ts'

export type Sweep = {
  name: string
  /**
   * Tenants that have due work at real time `now`; `limit` bounds the answer. A due time is
   * compared with `now + tenants.clock_offset_ms`.
   */
  dueTenants: (db: Db, now: Date, limit: number) => Promise<string[]>
  /** Does one bounded portion and tells whether more may be left. */
  run: (ctx: Context) => Promise<{ more: boolean }>
  /** Sweeps that call the outside world are only woken when a clock moves, never awaited. */
  outside?: true
  /** The bell that wakes it before its next poll. */
  bell?: string
  /** Waits, within a bound, for what `run` has left running; called after the last round. */
  stop?: () => Promise<void>
}

const POLL_MS = 1_000
const TENANTS_PER_ROUND = 100
/** A sweep that always finds more must let the others run. */
const PORTIONS_PER_TENANT = 1_000

export type Sweeper = {
  /** Runs every sweep that changes only the database until that tenant has no due work left. */
  settle: (tenant_id: string) => Promise<void>
  ring: (bell: string) => void
  start: () => void
  stop: () => Promise<void>
}

type Parts = {
  db: Db
  log: Log
  contextOf: (tenant_id: string) => Promise<Context>
  sweeps: readonly Sweep[]
}

export function createSweeper({ db, log, contextOf, sweeps }: Parts): Sweeper {
  const wakers = new Map<Sweep, () => void>()
  let stopping = false
  let loops: Promise<void>[] = []

  async function sweepTenant(sweep: Sweep, tenant_id: string): Promise<void> {
    for (let portion = 0; portion < PORTIONS_PER_TENANT && !stopping; portion++) {
      const { more } = await sweep.run(await contextOf(tenant_id))
      if (!more) return
    }
  }

  async function round(sweep: Sweep): Promise<void> {
    for (const tenant_id of await sweep.dueTenants(db, new Date(), TENANTS_PER_ROUND)) {
      if (stopping) return
      try {
        await sweepTenant(sweep, tenant_id)
      } catch (error) {
        // The other tenants' work must not wait for this one's fault.
        tellFailure(log, sweep, error, tenant_id)
      }
    }
  }

  async function loop(sweep: Sweep): Promise<void> {
    while (!stopping) {
      const rung = Promise.withResolvers<void>()
      wakers.set(sweep, rung.resolve)
      try {
        await round(sweep)
      } catch (error) {
        tellFailure(log, sweep, error)
      }
      const timer = setTimeout(rung.resolve, POLL_MS)
      if (stopping) rung.resolve()
      await rung.promise
      clearTimeout(timer)
    }
  }

  return {
    async settle(tenant_id) {
      for (const sweep of sweeps) {
        if (sweep.outside) wakers.get(sweep)?.()
        else await sweepTenant(sweep, tenant_id)
      }
    },
    ring(bell) {
      for (const [sweep, wake] of wakers) if (sweep.bell === bell) wake()
    },
    start() {
      loops = sweeps.map(loop)
    },
    async stop() {
      stopping = true
      for (const wake of wakers.values()) wake()
      await Promise.all(loops)
      await Promise.all(sweeps.map(async (sweep) => sweep.stop?.()))
    },
  }
}

function tellFailure(log: Log, { name }: Sweep, error: unknown, tenant_id?: string): void {
  metrics.sweepFailures.inc({ sweep: name })
  log.error({ err: error, sweep: name, tenant_id }, 'a sweep failed and will run again')
}

/**
 * The usual `dueTenants`: tenants that have a row of `table` whose `due` column has come on their
 * own clock. The table has an index on (tenant_id, due), partial on `when` (its row is `d`), so
 * that the probe reads one entry a tenant.
 */
export function tenantsWithDue(
  table: string,
  due: string,
  when: RawBuilder<unknown> = sql`true`,
): Sweep['dueTenants'] {
  return async (db, now, limit) => {
    const { rows } = await sql<{ id: string }>`
      select t.id from tenants t
      where exists (
        select from ${sql.table(table)} d
        where d.tenant_id = t.id and ${when}
          and d.${sql.ref(due)}
            <= ${now}::timestamptz + t.clock_offset_ms * interval '1 millisecond')
      limit ${limit}`.execute(db)
    return rows.map(({ id }) => id)
  }
}

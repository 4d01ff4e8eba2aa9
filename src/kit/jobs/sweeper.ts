/**
 * Work that becomes due (D-70): each slice stores it in its own tables with a due time on the
 * tenant's clock. A sweep first reads, without locks, which tenants have due work, then claims and
 * does each tenant's share within that tenant. It visits all tenants in the order of their ids, so
 * that none waits behind a hundred busy ones (D-351).
 */

import { type RawBuilder, sql } from 'kysely'
import { tenantNow } from '#kit/clock.ts'
import type { Context } from '#kit/context.ts'
import type { Db } from '#kit/db/database.ts'
import type { Log } from '#kit/log.ts'
import { metrics } from '#kit/metrics.ts'
import { type Bounds, createDueJobs, type RunDueJobs } from './due_jobs.ts'
import type { JobRecords } from './job_records.ts'
import { Lateness } from './lateness.ts'
import { Turns } from './turns.ts'

export type Sweep = {
  name: string
  /** Up to `limit` tenants with due work by the database's clock, with ids after `from`. */
  dueTenants: (db: Db, from: string, limit: number) => Promise<string[]>
  /** Does one bounded portion and returns whether more may be left. */
  run: (ctx: Context) => Promise<{ more: boolean }>
  /** A sweep that calls the outside world: woken when a clock moves, and awaited briefly. */
  outside?: true
  /** It runs on real time: a clock that moves makes none of its work due. */
  realTime?: true
  /** Like `dueTenants`, with those whose claimed work a process may still have in hand. */
  unfinished?: (db: Db, from: string, limit: number) => Promise<string[]>
  /** The channel that wakes it before its next poll. */
  channel?: string
  /**
   * Called on a notification that names its tenant, also before the start. False where the sweep
   * need not wake for it.
   */
  notified?: (tenant_id: string) => boolean
  /** Runs in every process, not only in those with the role `worker`. */
  everywhere?: true
  /** Called as soon as the program begins to stop; a sweep that waits ends its wait. */
  prepareStop?: () => void
  /** Waits, within a bound, for work that `run` has left running; called after the last round. */
  stop?: () => Promise<void>
}

const POLL_MS = 1_000
const TENANTS_PER_ROUND = 100
/** A bound on the portions of one tenant, so that the others have their turn. */
const PORTIONS_PER_TURN = 20
export const FIRST_ID = '00000000-0000-0000-0000-000000000000'

export type Sweeper = {
  /**
   * Runs every sweep until that tenant has no due work left, here or in another process; returns
   * the names of those that go on after a bound.
   */
  runDueJobs: RunDueJobs
  notify: (channel: string, tenant_id?: string) => void
  /** How far each sweep that runs here is behind: the tenants that have waited, and how long. */
  measure: () => { sweep: string; tenants: number; seconds: number }[]
  /** Without `isWorker` only the sweeps that run in every process. */
  start: (isWorker?: boolean) => void
  /** The program begins to stop: waits within sweeps end, and requests go on. */
  prepareStop: () => void
  stop: () => Promise<void>
}

type Parts = {
  db: Db
  log: Log
  contextOf: (tenant_id: string) => Promise<Context>
  sweeps: readonly Sweep[]
  /** Whether sweeps are paused; `runDueJobs` goes on for its request. */
  isPaused?: () => boolean
  /** Whether other processes make the rounds and this one makes none. */
  sweptElsewhere?: boolean
  /** Where the rounds are noted. */
  records?: JobRecords
  /** Shorter in tests only. */
  bounds?: Bounds
}

export function createSweeper(parts: Parts): Sweeper {
  const { db, log, contextOf, sweeps, isPaused = () => false, sweptElsewhere = false } = parts
  const turnsOf = new Map<Sweep, Turns>()
  const wakers = new Map<Sweep, () => void>()
  const wake = (sweep: Sweep) => wakers.get(sweep)?.()
  let stopping = false
  let loops: Promise<void>[] = []

  const mustRest = () => stopping || isPaused()
  const portionOf = async (sweep: Sweep, tenant_id: string) => sweep.run(await contextOf(tenant_id))

  const fail = failing(parts)
  const { makeRound, measure } = createRounds(db, { mustRest, portionOf, wake, fail })
  const round = noted(parts.records, makeRound)

  async function loop(sweep: Sweep): Promise<void> {
    const turns = new Turns(() => wake(sweep))
    turnsOf.set(sweep, turns)
    parts.records?.add({ name: sweep.name, kind: 'SWEEP', every_ms: POLL_MS })
    while (!stopping) {
      const notified = Promise.withResolvers<void>()
      wakers.set(sweep, notified.resolve)
      try {
        await round(sweep, turns)
      } catch (error) {
        logFailure(log, sweep, error)
      }
      const timer = setTimeout(notified.resolve, POLL_MS)
      if (stopping) notified.resolve()
      await notified.promise
      clearTimeout(timer)
    }
    await turns.end()
  }

  return {
    runDueJobs: createDueJobs({
      ...{ sweeps, portionOf, wake, bounds: parts.bounds, db: db.overAllTenants() },
      isRunning: (sweep, tenant_id) => turnsOf.get(sweep)?.isRunning(tenant_id) ?? false,
      hasRounds: () => sweptElsewhere || turnsOf.size > 0,
      isStopping: () => stopping,
    }),
    notify(channel, tenant_id) {
      for (const sweep of sweeps) if (mustWake(sweep, channel, tenant_id)) wake(sweep)
    },
    measure,
    start(isWorker = true) {
      loops = sweeps.filter(({ everywhere }) => isWorker || everywhere).map(loop)
    },
    prepareStop: () => prepareAll(sweeps),
    async stop() {
      stopping = true
      prepareAll(sweeps)
      for (const sweep of sweeps) wake(sweep)
      await Promise.all(loops)
      await Promise.all(sweeps.map(async (sweep) => sweep.stop?.()))
    },
  }
}

function prepareAll(sweeps: readonly Sweep[]): void {
  for (const sweep of sweeps) sweep.prepareStop?.()
}

function mustWake(sweep: Sweep, channel: string, tenant_id: string | undefined): boolean {
  if (sweep.channel !== channel) return false
  return tenant_id === undefined || (sweep.notified?.(tenant_id) ?? true)
}

type Round = (sweep: Sweep, turns: Turns) => Promise<void>

function noted(records: JobRecords | undefined, round: Round): Round {
  if (!records) return round
  return (sweep, turns) => records.run(sweep.name, () => round(sweep, turns))
}

/** What is done about a failure that a round goes on after. */
const failing =
  ({ log, records }: Pick<Parts, 'log' | 'records'>): RoundParts['fail'] =>
  (sweep, error, tenant_id) => {
    records?.fail(sweep.name, error)
    logFailure(log, sweep, error, tenant_id)
  }

type RoundParts = {
  mustRest: () => boolean
  portionOf: (sweep: Sweep, tenant_id: string) => Promise<{ more: boolean }>
  wake: (sweep: Sweep) => void
  /** A failure that the round goes on after. */
  fail: (sweep: Sweep, error: unknown, tenant_id: string) => void
}

type Rounds = { makeRound: Round; measure: Sweeper['measure'] }

/** One pass over all tenants; after an interrupted round the next one continues there. */
function createRounds(db: Db, parts: RoundParts): Rounds {
  /** The last tenant of the round that a sweep is in. */
  const places = new Map<Sweep, string>()
  const lateness = new Map<Sweep, Lateness>()
  const everyone = db.overAllTenants()

  /** The next tenants of the round; `last` where more may follow. */
  async function lookOn(sweep: Sweep, late: Lateness) {
    const from = places.get(sweep) ?? FIRST_ID
    if (from === FIRST_ID) late.begin(performance.now())
    const found = await sweep.dueTenants(everyone, from, TENANTS_PER_ROUND)
    late.find(found, performance.now())
    const last = found.length === TENANTS_PER_ROUND ? found.at(-1) : undefined
    places.set(sweep, last ?? FIRST_ID)
    return { found, last }
  }

  return {
    async makeRound(sweep, turns) {
      const late = lateness.get(sweep) ?? new Lateness()
      lateness.set(sweep, late)
      const turnOf = (tenant_id: string) => async () => {
        if (await takeTurn(parts, sweep, tenant_id)) late.serve(tenant_id)
      }
      while (!parts.mustRest()) {
        const { found, last } = await lookOn(sweep, late)
        for (const tenant_id of found) {
          if (parts.mustRest()) return
          await turns.begin(tenant_id, turnOf(tenant_id))
        }
        if (last !== undefined) continue
        late.end()
        break
      }
      await turns.waitBriefly()
    },
    measure() {
      const now = performance.now()
      return [...lateness].map(([{ name }, of]) => ({ sweep: name, ...of.read(now) }))
    },
  }
}

/** Does a tenant's portions; wakes the sweep when more are left. True where none is left. */
async function takeTurn(parts: RoundParts, sweep: Sweep, tenant_id: string): Promise<boolean> {
  const { mustRest, portionOf, wake, fail } = parts
  try {
    for (let portion = 0; portion < PORTIONS_PER_TURN; portion++) {
      if (mustRest()) return false
      if (!(await portionOf(sweep, tenant_id)).more) return true
    }
    wake(sweep)
  } catch (error) {
    // A failure of this tenant must not delay the others.
    fail(sweep, error, tenant_id)
  }
  return false
}

function logFailure(log: Log, { name }: Sweep, error: unknown, tenant_id?: string): void {
  metrics.sweepFailures.inc({ sweep: name })
  log.error({ err: error, sweep: name, tenant_id }, 'a sweep failed and will run again')
}

/**
 * The usual `dueTenants`: tenants that have a row of `table` whose `due` column has come on their
 * own clock. The table has an index on (tenant_id, due), partial on `when` (its row is `d`), so
 * that the probe reads one entry a tenant. `ahead_ms` adds what a claim has put off.
 */
export function tenantsWithDue(
  table: string,
  due: string,
  when: RawBuilder<unknown> = sql`true`,
  ahead_ms = 0,
): Sweep['dueTenants'] {
  const until = sql`${tenantNow} + ${ahead_ms}::float8 * interval '1 millisecond'`
  return tenantsWith(
    sql`exists (
      select from ${sql.table(table)} d
      where d.tenant_id = t.tenant_id and ${when} and d.${sql.ref(due)} <= ${until})`,
  )
}

/**
 * A `dueTenants` by any condition, in which the tenant is `t` and rows of other tables are compared
 * with `t.tenant_id`: Citus takes the anchors for that, and no reference table.
 */
export function tenantsWith(condition: RawBuilder<unknown>): Sweep['dueTenants'] {
  return async (db, from, limit) => {
    const { rows } = await sql<{ id: string }>`
      select t.id from (select t.*, a.tenant_id from tenant_anchors a
        join tenants t on t.id = a.tenant_id) t
      where t.id > ${from} and ${condition}
      order by t.id limit ${limit}`.execute(db)
    return rows.map(({ id }) => id)
  }
}

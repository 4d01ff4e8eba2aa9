/**
 * Work that becomes due (D-70): each slice stores it in its own tables with a due time on the
 * tenant's clock. A sweep finds the tenants that have due work, without locks, then claims and does
 * each tenant's share within that tenant (rounds.ts). It finds them in one of these ways; the table
 * of docs/operating.md has that of each sweep:
 *
 * - by `due_work`, once a second for all sweeps together (due_work.ts): a Sweep with `earliest`;
 * - by a look of its own at all tenants, every `every_ms`, if rows are written too often to be
 * noted in `due_work` or matter little;
 * - by notifications of this process that name the tenant, beside either.
 */

import type { Context } from '#kit/context.ts'
import type { Db } from '#kit/db/database.ts'
import type { Log } from '#kit/log.ts'
import { metrics } from '#kit/metrics.ts'
import type { Profile } from '#kit/profile.ts'
import { type Bounds, createDueJobs, type RunDueJobs } from './due_jobs.ts'
import { listUnrecorded } from './due_work.ts'
import type { JobRecords } from './job_records.ts'
import { ParallelTenants } from './parallel_tenants.ts'
import { POLL_MS, type Sweep } from './sweep.ts'
import { SweepRunner } from './sweep_runner.ts'

export type Sweeper = {
  /**
   * Runs every sweep until that tenant has no due work left, here or in another process; returns
   * the names of those that go on after a bound.
   */
  runDueJobs: RunDueJobs
  /** Without a tenant the sweeps of the channel look for tenants at once. */
  notify: (channel: string, tenant_id?: string) => void
  /** How far each sweep that runs here is behind: the tenants that have waited, and how long. */
  measure: () => { sweep: string; tenants: number; seconds: number }[]
  /** A sweep that comes while the program runs. */
  add: (sweep: Sweep) => void
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
  /** Whether the clocks of tenants may be ahead of the database's. */
  profile?: Pick<Profile, 'moves_clocks'>
  /** The records that note the rounds. */
  records?: JobRecords
  /** Shorter in tests only. */
  bounds?: Bounds
  /**
   * In tests only: `runDueJobs` fails if `due_work` does not know of due work, and sweeps with a
   * look of their own make it each second.
   */
  checksDueWork?: boolean | undefined
}

export function createSweeper(parts: Parts): Sweeper {
  const { db, contextOf, isPaused = () => false, sweptElsewhere = false } = parts
  const sweeps = [...parts.sweeps]
  const { profile = { moves_clocks: true }, records, checksDueWork: hurries } = parts
  const turnsOf = new Map<Sweep, ParallelTenants>()
  const wakers = new Map<Sweep, () => void>()
  const wake = (sweep: Sweep) => wakers.get(sweep)?.()
  const loops: Promise<void>[] = []
  let stopping = false
  let runsHere: ((sweep: Sweep) => boolean) | undefined

  const mustRest = () => stopping || isPaused()
  const fail = failing(parts)
  const rounds = new SweepRunner({ db, contextOf, mustRest, wake, fail, hurries, ...profile })
  const round = noted(records, rounds)
  const name = naming(rounds, wakers)
  const loop = (sweep: Sweep) => {
    const turns = new ParallelTenants((tenant_id) => name(sweep, tenant_id))
    turnsOf.set(sweep, turns)
    records?.add({ name: sweep.name, kind: 'SWEEP', every_ms: POLL_MS })
    return makeRounds({
      poll: () => rounds.poll(sweep),
      round: () => round(sweep, turns).catch((error) => failRound(parts, sweep, error)),
      isStopping: () => stopping,
      awaitWaking: (woken) => wakers.set(sweep, woken),
    }).then(() => turns.end())
  }

  return {
    runDueJobs: createDueJobs({
      sweeps,
      name,
      bounds: parts.bounds,
      db: db.overAllTenants(),
      portionOf: async (sweep, tenant_id) => sweep.run(await contextOf(tenant_id)),
      isRunning: (sweep, tenant_id) => turnsOf.get(sweep)?.isRunning(tenant_id) ?? false,
      hasRounds: () => sweptElsewhere || turnsOf.size > 0,
      isStopping: () => stopping,
      check: hurries ? checking(db, sweeps) : undefined,
    }),
    notify(channel, tenant_id) {
      for (const sweep of sweeps) if (sweep.channel === channel) name(sweep, tenant_id)
    },
    measure: () => rounds.measure(),
    add(sweep) {
      sweeps.push(sweep)
      if (!stopping && runsHere?.(sweep)) loops.push(loop(sweep))
    },
    start(isWorker = true) {
      runsHere = ({ everywhere }) => isWorker || everywhere === true
      loops.push(...sweeps.filter(runsHere).map(loop))
    },
    prepareStop: () => prepareAll(sweeps),
    async stop() {
      stopping = true
      prepareAll(sweeps)
      for (const sweep of sweeps) wake(sweep)
      await endAll(sweeps, loops)
    },
  }
}

async function endAll(sweeps: readonly Sweep[], loops: readonly Promise<void>[]): Promise<void> {
  await Promise.all(loops)
  await Promise.all(sweeps.map(async (sweep) => sweep.stop?.()))
}

type Wakers = ReadonlyMap<Sweep, () => void>

/** Names a tenant to a sweep, and wakes it; without a tenant the sweep looks for some. */
const naming = (rounds: SweepRunner, wakers: Wakers) => (sweep: Sweep, tenant_id?: string) => {
  const mustWake = tenant_id === undefined || (sweep.notified?.(tenant_id) ?? true)
  const wake = wakers.get(sweep)
  if (!mustWake || !wake) return
  if (tenant_id === undefined) rounds.look(sweep)
  else if (!sweep.notified) rounds.name(sweep, tenant_id)
  wake()
}

type Looping = {
  poll: () => void
  /** Never rejects. */
  round: () => Promise<void>
  isStopping: () => boolean
  /** Gets what ends the wait for the next poll. */
  awaitWaking: (woken: () => void) => void
}

/** One round after another, at each poll and whenever the sweep is woken, until the stop. */
async function makeRounds({ poll, round, isStopping, awaitWaking }: Looping): Promise<void> {
  let next = 0
  while (!isStopping()) {
    const woken = Promise.withResolvers<void>()
    awaitWaking(woken.resolve)
    if (performance.now() >= next) {
      poll()
      next = nextPoll()
    }
    await round()
    const timer = setTimeout(woken.resolve, Math.max(0, next - performance.now()))
    if (isStopping()) woken.resolve()
    await woken.promise
    clearTimeout(timer)
  }
}

/** The same instant for all sweeps, so that they share a look. */
const nextPoll = (): number => (Math.floor(performance.now() / POLL_MS) + 1) * POLL_MS

function prepareAll(sweeps: readonly Sweep[]): void {
  for (const sweep of sweeps) sweep.prepareStop?.()
}

/** Fails if a sweep would not find in time what the tenant's rows have. */
function checking(db: Db, sweeps: readonly Sweep[]): (tenant_id: string) => Promise<void> {
  return async (tenant_id) => {
    const kinds = sweeps.flatMap((sweep) => {
      const { earliest } = sweep
      return earliest ? [{ ...sweep, earliest }] : []
    })
    const [one] = await listUnrecorded({ db: db.forTenant(tenant_id), tenant_id }, kinds)
    if (!one) return
    const { kind, due, recorded } = one
    throw new Error(
      `the sweep "${kind}" would not find what is due at ${due.toISOString()}: due_work has ` +
        `${recorded?.toISOString() ?? 'nothing'}; its writer has to call dueBy`,
    )
  }
}

type Round = (sweep: Sweep, turns: ParallelTenants) => Promise<void>

function noted(records: JobRecords | undefined, rounds: SweepRunner): Round {
  const round: Round = (sweep, turns) => rounds.make(sweep, turns)
  if (!records) return round
  return (sweep, turns) => records.run(sweep.name, () => round(sweep, turns))
}

/** The reaction to a failure that a round goes on after. */
const failing =
  ({ log, records }: Pick<Parts, 'log' | 'records'>) =>
  (sweep: Sweep, error: unknown, tenant_id: string): void => {
    records?.fail(sweep.name, error)
    logFailure(log, sweep, error, tenant_id)
  }

/** The outage of a node of a cluster is named by its pulse, and the next look leaves it out. */
async function failRound({ db, log }: Parts, sweep: Sweep, error: unknown): Promise<void> {
  if (!(await db.isOfNode(error))) logFailure(log, sweep, error)
}

function logFailure(log: Log, { name }: Sweep, error: unknown, tenant_id?: string): void {
  metrics.sweepFailures.inc({ sweep: name })
  log.error({ err: error, sweep: name, tenant_id }, 'a sweep failed and will run again')
}

/** The measures that are taken when they are asked for: the state of this process (D-671). */

import type { Engine } from '#issuing/authorization/authorization.ts'
import type { ClockWatch } from '#kit/db/clock_skew.ts'
import type { Db } from '#kit/db/database.ts'
import type { JobRecords } from '#kit/jobs/job_records.ts'
import type { Sweeper } from '#kit/jobs/sweeper.ts'
import type { Config } from '#src/config/config.ts'
import { metrics } from './metrics.ts'

export type Gauged = {
  config: Config
  version: string
  /** Databases by the name of their pool. */
  pools: Readonly<Record<string, Db>>
  clock: ClockWatch
  records: JobRecords
  sweeper: Pick<Sweeper, 'measure'>
  engine: Pick<Engine, 'waiting'>
  /** Open connections of the card network. */
  connections: () => number
}

export function setGauges(gauged: Gauged): void {
  setInfo(gauged)
  setPools(gauged)
  setJobs(gauged)
  const { messages, reversals } = gauged.engine.waiting()
  metrics.authorizationsWaiting.set(messages)
  metrics.unstoredReversals.set(reversals)
}

/** A process without the role has no metrics of its port: others may have connections. */
function setInfo({ config, version, connections }: Gauged): void {
  const { mode, roles, network } = config
  metrics.info.set({ version, mode, roles: roles.join('+') }, 1)
  if (!roles.includes('network')) return
  metrics.networkConnections.set(connections())
  metrics.networkConnectionsMost.set(network.connections)
}

function setPools({ pools }: Gauged): void {
  for (const [pool, db] of Object.entries(pools)) {
    const { most, ...states } = db.connections()
    for (const [state, count] of Object.entries(states)) {
      metrics.poolConnections.set({ pool, state }, count)
    }
    metrics.poolConnectionsMost.set({ pool }, most)
  }
}

function setJobs({ records, sweeper, clock }: Gauged): void {
  const now = clock.now().getTime()
  for (const { name, every_ms, since_success_ms, took_ms } of records.measure()) {
    metrics.jobSucceeded.set({ name }, (now - since_success_ms) / 1000)
    metrics.jobInterval.set({ name }, every_ms / 1000)
    metrics.jobSeconds.set({ name }, took_ms / 1000)
  }
  for (const { sweep, tenants, seconds } of sweeper.measure()) {
    metrics.sweepTenants.set({ sweep }, tenants)
    metrics.sweepLateness.set({ sweep }, seconds)
  }
}

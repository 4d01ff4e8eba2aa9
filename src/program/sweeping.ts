/** The sweeper of a process, with the sweeps of all slices. */

import type { Context } from '#kit/context.ts'
import type { ClockWatch } from '#kit/db/clock_skew.ts'
import type { Db } from '#kit/db/database.ts'
import { NO_TENANT, type Services, tenantContext } from '#kit/http/callers/callers.ts'
import type { JobRecords } from '#kit/jobs/job_records.ts'
import { createSweeper, type Sweeper } from '#kit/jobs/sweeper.ts'
import type { Log } from '#kit/log.ts'
import { type Slice, sweepsOf } from '#kit/slice.ts'
import type { Config } from '#src/config/config.ts'

type Parts = {
  config: Config
  db: Db
  log: Log
  services: Services
  clock: ClockWatch
  records: JobRecords
  /** In tests only (kit/jobs/sweeper.ts). */
  checksDueWork?: boolean | undefined
}

export function openSweeper(slices: readonly Slice[], parts: Parts): Sweeper {
  const { config, db, log, services, clock, records, checksDueWork } = parts
  const sweeper = createSweeper({
    db,
    log,
    records,
    sweeps: sweepsOf(slices),
    checksDueWork,
    isPaused: () => clock.fault() !== undefined,
    contextOf: (tenant_id) => sweepContext(services, clock, tenant_id),
    sweptElsewhere: !config.roles.includes('worker'),
    profile: services.profile,
  })
  for (const { grow } of slices) grow?.(sweeper.add)
  return sweeper
}

/** The audit records of the operator belong to no tenant, and are chained like those of one. */
async function sweepContext(
  services: Services,
  clock: ClockWatch,
  tenant_id: string,
): Promise<Context> {
  const actor = { kind: 'system', id: 'sweep' } as const
  if (tenant_id !== NO_TENANT) return tenantContext(services, tenant_id, actor)
  return { ...services, db: services.db.forTenant(NO_TENANT), tenant_id, now: clock.now(), actor }
}

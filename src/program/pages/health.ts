/** The health of a process for an orchestrator: liveness, readiness and metrics. */

import type { ClockWatch } from '#kit/db/clock_skew.ts'
import type { Db } from '#kit/db/database.ts'
import { MIGRATIONS, migrationNames } from '#kit/db/migration_files.ts'
import { findFaultOfSchema } from '#kit/db/migrations.ts'
import type { App } from '#kit/http/app.ts'
import { registry } from '#kit/metrics.ts'

type HealthParts = {
  db: Db
  clock: ClockWatch
  isStopping: () => boolean
  /** Sets the metrics that are measured as they are asked for; undefined if none are served. */
  measure: (() => void) | undefined
}

/** These routes require no key and return nothing of any tenant. */
export function serveHealth(app: App, parts: HealthParts): void {
  const names = migrationNames(MIGRATIONS)

  app.get('/healthz', async () => ({ status: 'ok' }))

  app.get('/readyz', async (_request, reply) => {
    const reason = await unreadiness(parts, names)
    if (reason === undefined) return { status: 'ready' }
    return reply.code(503).header('retry-after', '1').send({ status: 'not ready', reason })
  })

  const { measure } = parts
  if (!measure) return
  app.get('/metrics', async (_request, reply) => {
    measure()
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

const FAULTS = {
  lacking: 'the database lacks migrations',
  newer: 'the database needs a newer program',
} as const

/** Why the process cannot serve; undefined when it can, also beside a newer program (D-663). */
async function unreadiness(
  { db, clock, isStopping }: HealthParts,
  names: readonly string[],
): Promise<string | undefined> {
  if (isStopping()) return 'the process is stopping'
  try {
    const fault = await findFaultOfSchema(db, names)
    return fault === undefined ? clock.fault() : FAULTS[fault]
  } catch {
    return 'the database does not answer'
  }
}

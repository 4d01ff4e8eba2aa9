/** The health of a process for an orchestrator: liveness, readiness and metrics. */

import type { ClockWatch } from '#kit/db/clock_skew.ts'
import type { Db } from '#kit/db/database.ts'
import { hasMigrations, MIGRATIONS, migrationNames } from '#kit/db/migrations.ts'
import type { App } from '#kit/http/app.ts'
import { registry } from '#kit/metrics.ts'

type HealthParts = {
  db: Db
  clock: ClockWatch
  isStopping: () => boolean
  /** Sets the metrics that are measured as they are asked for. */
  measure: () => void
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

  app.get('/metrics', async (_request, reply) => {
    parts.measure()
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

/** Why the process cannot serve; undefined when it can. Older programs run on newer databases. */
async function unreadiness(
  { db, clock, isStopping }: HealthParts,
  names: readonly string[],
): Promise<string | undefined> {
  if (isStopping()) return 'the process is stopping'
  try {
    return (await hasMigrations(db, names)) ? clock.fault() : 'the database lacks migrations'
  } catch {
    return 'the database does not answer'
  }
}

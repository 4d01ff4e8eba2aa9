/** Periodic chores of a running process. */

import { deleteOldLines } from '#issuing/networks/networks.ts'
import { forgetOldProcesses } from '#issuing/processes/processes.ts'
import { endLeftOverDeliveries } from '#issuing/webhooks/webhooks.ts'
import { isWorker } from '#kit/db/connections/cluster.ts'
import type { Database, Db } from '#kit/db/database.ts'
import { forgetOldAnswers } from '#kit/http/kept_answers.ts'
import { type Backlog, measureBacklogs } from '#kit/jobs/backlogs.ts'
import type { JobRecords } from '#kit/jobs/job_records.ts'
import type { Log } from '#kit/log.ts'
import { deleteOldFailures } from '#portal/attempts/attempts.ts'
import { deleteEnded } from '#portal/sessions/sessions.ts'
import type { Config } from '#src/config/config.ts'
import type { Mode } from './modes/mode.ts'
import { keepPartitions } from './partitioned.ts'

const ANSWERS_MS = 10 * 60_000
const PARTITIONS_MS = 60 * 60_000
const BACKLOGS_MS = 15_000
/** On a cluster only one in so many: each queue asks all shards (D-692). */
const BACKLOGS_ON_A_CLUSTER = 4

type ChoreParts = { log: Log; records: JobRecords }

/**
 * Stored answers past their lifetime are deleted (D-10), and questions, requests to
 * receivers, sessions, one-time tokens, failed sign-ins, processes and their connections whose
 * time is over.
 * Deliveries that a deletion did not see are ended (D-887).
 */
export function forgetAnswers(db: Db, mode: Mode, parts: ChoreParts): () => Promise<void> {
  return repeat('forget old answers', ANSWERS_MS, parts, () => forgetAll(db, mode))
}

/** Each by itself: one that fails keeps no other from being done. Throws the first failure. */
export async function forgetAll(db: Db, { chores }: Pick<Mode, 'chores'>): Promise<void> {
  const everyone = db.overAllTenants()
  const forget = [
    forgetOldAnswers,
    ...chores,
    deleteEnded,
    deleteOldFailures,
    forgetOldProcesses,
    deleteOldLines,
    endLeftOverDeliveries,
  ]
  const failures: unknown[] = []
  for (const one of forget) await one(everyone).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

/**
 * Uses the owner's connection: partitions are made ahead of their month, and dropped past their
 * retention (D-398). At a worker of a cluster a process at the coordinator does it.
 */
export function keepTables(
  { owner, pool }: Pick<Database, 'owner' | 'pool'>,
  { kept_days }: Config,
  parts: ChoreParts,
): () => Promise<void> {
  return repeat('keep partitions', PARTITIONS_MS, parts, async () => {
    if (!(await isWorker(pool))) await keepPartitions(owner, kept_days)
  })
}

/** Measures backlogs for the metrics of this process. */
export function watchBacklogs(
  db: Db,
  backlogs: readonly Backlog[],
  parts: ChoreParts,
): () => Promise<void> {
  const everyone = db.overAllTenants()
  let times = 0
  return repeat('measure backlogs', BACKLOGS_MS, parts, async () => {
    const isLeftOut = times % BACKLOGS_ON_A_CLUSTER !== 0 && (await everyone.isSpread())
    times += 1
    if (!isLeftOut) await measureBacklogs(everyone, backlogs)
  })
}

/** Returns the function that ends it. A chore that fails is done again next time. */
function repeat(
  name: string,
  every_ms: number,
  { log, records }: ChoreParts,
  chore: () => Promise<void>,
): () => Promise<void> {
  records.add({ name, kind: 'CHORE', every_ms })
  const attempt = () =>
    records
      .run(name, chore)
      .catch((err: unknown) => log.warn({ err, chore: name }, 'a chore failed'))
  const timer = setInterval(() => void attempt(), every_ms)
  timer.unref()
  return async () => clearInterval(timer)
}

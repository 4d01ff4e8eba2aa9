/**
 * Spreads the tables of the database over the nodes of a Citus cluster (docs/cluster.md).
 * DATABASE_URL is the coordinator, as the owner of the tables; the program is stopped.
 *
 *   npm run distribute -- --dry-run      what would be done, with sizes and an estimate of the time
 *   npm run distribute
 *
 * An interrupted run keeps what it has done, and the next run goes on. Exit code 1 when it could
 * not finish.
 */

import { openDatabase } from '#kit/db/database.ts'
import {
  assertDistributable,
  distribute,
  planDistribution,
  type Step,
} from '#kit/db/distribution.ts'
import { assertDurable } from '#kit/db/migrations.ts'
import { identifyRows } from '#kit/db/partitions/partitions.ts'
import { StartError } from '#kit/start_error.ts'
import { readConfig } from '#src/config/config.ts'
import { databaseUnusable, explain } from '#src/program/explain.ts'
import { bringUpToDate, partitioned } from '#src/program/partitioned.ts'

/** Measured on two cores with a coordinator and two workers beside each other. */
const SECONDS_A_TABLE = 0.5
const BYTES_A_SECOND = 10_000_000
const MB = 1_000_000
/** A table is copied by one statement. */
const LONGEST_STATEMENT_MS = 24 * 60 * 60_000

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  for (const line of explain(error)) console.error(`the tables cannot be distributed: ${line}`)
  return 1
})

async function main(args: readonly string[]): Promise<number> {
  const [option, ...others] = args
  if (others.length > 0 || (option !== undefined && option !== '--dry-run')) {
    throw new StartError('unknown option: use --dry-run or none')
  }
  const config = readConfig(process.env)
  const url = config.database_url?.reveal()
  if (url === undefined) throw new StartError('DATABASE_URL is not set: name the coordinator')
  const database = openDatabase(url, 1, {
    role: config.database_role,
    longest_ms: LONGEST_STATEMENT_MS,
  })
  const client = await database.pool.connect().catch((error: unknown) => {
    throw databaseUnusable(error)
  })
  try {
    await assertDistributable(client)
    await assertDurable(client)
    const plan = await planDistribution(client)
    print(plan)
    if (option === '--dry-run' || plan.length === 0) return 0
    await distribute(client, plan, (step, at) =>
      console.log(`${String(at + 1).padStart(4)} of ${plan.length}  ${step.kind} ${step.table}`),
    )
  } finally {
    client.release(true)
    await database.close()
  }
  const after = openDatabase(url, 1, { role: config.database_role })
  try {
    await identifyRows(after.owner, partitioned)
    await bringUpToDate(after, config.database_role)
  } finally {
    await after.close()
  }
  console.log('All tables are distributed. Start the program.')
  return 0
}

function print(plan: readonly Step[]): void {
  if (plan.length === 0) {
    console.log('All tables are distributed already.')
    return
  }
  for (const { table, kind, rows, bytes } of plan) {
    const size = `${(bytes / MB).toFixed(1).padStart(10)} MB`
    const estimate = rows < 0 ? 'rows not known' : `about ${rows.toLocaleString('en')} rows`
    console.log(`${kind.padEnd(11)} ${table.padEnd(32)} ${size}  ${estimate}`)
  }
  const bytes = plan.reduce((sum, step) => sum + step.bytes, 0)
  const seconds = plan.length * SECONDS_A_TABLE + bytes / BYTES_A_SECOND
  console.log(
    `${plan.length} tables of ${(bytes / MB).toFixed(1)} MB; it may take ${Math.ceil(seconds)} s`,
  )
}

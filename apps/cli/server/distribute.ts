/**
 * `distribute` spreads the tables of the database over the nodes of a Citus cluster
 * (docs/cluster.md). DATABASE_URL is the coordinator, as the owner of the tables; the program is
 * stopped. An interrupted run keeps what it has done, and the next run goes on.
 */

import { Command } from 'commander'
import type pg from 'pg'
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
import { type Config, readConfig } from '#src/config/config.ts'
import { databaseUnusable } from '#src/program/explain.ts'
import { printJson } from '#src/program/json_output.ts'
import { bringUpToDate, partitioned } from '#src/program/partitioned.ts'
import { withExamples } from '../kit/command.ts'
import { EXIT } from '../kit/faults.ts'
import { note, print } from '../kit/print.ts'
import { exitWith, type Json, surroundings } from './command.ts'

/** Measured on two cores with a coordinator and two workers beside each other. */
const SECONDS_A_TABLE = 0.5
const BYTES_A_SECOND = 10_000_000
const MB = 1_000_000
/** A table is copied by one statement. */
const LONGEST_STATEMENT_MS = 24 * 60 * 60_000

const FORMAT = 'distribute 1'

type Options = Json & { dryRun?: boolean }

export function command(): Command {
  const command = new Command('distribute')
    .description('Spreads the tables over the nodes of a Citus cluster.')
    .option('--dry-run', 'print what would be done, with sizes and an estimate of the time')
    .option('--json', 'print JSON; the steps go to standard error')
    .action((options: Options) => {
      const format = options.json ? FORMAT : undefined
      return exitWith({ failed: 'the tables cannot be distributed', format }, () => spread(options))
    })
  return withExamples(command, ['distribute --dry-run', 'distribute'])
}

async function spread({ dryRun = false, json = false }: Options): Promise<number> {
  const config = readConfig(surroundings())
  const url = config.database_url?.reveal()
  if (url === undefined) throw new StartError('DATABASE_URL is not set: name the coordinator')
  const say = json ? note : print
  const plan = await withClient(url, config.database_role, async (client) => {
    const steps = await planDistribution(client)
    if (!json) printPlan(steps)
    if (!dryRun) {
      await distribute(client, steps, (step, at) =>
        say(`${String(at + 1).padStart(4)} of ${steps.length}  ${step.kind} ${step.table}`),
      )
    }
    return steps
  })
  if (!dryRun && plan.length > 0) {
    await complete(url, config.database_role)
    say('All tables are distributed. Start the program.')
  }
  if (json) printJson({ format: FORMAT, ok: true, dry_run: dryRun, steps: plan.map(presentStep) })
  return EXIT.done
}

type Role = Config['database_role']

async function withClient<Result>(
  url: string,
  role: Role,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const database = openDatabase(url, 1, { role, longest_ms: LONGEST_STATEMENT_MS })
  const client = await database.pool.connect().catch((error: unknown) => {
    throw databaseUnusable(error)
  })
  try {
    await assertDistributable(client)
    await assertDurable(client)
    return await work(client)
  } finally {
    client.release(true)
    await database.close()
  }
}

async function complete(url: string, role: Role): Promise<void> {
  const database = openDatabase(url, 1, { role })
  try {
    await identifyRows(database.owner, partitioned)
    await bringUpToDate(database, role)
  } finally {
    await database.close()
  }
}

/** Rows are an estimate; null if none is known. */
const presentStep = ({ kind, table, rows, bytes }: Step) => ({
  kind,
  table,
  bytes,
  rows: rows < 0 ? null : rows,
})

function printPlan(plan: readonly Step[]): void {
  if (plan.length === 0) {
    print('All tables are distributed already.')
    return
  }
  for (const { table, kind, rows, bytes } of plan) {
    const size = `${(bytes / MB).toFixed(1).padStart(10)} MB`
    const estimate = rows < 0 ? 'rows not known' : `about ${rows.toLocaleString('en')} rows`
    print(`${kind.padEnd(11)} ${table.padEnd(32)} ${size}  ${estimate}`)
  }
  const bytes = plan.reduce((sum, step) => sum + step.bytes, 0)
  const seconds = plan.length * SECONDS_A_TABLE + bytes / BYTES_A_SECOND
  print(
    `${plan.length} tables of ${(bytes / MB).toFixed(1)} MB; it may take ${Math.ceil(seconds)} s`,
  )
}

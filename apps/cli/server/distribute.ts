/**
 * `distribute` takes a database to a Citus cluster (docs/cluster.md), and may run any number of
 * times: it finds what is done and goes on from there (D-1100). DATABASE_URL is the coordinator, as
 * the owner of the tables. While tables with rows are spread, the program is stopped.
 */

import { Command } from 'commander'
import type pg from 'pg'
import { type Database, openDatabase } from '#kit/db/database.ts'
import {
  assertCoordinator,
  assertNotBeside,
  countSessions,
  distribute,
  type Progress,
  planDistribution,
  readProgress,
  type Step,
} from '#kit/db/distribution.ts'
import { MIGRATIONS } from '#kit/db/migration_files.ts'
import { assertDurable, listMissing } from '#kit/db/migrations.ts'
import { listFaultsOfAccess, listFaultsOfRoleAccess } from '#kit/db/node_access.ts'
import { type Difference, listDifferences } from '#kit/db/node_differences.ts'
import { identifyRows } from '#kit/db/partitions/partitions.ts'
import { prepareRole } from '#kit/db/security/program_role.ts'
import { moveTenant } from '#kit/db/tenant_move.ts'
import { StartError } from '#kit/start_error.ts'
import { isId } from '#lib/id.ts'
import { type Config, readConfig } from '#src/config/config.ts'
import { databaseUnusable } from '#src/program/explain.ts'
import { printJson } from '#src/program/json_output.ts'
import { bringUpToDate, partitioned } from '#src/program/partitioned.ts'
import { withExamples } from '../kit/command.ts'
import { EXIT, UsageFault } from '../kit/faults.ts'
import { note, print } from '../kit/print.ts'
import { exitWith, type Json, surroundings } from './command.ts'

/** Measured on two cores with a coordinator and two workers beside each other. */
const SECONDS_A_TABLE = 0.5
const BYTES_A_SECOND = 10_000_000
const MB = 1_000_000
const MS = 1_000
/** A table is copied by one statement. */
const LONGEST_STATEMENT_MS = 24 * 60 * 60_000

const FORMAT = 'distribute 1'

type Options = Json & { dryRun?: boolean; tenant?: string; node?: string }
type Role = Config['database_role']

/** The work that there was, and the differences between the nodes. */
type Report = { migrations: string[]; steps: Step[]; different: Difference[]; away: string[] }

type Run = {
  /** A connection of the owner. */
  client: pg.PoolClient
  /** The same database, with a pool for each node. */
  database: Database
  role: Role
  say: (line: string) => void
}

export function command(): Command {
  const command = new Command('distribute')
    .description('Spreads the tables over the nodes of a Citus cluster.')
    .option('--dry-run', 'print what would be done, with sizes and an estimate of the time')
    .option('--tenant <id>', 'give this tenant shards of its own, while the program goes on')
    .option('--node <host:port>', 'and move them to this node')
    .option('--json', 'print JSON; the steps go to standard error')
    .action((options: Options) => {
      const format = options.json ? FORMAT : undefined
      const { tenant, node } = options
      if (tenant === undefined && node === undefined) {
        const failed = 'the tables cannot be distributed'
        return exitWith({ failed, format }, () => spread(options))
      }
      if (tenant === undefined || node === undefined || !isId(tenant) || options.dryRun) {
        throw new UsageFault('--tenant needs the id of a tenant, and --node beside it, alone')
      }
      const failed = 'the tenant cannot be moved'
      return exitWith({ failed, format }, () => moveAlone(tenant, node, options))
    })
  return withExamples(command, [
    'distribute --dry-run',
    'distribute',
    'distribute --tenant 01a21bcd-8f30-72ea-80c5-0a41abf357cc --node db2.example:5432',
  ])
}

/** The tenant alone in its shards, at the node. */
async function moveAlone(tenant: string, node: string, { json = false }: Options): Promise<number> {
  const { url, role } = coordinator()
  const say = json ? note : print
  const begun = performance.now()
  const done = await onCoordinator(url, role, say, ({ client }) =>
    moveTenant(client, tenant, node, (step) =>
      say(step === 'isolate' ? 'Its rows get shards of their own.' : `They move to ${node}.`),
    ),
  )
  const seconds = Math.round((performance.now() - begun) / MS)
  say(
    `The tenant is alone in its shards at ${node}${done.length > 0 ? ` after ${seconds} s` : ''}.`,
  )
  if (json) printJson({ format: FORMAT, ok: true, tenant, node, done })
  return EXIT.done
}

function coordinator(): { url: string; role: Role } {
  const config = readConfig(surroundings())
  const url = config.database_url?.reveal()
  if (url === undefined) throw new StartError('DATABASE_URL is not set: name the coordinator')
  return { url, role: config.database_role }
}

async function spread({ dryRun = false, json = false }: Options): Promise<number> {
  const { url, role } = coordinator()
  const say = json ? note : print
  const report = await onCoordinator(url, role, say, (run) => (dryRun ? foresee(run) : goOn(run)))
  const agrees = report.different.length === 0 && report.away.length === 0
  if (json) {
    const { migrations, steps, different, away } = report
    const made = { migrations, steps: steps.map(presentStep), different, away }
    printJson({ format: FORMAT, ok: dryRun || agrees, dry_run: dryRun, ...made })
  }
  return dryRun || agrees ? EXIT.done : EXIT.failed
}

async function onCoordinator<Result>(
  url: string,
  role: Role,
  say: Run['say'],
  work: (run: Run) => Promise<Result>,
): Promise<Result> {
  const [session, database] = [open(url, role), open(url, role)]
  try {
    const client = await session.pool.connect().catch((error: unknown) => {
      throw databaseUnusable(error)
    })
    try {
      await assertCoordinator(client)
      await assertDurable(client)
      return await work({ client, database, role, say })
    } finally {
      client.release(true)
    }
  } finally {
    await Promise.all([session, database].map(({ close }) => close()))
  }
}

const open = (url: string, role: Role): Database =>
  openDatabase(url, 1, { role, longest_ms: LONGEST_STATEMENT_MS })

/** Changes nothing. */
async function foresee({ client, role, say }: Run): Promise<Report> {
  const steps = await planDistribution(client)
  const migrations = await listMissing(client, MIGRATIONS)
  printState(say, await readProgress(client))
  for (const name of migrations) say(`migration   ${name}`)
  printPlan(say, steps)
  for (const fault of await listFaultsOfAccess(client, role)) say(`to be mended: ${fault}`)
  return { migrations, steps, different: [], away: [] }
}

/** Each part finds what is done already. */
async function goOn({ client, database, role, say }: Run): Promise<Report> {
  const sessions = await countSessions(client)
  await assertNotBeside(sessions, client, await planDistribution(client))
  refuse(await listFaultsOfAccess(client, role))
  printState(say, await readProgress(client))
  const migrations = await listMissing(client, MIGRATIONS)
  for (const name of migrations) say(`migration   ${name}`)
  await prepareRole(client, role)
  refuse(await listFaultsOfRoleAccess(client, role))
  // The policies of one server are none that a table can be spread with.
  await bringUpToDate(database, role)
  const steps = await planDistribution(client)
  await assertNotBeside(sessions, client, steps)
  await distribute(client, steps, (step, at) =>
    say(`${String(at + 1).padStart(4)} of ${steps.length}  ${step.kind} ${step.table}`),
  )
  if (steps.length > 0) {
    await identifyRows(database.owner, partitioned)
    await bringUpToDate(database, role)
  }
  const { found: different, away } = await listDifferences(await database.entries(), role)
  for (const { node, subject, detail } of different) say(`the node ${node}: ${subject} ${detail}`)
  for (const node of away) say(`the node ${node} does not answer`)
  const agree = different.length === 0 && away.length === 0
  say(agree ? 'All tables are distributed, and all nodes agree.' : 'Not all nodes agree.')
  return { migrations, steps, different, away }
}

function refuse(faults: readonly string[]): void {
  if (faults.length > 0) throw new StartError(faults.join('\n'))
}

/** Rows are an estimate; null if none is known. */
const presentStep = ({ kind, table, rows, bytes }: Step) => ({
  kind,
  table,
  bytes,
  rows: rows < 0 ? null : rows,
})

function printState(say: Run['say'], { spread, of }: Progress): void {
  if (spread === 0) say(`The ${of} tables are on one server.`)
  else if (spread < of) say(`${spread} of ${of} tables are distributed.`)
  else say('All tables are distributed already.')
}

function printPlan(say: Run['say'], plan: readonly Step[]): void {
  if (plan.length === 0) return
  for (const { table, kind, rows, bytes } of plan) {
    const size = `${(bytes / MB).toFixed(1).padStart(10)} MB`
    const estimate = rows < 0 ? 'rows not known' : `about ${rows.toLocaleString('en')} rows`
    say(`${kind.padEnd(11)} ${table.padEnd(32)} ${size}  ${estimate}`)
  }
  const bytes = plan.reduce((sum, step) => sum + step.bytes, 0)
  const seconds = plan.length * SECONDS_A_TABLE + bytes / BYTES_A_SECOND
  say(`${plan.length} tables of ${(bytes / MB).toFixed(1)} MB; it may take ${Math.ceil(seconds)} s`)
}

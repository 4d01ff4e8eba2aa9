/**
 * `doctor` checks a database for violated invariants, which docs/doctor.md lists. It only reads,
 * and may run while the program runs. It uses DATABASE_URL, or the embedded database of DATA_DIR.
 * It prints a line for each check and one for each finding, or one document (D-866).
 */

import { Command } from 'commander'
import { sql } from 'kysely'
import type { Finding } from '#kit/audit.ts'
import type { Database } from '#kit/db/database.ts'
import { askEach } from '#kit/db/each_node.ts'
import { listDifferences } from '#kit/db/node_differences.ts'
import { NO_TENANT } from '#kit/http/callers/callers.ts'
import { type AuditName, audits, findingsOf, NODES, SIDES } from '#src/audit/audits.ts'
import { invariants } from '#src/audit/invariants.ts'
import { compareSides } from '#src/audit/sides.ts'
import { type Config, isOwnAddress, readConfig } from '#src/config/config.ts'
import { printJson } from '#src/program/json_output.ts'
import { withExamples } from '../kit/command.ts'
import { print } from '../kit/print.ts'
import { exitWith, type Json, surroundings } from './command.ts'
import { onDatabase } from './database_of.ts'

/** A check may read all of a large database. */
const LONGEST_CHECK_MS = 60 * 60_000
const FORMAT = 'doctor 1'

type Check = {
  name: AuditName
  found: readonly Finding[]
  /** Orders with an operation under way, which are not compared. */
  under_way?: number
  /** It could not be made, since a node of a cluster does not answer. */
  left_out?: true
}

export function command(): Command {
  const doctor = new Command('doctor')
    .description('Checks the promises of the whole database.')
    .option('--json', 'print JSON')
    .action(({ json = false }: Json) => {
      const format = json ? FORMAT : undefined
      return exitWith({ failed: 'doctor cannot read the database', format }, () => examine(json))
    })
  return withExamples(doctor, ['doctor', 'doctor --json'])
}

async function examine(isJson: boolean): Promise<number> {
  const config = readConfig(surroundings())
  return onDatabase(config, LONGEST_CHECK_MS, async (_db, database) => {
    const checks: Check[] = []
    for await (const check of checksOf(database, config)) {
      checks.push(check)
      if (!isJson) printLines(check)
    }
    if (isJson) printJson(documentOf(checks))
    return checks.every(isWhole) ? 0 : 1
  })
}

async function* checksOf({ db, entries }: Database, config: Config): AsyncGenerator<Check> {
  const nodes = await entries()
  const { away } = await askEach(nodes, ({ db: at }) => sql`select`.execute(at))
  if (nodes.length > 1) yield await checkNodes(nodes, config)
  for (const audit of audits) {
    const found = await findingsOf(db, audit, away)
    yield { name: audit.name, found: found ?? [], ...(!found && LEFT_OUT) }
  }
  if (away.length > 0) yield { name: SIDES, found: [], ...LEFT_OUT }
  else yield { name: SIDES, ...(await compareSides(db, isOwnAddress(config))) }
}

const LEFT_OUT = { left_out: true } as const

async function checkNodes(
  nodes: Awaited<ReturnType<Database['entries']>>,
  { database_role }: Config,
): Promise<Check> {
  const { found, away } = await listDifferences(nodes, database_role)
  const silent = away.map((node) => ({
    node,
    subject: 'its tenants',
    detail: 'it does not answer',
  }))
  const findings = [...silent, ...found].map(
    ({ node, subject, detail }): Finding => ({
      invariant: 'I4',
      tenant_id: NO_TENANT,
      subject: `node ${node}`,
      detail: `${subject}: ${detail}`,
    }),
  )
  return { name: NODES, found: findings }
}

function isWhole({ found, left_out }: Check): boolean {
  return found.length === 0 && !left_out
}

function printLines({ name, found, under_way = 0, left_out }: Check): void {
  if (left_out) {
    print(`${name}: not checked, since a node does not answer`)
    return
  }
  print(`${name}: ${found.length === 0 ? 'nothing found' : `${found.length} found`}`)
  for (const { invariant, tenant_id, subject, detail } of found) {
    print(`  ${invariant}  tenant ${tenant_id}  ${subject}: ${detail}`)
  }
  if (under_way > 0) {
    print(`orders with an operation under way, not compared: ${under_way}`)
  }
}

function documentOf(checks: readonly Check[]): object {
  const presented = checks.map((check) => {
    const { name, found, ...rest } = check
    return { name, ok: isWhole(check), ...invariants[name], found, ...rest }
  })
  return { format: FORMAT, ok: checks.every(isWhole), checks: presented }
}

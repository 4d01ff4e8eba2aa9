/**
 * `doctor` checks a database for violated invariants, which docs/doctor.md lists. It only reads,
 * and may run while the program runs. It uses DATABASE_URL, or the embedded database of DATA_DIR.
 * It prints a line for each check and one for each finding, or one document (D-866).
 */

import { Command } from 'commander'
import type { Finding } from '#kit/audit.ts'
import type { Db } from '#kit/db/database.ts'
import { type AuditName, audits, findingsOf, SIDES } from '#src/audit/audits.ts'
import { invariants } from '#src/audit/invariants.ts'
import { compareSides } from '#src/audit/sides.ts'
import { isOwnAddress, readConfig } from '#src/config/config.ts'
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
  return onDatabase(config, LONGEST_CHECK_MS, async (db) => {
    const checks: Check[] = []
    for await (const check of checksOf(db, isOwnAddress(config))) {
      checks.push(check)
      if (!isJson) printLines(check)
    }
    if (isJson) printJson(documentOf(checks))
    return checks.every(isWhole) ? 0 : 1
  })
}

async function* checksOf(db: Db, own_issuer: boolean): AsyncGenerator<Check> {
  for (const audit of audits) yield { name: audit.name, found: await findingsOf(db, audit) }
  yield { name: SIDES, ...(await compareSides(db, own_issuer)) }
}

function isWhole({ found }: Check): boolean {
  return found.length === 0
}

function printLines({ name, found, under_way = 0 }: Check): void {
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

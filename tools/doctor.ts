/**
 * Checks a database for violated invariants, which docs/doctor.md lists. It only reads, and may run
 * while the program runs. It uses DATABASE_URL, or the embedded database of DATA_DIR. Exit code 1
 * when it finds anything.
 *
 *   npm run doctor              a line for each check, and one for each finding
 *   npm run doctor -- --json    one document (D-866)
 */

import type { Finding } from '#kit/audit.ts'
import type { Db } from '#kit/db/database.ts'
import { StartError } from '#kit/start_error.ts'
import { type AuditName, audits, findingsOf, SIDES } from '#src/audit/audits.ts'
import { invariants } from '#src/audit/invariants.ts'
import { compareSides } from '#src/audit/sides.ts'
import { isOwnAddress, readConfig } from '#src/config/config.ts'
import { explain } from '#src/program/explain.ts'
import { failureDocument, printJson } from '#src/program/json_output.ts'
import { watchOutput } from '../apps/cli/kit/print.ts'
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

const args = process.argv.slice(2)
const isJson = args.includes('--json')
watchOutput()
process.exitCode = await main().catch((error: unknown) => {
  const lines = explain(error)
  for (const line of lines) console.error(`doctor cannot read the database: ${line}`)
  if (isJson) printJson(failureDocument(FORMAT, lines))
  return 1
})

async function main(): Promise<number> {
  if (args.some((arg) => arg !== '--json')) {
    throw new StartError('doctor has one option, --json: see docs/doctor.md')
  }
  const config = readConfig(process.env)
  return onDatabase(config, LONGEST_CHECK_MS, async (db) => {
    const checks: Check[] = []
    for await (const check of checksOf(db, isOwnAddress(config))) {
      checks.push(check)
      if (!isJson) print(check)
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

function print({ name, found, under_way = 0 }: Check): void {
  console.log(`${name}: ${found.length === 0 ? 'nothing found' : `${found.length} found`}`)
  for (const { invariant, tenant_id, subject, detail } of found) {
    console.log(`  ${invariant}  tenant ${tenant_id}  ${subject}: ${detail}`)
  }
  if (under_way > 0) {
    console.log(`orders with an operation under way, not compared: ${under_way}`)
  }
}

function documentOf(checks: readonly Check[]): object {
  const presented = checks.map((check) => {
    const { name, found, ...rest } = check
    return { name, ok: isWhole(check), ...invariants[name], found, ...rest }
  })
  return { format: FORMAT, ok: checks.every(isWhole), checks: presented }
}

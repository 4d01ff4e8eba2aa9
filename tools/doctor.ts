/**
 * Checks a database for violated invariants, which docs/doctor.md lists. It only reads, and may run
 * while the program runs. It uses DATABASE_URL, or the embedded database of DATA_DIR. Exit code 1
 * when it finds anything.
 */

import type { Finding } from '#kit/audit.ts'
import type { Db } from '#kit/db/database.ts'
import { StartError } from '#kit/start_error.ts'
import { audits, findingsOf, SIDES } from '#src/audit/audits.ts'
import { compareSides } from '#src/audit/sides.ts'
import { isOwnAddress, readConfig } from '#src/config/config.ts'
import { explain } from '#src/program/explain.ts'
import { onDatabase } from './database_of.ts'

/** A check may read all of a large database. */
const LONGEST_CHECK_MS = 60 * 60_000

process.exitCode = await main().catch((error: unknown) => {
  for (const line of explain(error)) console.error(`doctor cannot read the database: ${line}`)
  return 1
})

async function main(): Promise<number> {
  if (process.argv.length > 2) throw new StartError('doctor has no options: see docs/doctor.md')
  const config = readConfig(process.env)
  return onDatabase(config, LONGEST_CHECK_MS, async (db) => {
    return (await examine(db, isOwnAddress(config))) === 0 ? 0 : 1
  })
}

async function examine(db: Db, own_issuer: boolean): Promise<number> {
  let count = 0
  for (const audit of audits) count += print(audit.name, await findingsOf(db, audit))
  const { found, under_way } = await compareSides(db, own_issuer)
  count += print(SIDES, found)
  if (under_way > 0) {
    console.log(`orders with an operation under way, not compared: ${under_way}`)
  }
  return count
}

function print(name: string, found: readonly Finding[]): number {
  console.log(`${name}: ${found.length === 0 ? 'nothing found' : `${found.length} found`}`)
  for (const { invariant, tenant_id, subject, detail } of found) {
    console.log(`  ${invariant}  tenant ${tenant_id}  ${subject}: ${detail}`)
  }
  return found.length
}

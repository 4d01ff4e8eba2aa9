/**
 * The audit log of a database (docs/audit.md); it only reads, and may run while the program runs.
 * It uses DATABASE_URL, or the embedded database of DATA_DIR.
 *
 *   npm run audit -- export [FILE]           writes an anchor: the present end of each chain
 *   npm run audit -- verify [--anchor FILE]  verifies every record, and the chains by the anchor
 *
 * With --json the result is one document (D-866); an anchor that goes to no file is one anyway.
 * Exit code 1 when a record is wrong, or when the command could not finish.
 */

import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Anchor, makeAnchor, readAnchor } from '#issuing/audit_records/chain/anchor.ts'
import { type Verified, verifyChains } from '#issuing/audit_records/chain/verifying.ts'
import type { Db } from '#kit/db/database.ts'
import { StartError } from '#kit/start_error.ts'
import { printable } from '#lib/printable.ts'
import { readConfig } from '#src/config/config.ts'
import { explain } from '#src/program/explain.ts'
import { failureDocument, printJson } from '#src/program/json_output.ts'
import { watchOutput } from '../apps/cli/kit/print.ts'
import { onDatabase } from './database_of.ts'

/** A statement may read all of a large table. */
const LONGEST_STATEMENT_MS = 60 * 60_000
/** The anchor of some 300,000 tenants. */
const ANCHOR_BYTES = 64 * 1024 * 1024
const PROGRESS_RECORDS = 100_000
const USAGE =
  'unknown command: use export, export FILE, verify, or verify --anchor FILE, and --json'
const FORMAT = 'audit 1'

const args = process.argv.slice(2)
const isJson = args.includes('--json')
watchOutput()
process.exitCode = await main().catch((error: unknown) => {
  const lines = explain(error)
  for (const line of lines) console.error(`the audit log cannot be read: ${line}`)
  if (isJson) printJson(failureDocument(FORMAT, lines))
  return 1
})

async function main(): Promise<number> {
  const command = commandOf()
  const config = readConfig(process.env)
  return onDatabase(config, LONGEST_STATEMENT_MS, command)
}

function commandOf(): (db: Db) => Promise<number> {
  const { name, file, more, anchor } = argumentsOf()
  if (name === 'export' && !more && anchor === undefined) return (db) => exportAnchor(db, file)
  if (name !== 'verify' || file !== undefined) throw new StartError(USAGE)
  const read = anchor === undefined ? undefined : anchorIn(anchor)
  return (db) => verify(db, read)
}

function argumentsOf() {
  try {
    const options = { anchor: { type: 'string' }, json: { type: 'boolean' } } as const
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const [name, file, ...rest] = positionals
    return { name, file, more: rest.length > 0, anchor: values.anchor }
  } catch {
    throw new StartError(USAGE)
  }
}

function anchorIn(path: string): Anchor {
  const { size } = statSync(path)
  if (size > ANCHOR_BYTES) throw new StartError('the anchor is larger than 64 MiB')
  return readAnchor(readFileSync(path, 'utf8'))
}

async function exportAnchor(db: Db, path: string | undefined): Promise<number> {
  const anchor = await makeAnchor(db)
  const text = `${JSON.stringify(anchor, null, 2)}\n`
  if (path === undefined) {
    process.stdout.write(text)
    return 0
  }
  // An anchor that is there is not replaced: it may be the only one of an earlier time.
  writeFileSync(path, text, { flag: 'wx' })
  const { exported, chains } = anchor
  if (isJson) printJson({ format: FORMAT, ok: true, file: path, exported, chains: chains.length })
  return 0
}

async function verify(db: Db, anchor: Anchor | undefined): Promise<number> {
  let next = PROGRESS_RECORDS
  const verified = await verifyChains(db, {
    anchor,
    onProgress(count) {
      if (count < next) return
      console.error(`${count} records verified`)
      next = count - (count % PROGRESS_RECORDS) + PROGRESS_RECORDS
    },
  })
  const ok = verified.faults.length === 0
  if (isJson) printJson({ format: FORMAT, ok, ...verified, anchor: anchor?.exported ?? null })
  else printLines(verified)
  return ok ? 0 : 1
}

function printLines({ chained, waiting, faults }: Verified): void {
  for (const { tenant_id, subject, detail } of faults) {
    console.log(printable(`I7  tenant ${tenant_id}  ${subject}: ${detail}`))
  }
  console.log(`records in chains: ${chained}`)
  console.log(`records that are committed and not chained yet: ${waiting}`)
  console.log(faults.length === 0 ? 'nothing found' : `wrong chains and records: ${faults.length}`)
}

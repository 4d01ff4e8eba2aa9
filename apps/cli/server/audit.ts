/**
 * `audit`: the audit log of a database (docs/audit.md). It only reads, and may run while the
 * program runs. It uses DATABASE_URL, or the embedded database of DATA_DIR. With --json the result
 * is one document (D-866); an anchor that goes to no file is one anyway.
 */

import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { Command } from 'commander'
import { type Anchor, makeAnchor, readAnchor } from '#issuing/audit_records/chain/anchor.ts'
import { type Verified, verifyChains } from '#issuing/audit_records/chain/verifying.ts'
import type { Db } from '#kit/db/database.ts'
import { StartError } from '#kit/start_error.ts'
import { printable } from '#lib/printable.ts'
import { readConfig } from '#src/config/config.ts'
import { printJson } from '#src/program/json_output.ts'
import { withExamples } from '../kit/command.ts'
import { note, print } from '../kit/print.ts'
import { exitWith, type Json, surroundings } from './command.ts'
import { onDatabase } from './database_of.ts'

/** A statement may read all of a large table. */
const LONGEST_STATEMENT_MS = 60 * 60_000
/** The anchor of some 300,000 tenants. */
const ANCHOR_BYTES = 64 * 1024 * 1024
const PROGRESS_RECORDS = 100_000
const FORMAT = 'audit 1'

export function command(): Command {
  const command = new Command('audit').description(
    'Exports an anchor of the audit log, or verifies it.',
  )
  withExamples(command.command('export'), ['audit export anchor.json'])
    .summary('write an anchor: the present end of each chain')
    .description('Writes an anchor, the present end of each chain, which is JSON itself.')
    .argument('[file]', 'a file that is not there yet; standard output where it is left out')
    .option('--json', 'print JSON of the file that was written')
    .action((file: string | undefined, { json = false }: Json) =>
      onLog(json, (db) => exportAnchor(db, file, json)),
    )
  withExamples(command.command('verify'), ['audit verify', 'audit verify --anchor anchor.json'])
    .summary('verify every record')
    .option('--anchor <file>', 'verify the chains by this anchor, too')
    .option('--json', 'print JSON')
    .action(({ json = false, anchor }: Json & { anchor?: string }) =>
      onLog(json, (db) => verify(db, anchor === undefined ? undefined : anchorIn(anchor), json)),
    )
  return withExamples(command, ['audit export anchor.json', 'audit verify --anchor anchor.json'])
}

function onLog(json: boolean, work: (db: Db) => Promise<number>): Promise<void> {
  const format = json ? FORMAT : undefined
  return exitWith({ failed: 'the audit log cannot be read', format }, () =>
    onDatabase(readConfig(surroundings()), LONGEST_STATEMENT_MS, work),
  )
}

function anchorIn(path: string): Anchor {
  const { size } = statSync(path)
  if (size > ANCHOR_BYTES) throw new StartError('the anchor is larger than 64 MiB')
  return readAnchor(readFileSync(path, 'utf8'))
}

async function exportAnchor(db: Db, path: string | undefined, isJson: boolean): Promise<number> {
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

async function verify(db: Db, anchor: Anchor | undefined, isJson: boolean): Promise<number> {
  let next = PROGRESS_RECORDS
  const verified = await verifyChains(db, {
    anchor,
    onProgress(count) {
      if (count < next) return
      note(`${count} records verified`)
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
    print(printable(`I7  tenant ${tenant_id}  ${subject}: ${detail}`))
  }
  print(`records in chains: ${chained}`)
  print(`records that are committed and not chained yet: ${waiting}`)
  print(faults.length === 0 ? 'nothing found' : `wrong chains and records: ${faults.length}`)
}

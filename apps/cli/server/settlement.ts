/**
 * `settlement`: the settlement file of a day (docs/acquirer.md). The acquirer writes it, and the
 * issuer compares it with its book. The database is DATABASE_URL, or the embedded one of DATA_DIR.
 * If a file could not be written, there is none; if one could not be compared, nothing is recorded.
 */

import { type FileHandle, open, stat } from 'node:fs/promises'
import { Command } from 'commander'
import { StartError } from '#kit/start_error.ts'
import { isDate } from '#lib/time.ts'
import { importSettlement } from '#src/audit/settlement/import.ts'
import { fileText, findingText } from '#src/audit/settlement/plain.ts'
import { findingsOf, presentSettlement } from '#src/audit/settlement/present.ts'
import { isWhole, settlementOf } from '#src/audit/settlement/settlement.ts'
import type { FileRow } from '#src/audit/settlement/store.ts'
import { type Config, readConfig } from '#src/config/config.ts'
import { printJson } from '#src/program/json_output.ts'
import { withExamples } from '../kit/command.ts'
import { EXIT, UsageFault } from '../kit/faults.ts'
import { note, print } from '../kit/print.ts'
import { exitWith, type Json, surroundings } from './command.ts'
import { onDatabase } from './database_of.ts'
import { refuseExisting, writeWhole } from './whole_file.ts'

/** A portion of a large database may take so long. */
const LONGEST_STATEMENT_MS = 10 * 60_000

const FORMAT = 'settlement 1'

type ExportOptions = Json & { date: string; issuer?: string }

export function command(): Command {
  const command = new Command('settlement').description(
    'Writes the settlement file of a day, or compares one with the book.',
  )
  const code = EXIT.usage
  const exports = ['settlement export --date 2026-11-25 settlement-20261125.csv']
  withExamples(command.command('export'), exports)
    .summary('write the captures and refunds of a day for the issuer')
    .argument('<file>', 'a file that is not there yet')
    .requiredOption('--date <date>', 'the day, as 2026-11-25')
    .option('--issuer <name>', 'of this issuer of ISSUERS_FILE')
    .option('--json', 'print JSON')
    .action((path: string, options: ExportOptions) => {
      const failed = 'the settlement file is not written'
      return exitWith({ failed, code, format: formatOf(options) }, () => exportTo(path, options))
    })
  const imports = ['settlement import settlement-20261125.csv']
  withExamples(command.command('import'), imports)
    .summary('compare such a file with the book of the issuer, and record it')
    .argument('<file>', 'the settlement file')
    .option('--json', 'print JSON')
    .action((path: string, options: Json) => {
      const failed = 'the settlement file is not imported'
      return exitWith({ failed, code, format: formatOf(options) }, () => importFrom(path, options))
    })
  return withExamples(command, [...exports, ...imports])
}

const formatOf = ({ json }: Json): string | undefined => (json ? FORMAT : undefined)

async function exportTo(
  path: string,
  { date, issuer, json = false }: ExportOptions,
): Promise<number> {
  if (!isDate(date)) throw new UsageFault('--date is no day: use YYYY-MM-DD')
  await refuseExisting(path)
  const config = readConfig(surroundings())
  if (issuer !== undefined && !config.issuers.has(issuer)) {
    throw new StartError(`ISSUERS_FILE has no issuer ${issuer.slice(0, 40)}`)
  }
  return onDatabase(config, LONGEST_STATEMENT_MS, async (db) => {
    if (!(await isWhole(db, date))) refuseOrWarn(config.mode, date)
    const records = await writeCounted(path, settlementOf(db, date, issuer))
    if (json) printJson({ format: FORMAT, ok: true, file: path, date, records })
    else print(`${path} has ${records} captures and refunds`)
    return 0
  })
}

/** In a sandbox a file of today is there to be looked at; a real one would be handed on. */
function refuseOrWarn(mode: Config['mode'], date: string): void {
  const why = `${date} has to be over for five minutes: what comes until then is in no file`
  if (mode === 'live') throw new StartError(why)
  note(`this file is not final: ${why}`)
}

async function importFrom(path: string, { json = false }: Json): Promise<number> {
  await using file = await openFile(path)
  const { row, isKnown } = await onDatabase(
    readConfig(surroundings()),
    LONGEST_STATEMENT_MS,
    (db) =>
      importSettlement(
        db,
        // The same file both times, whatever has its name by then.
        () => file.createReadStream({ start: 0, autoClose: false }),
        (found) => {
          if (!json) for (const one of found) print(findingText(one))
        },
      ),
  )
  const ok = findingsOf(row) === 0
  if (json) printJson({ format: FORMAT, ok, known: isKnown, ...presentSettlement(row) })
  else printFile(row, isKnown)
  return ok ? EXIT.done : EXIT.failed
}

function printFile(row: FileRow, isKnown: boolean): void {
  if (isKnown) print(`it was imported at ${row.created.toISOString()}; nothing changed`)
  for (const line of fileText(row)) print(line)
}

async function openFile(path: string): Promise<FileHandle> {
  // A pipe would be waited for.
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile()) throw new StartError(`${path} is no file`)
  return open(path)
}

/** It has its name once it is whole; resolves to the number of its records. */
/** Returns how many records the text has. */
async function writeCounted(path: string, text: AsyncGenerator<string, number>): Promise<number> {
  let count = 0
  const parts = async function* () {
    count = yield* text
  }
  await writeWhole(path, parts())
  return count
}

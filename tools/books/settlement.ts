/**
 * The settlement file of a day (docs/acquirer.md): the acquirer writes it, and the issuer compares
 * it with its book. The database is DATABASE_URL, or the embedded one of DATA_DIR.
 *
 *   npm run settlement -- export --date 2026-11-25 [--issuer NAME] FILE
 *   npm run settlement -- import FILE
 *
 * Exit code of an export: 0 if the file is whole, 2 if it could not be written; then there is none.
 * Exit code of an import: 0 if file and book agree, 1 if they differ, 2 if the file is rejected or
 * could not be compared; then nothing is recorded.
 */

import { createWriteStream } from 'node:fs'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { StartError } from '#kit/start_error.ts'
import { isDate } from '#lib/time.ts'
import { importSettlement } from '#src/audit/settlement/import.ts'
import { fileText, findingText } from '#src/audit/settlement/plain.ts'
import { findingsOf } from '#src/audit/settlement/present.ts'
import { isWhole, settlementOf } from '#src/audit/settlement/settlement.ts'
import { type Config, readConfig } from '#src/config/config.ts'
import { explain } from '#src/program/explain.ts'
import { watchOutput } from '../../apps/cli/kit/print.ts'
import { onDatabase } from '../database_of.ts'

/** A portion of a large database may take so long. */
const LONGEST_STATEMENT_MS = 10 * 60_000
const USAGE = 'use export --date YYYY-MM-DD [--issuer NAME] FILE, or import FILE'
/** Each command by what did not happen where it fails. */
const FAILED = {
  export: 'the settlement file is not written',
  import: 'the settlement file is not imported',
} as const

const args = process.argv.slice(2)
watchOutput()
process.exitCode = await main().catch((error: unknown) => {
  const failed = FAILED[args[0] === 'import' ? 'import' : 'export']
  for (const line of explain(error)) console.error(`${failed}: ${line}`)
  return 2
})

async function main(): Promise<number> {
  const { values, positionals } = valuesIn(args)
  const [command, path, ...more] = positionals
  const { date, issuer } = values
  if (path === undefined || more.length > 0) throw new StartError(USAGE)
  if (command === 'export' && date !== undefined && isDate(date)) {
    return exportTo(path, date, issuer)
  }
  if (command === 'import' && (date ?? issuer) === undefined) return importFrom(path)
  throw new StartError(USAGE)
}

async function exportTo(path: string, date: string, issuer: string | undefined): Promise<number> {
  // A file that is there may have been handed on.
  if (await stat(path).catch(() => undefined)) throw new StartError(`${path} exists`)
  const config = readConfig(process.env)
  if (issuer !== undefined && !config.issuers.has(issuer)) {
    throw new StartError(`ISSUERS_FILE has no issuer ${issuer.slice(0, 40)}`)
  }
  return onDatabase(config, LONGEST_STATEMENT_MS, async (db) => {
    if (!(await isWhole(db, date))) refuseOrWarn(config.mode, date)
    await writeWhole(path, settlementOf(db, date, issuer))
    return 0
  })
}

/** In a sandbox a file of today is there to be looked at; a real one would be handed on. */
function refuseOrWarn(mode: Config['mode'], date: string): void {
  const why = `${date} has to be over for five minutes: what comes until then is in no file`
  if (mode === 'live') throw new StartError(why)
  console.error(`this file is not final: ${why}`)
}

async function importFrom(path: string): Promise<number> {
  await using file = await openFile(path)
  const { row, isKnown } = await onDatabase(readConfig(process.env), LONGEST_STATEMENT_MS, (db) =>
    importSettlement(
      db,
      // The same file both times, whatever has its name by then.
      () => file.createReadStream({ start: 0, autoClose: false }),
      (found) => {
        for (const one of found) console.log(findingText(one))
      },
    ),
  )
  if (isKnown) console.log(`it was imported at ${row.created.toISOString()}; nothing changed`)
  for (const line of fileText(row)) console.log(line)
  return findingsOf(row) === 0 ? 0 : 1
}

async function openFile(path: string): Promise<FileHandle> {
  // A pipe would be waited for.
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile()) throw new StartError(`${path} is no file`)
  return open(path)
}

function valuesIn(args: readonly string[]) {
  const options = { date: { type: 'string' }, issuer: { type: 'string' } } as const
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch {
    throw new StartError(USAGE)
  }
}

/** It has its name once it is whole. */
async function writeWhole(path: string, text: AsyncGenerator<string, number>): Promise<void> {
  const part = `${path}.${process.pid}.part`
  let count = 0
  try {
    await pipeline(
      async function* () {
        for (;;) {
          const { done, value } = await text.next()
          if (done) {
            count = value
            return
          }
          yield value
        }
      },
      createWriteStream(part, { flags: 'wx' }),
    )
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
  console.log(`${path} has ${count} captures and refunds`)
}

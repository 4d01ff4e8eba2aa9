/**
 * The settlement file of a day, for the issuer (docs/acquirer.md). It only reads the database:
 * DATABASE_URL, or the embedded one of DATA_DIR.
 *
 *   npm run settlement -- export --date 2026-11-25 FILE
 *
 * Exit code 0 where the file is whole, 2 where it could not be written; then there is none.
 */

import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { StartError } from '#kit/start_error.ts'
import { isDate } from '#lib/time.ts'
import { settlementOf } from '#src/audit/settlement/settlement.ts'
import { readConfig } from '#src/config/config.ts'
import { explain } from '#src/program/explain.ts'
import { onDatabase } from '../database_of.ts'

/** A portion of a large database may take so long. */
const LONGEST_STATEMENT_MS = 10 * 60_000
const USAGE = 'use export --date YYYY-MM-DD FILE'

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  for (const line of explain(error)) console.error(`the settlement file is not written: ${line}`)
  return 2
})

async function main(args: readonly string[]): Promise<number> {
  const { date, path } = optionsOf(args)
  // A file that is there may have been handed on.
  if (await stat(path).catch(() => undefined)) throw new StartError(`${path} exists`)
  const config = readConfig(process.env)
  return onDatabase(config, LONGEST_STATEMENT_MS, async (db) => {
    await writeWhole(path, settlementOf(db, date))
    return 0
  })
}

function optionsOf(args: readonly string[]): { date: string; path: string } {
  const { values, positionals } = valuesIn(args)
  const [command, path, ...more] = positionals
  const { date = '' } = values
  if (command !== 'export' || path === undefined || more.length > 0 || !isDate(date)) {
    throw new StartError(USAGE)
  }
  return { date, path }
}

function valuesIn(args: readonly string[]) {
  const options = { date: { type: 'string' } } as const
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

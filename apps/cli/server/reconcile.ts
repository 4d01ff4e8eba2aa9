/**
 * `reconcile` compares the orders, the messages of the acquirer and the book of the issuer of one
 * day (docs/reconciliation.md). It only reads, and may run while the program runs. It uses
 * DATABASE_URL, or the embedded database of DATA_DIR.
 */

import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { Command } from 'commander'
import { readClock } from '#kit/clock.ts'
import type { Db } from '#kit/db/database.ts'
import { isId } from '#lib/id.ts'
import { ApiError } from '#lib/result.ts'
import { isDate } from '#lib/time.ts'
import { foundLines, headerLine, sumLines } from '#src/audit/reconciliation/lines.ts'
import { foundText, sumText } from '#src/audit/reconciliation/plain.ts'
import {
  presentDifference,
  presentFileDifference,
  presentHead,
  presentOpen,
  presentSums,
} from '#src/audit/reconciliation/present.ts'
import {
  begin,
  type Findings,
  type Progress,
  type ReconciliationRequest,
  reconcile,
} from '#src/audit/reconciliation/reconciliation.ts'
import { isOwnAddress, readConfig } from '#src/config/config.ts'
import { explain } from '#src/program/explain.ts'
import { withExamples } from '../kit/command.ts'
import { EXIT, UsageFault } from '../kit/faults.ts'
import { print } from '../kit/print.ts'
import { exitWith, surroundings } from './command.ts'
import { onDatabase } from './database_of.ts'

/** A portion of a large database may take so long. */
const LONGEST_STATEMENT_MS = 10 * 60_000

type Options = { date: string; json?: boolean; csv?: string; tenant?: string; merchant?: string }
type Counts = { differences: number; open: number }

export function command(): Command {
  const command = new Command('reconcile')
    .description(
      'Compares the orders, the messages of the acquirer and the book of the issuer of a day.',
    )
    .requiredOption('--date <date>', 'the day, as 2026-11-25')
    .option('--csv <file>', 'write a file, which must not be there yet')
    .option('--tenant <id>', 'the books of one tenant')
    .option('--merchant <id>', 'the payments of one merchant')
    .option('--json', 'print JSON, difference by difference')
    .action((options: Options) => {
      const failing = { failed: 'the books cannot be compared', code: EXIT.usage }
      return exitWith({ ...failing, reasons: reasonOf }, () => compare(options))
    })
  return withExamples(command, [
    'reconcile --date 2026-11-25',
    'reconcile --date 2026-11-25 --csv day.csv',
    'reconcile --date 2026-11-25 --tenant ID --json',
  ])
}

async function compare(options: Options): Promise<number> {
  const asked = askedOf(options)
  const config = readConfig(surroundings())
  return onDatabase(config, LONGEST_STATEMENT_MS, async (db) => {
    const whole = { ...asked, own_issuer: isOwnAddress(config) }
    const { differences } = await write(db, whole, options)
    return differences === 0 ? EXIT.done : EXIT.failed
  })
}

function askedOf({ date, tenant, merchant }: Options): Omit<ReconciliationRequest, 'own_issuer'> {
  if (!isDate(date)) throw new UsageFault('--date is no day: use YYYY-MM-DD')
  for (const [option, id] of Object.entries({ tenant, merchant })) {
    if (id !== undefined && !isId(id)) throw new UsageFault(`--${option} is no id`)
  }
  return {
    date,
    ...(tenant !== undefined && { tenant_id: tenant }),
    ...(merchant !== undefined && { merchant_id: merchant }),
  }
}

async function write(
  db: Db,
  asked: ReconciliationRequest,
  { json = false, csv }: Options,
): Promise<Counts> {
  const counts: Counts = { differences: 0, open: 0 }
  const progress = await begin(db, asked)
  const found = counted(reconcile(db, asked, progress), counts)
  const inText = json ? jsonOf : plainOf
  if (csv === undefined) {
    for await (const text of inText(found, {
      asked,
      progress,
      counts,
      as_of: await readClock(db),
    })) {
      process.stdout.write(text)
    }
    return counts
  }
  // A file that is there is not replaced: it may have been handed on.
  await pipeline(csvOf(found, progress), createWriteStream(csv, { flags: 'wx' }))
  if (!json) print(endText(progress, counts).join('\n'))
  return counts
}

async function* counted(found: AsyncIterable<Findings>, counts: Counts): AsyncGenerator<Findings> {
  for await (const one of found) {
    counts.differences += one.differences.length + one.files.length
    counts.open += one.open.length
    yield one
  }
}

type Whole = { asked: ReconciliationRequest; progress: Progress; counts: Counts; as_of: Date }

async function* plainOf(found: AsyncIterable<Findings>, { progress, counts }: Whole) {
  for await (const one of found)
    yield foundText(one)
      .map((line) => `${line}\n`)
      .join('')
  yield `${endText(progress, counts).join('\n')}\n`
}

function endText(progress: Progress, { differences, open }: Counts): string[] {
  return [
    ...sumText(progress),
    `open: ${open}`,
    differences === 0 ? 'nothing differs' : `differences: ${differences}`,
  ]
}

/** The members of the API's answer; each difference and open entry is a line of `found`. */
async function* jsonOf(found: AsyncIterable<Findings>, { asked, progress, counts, as_of }: Whole) {
  yield `${JSON.stringify(presentHead(asked, as_of)).slice(0, -1)},"found":[`
  let separator = '\n'
  for await (const { differences, open, files } of found) {
    const shown = [
      ...differences.map(presentDifference),
      ...open.map(presentOpen),
      ...files.map(presentFileDifference),
    ]
    for (const one of shown) {
      yield separator + JSON.stringify(one)
      separator = ',\n'
    }
  }
  const { differences: differences_count, open: open_count } = counts
  const status = differences_count === 0 ? 'AGREES' : 'DIFFERS'
  const end = { status, differences_count, open_count, ...presentSums(progress) }
  yield `\n],${JSON.stringify(end).slice(1)}\n`
}

async function* csvOf(found: AsyncIterable<Findings>, progress: Progress) {
  yield headerLine
  for await (const one of found) yield foundLines(one)
  yield sumLines(progress)
}

/** A refused option has its reason in the faults of the error. */
function reasonOf(error: unknown): string[] {
  if (!(error instanceof ApiError)) return explain(error)
  return (error.errors ?? []).map(({ path, message }) => `${path} ${message}`)
}

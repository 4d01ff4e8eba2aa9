/**
 * `clearing`: files of a dual-message network (docs/clearing.md). `show` and `write` need nothing
 * but the file; `import` works on the database, and the program that runs on it posts the records;
 * `export` asks a running program; `collect` and `collected` are about files of the own acquirer.
 */

import { type FileHandle, open, stat } from 'node:fs/promises'
import { Command } from 'commander'
import type { CharacterSet } from '#clearing/characters.ts'
import { objectOf, recordsOf } from '#clearing/json.ts'
import { type Reading, readClearing } from '#clearing/reader.ts'
import type { ClearingRecord } from '#clearing/record.ts'
import { RecordFault, writeClearing } from '#clearing/writer.ts'
import { importClearing, presentFile } from '#issuing/clearings/clearings.ts'
import { NO_TENANT } from '#kit/http/callers/callers.ts'
import { StartError } from '#kit/start_error.ts'
import { isId } from '#lib/id.ts'
import { printable, printableJson } from '#lib/printable.ts'
import { failureDocument, printJson } from '#src/program/json_output.ts'
import { withExamples } from '../kit/command.ts'
import { EXIT, UsageFault } from '../kit/faults.ts'
import { note, print, readerGone } from '../kit/print.ts'
import { addCollect, COLLECTS } from './clearing_collect.ts'
import { asProgram } from './clearing_database.ts'
import { addExport, EXPORTS } from './clearing_export.ts'
import { exitWith, type Json } from './command.ts'
import { refuseExisting, writeWhole } from './whole_file.ts'

/** Faults that are named; a file of another kind has one in each record. */
const FAULTS_NAMED = 100

type ShowOptions = Json & { cp037?: boolean }
const FORMAT = 'clearing 1'

type ImportOptions = Json & { tenant?: string }
type WriteOptions = Json & { ebcdic?: boolean; cp037?: boolean; blocked?: boolean }

export function command(): Command {
  const command = new Command('clearing').description(
    'Shows, writes, imports or exports a clearing file.',
  )
  const shows = ['clearing show T112.bin', 'clearing show T112.bin --json > T112.jsonl']
  withExamples(command.command('show'), shows)
    .summary('print the records of a file')
    .argument('<file>', 'the clearing file')
    .option('--json', 'print a JSON object a record, with whole card numbers')
    .option('--cp037', 'read EBCDIC as code page 037, not 500')
    .action((path: string, options: ShowOptions) =>
      exitWith({ failed: 'the clearing file is not shown', code: EXIT.usage }, () =>
        show(path, options),
      ),
    )
  const writes = ['clearing write T112.jsonl T112.bin --ebcdic --blocked']
  withExamples(command.command('write'), writes)
    .summary('write a file of such JSON objects')
    .argument('<jsonl>', 'a JSON object a line, as show --json prints them')
    .argument('<file>', 'a file that is not there yet')
    .option('--ebcdic', 'write EBCDIC, not ASCII')
    .option('--cp037', 'write EBCDIC of code page 037, not 500')
    .option('--blocked', 'write blocks of 1,014 bytes')
    .option('--json', 'print JSON')
    .action((from: string, path: string, options: WriteOptions) => {
      const format = options.json ? FORMAT : undefined
      const failed = 'the clearing file is not written'
      return exitWith({ failed, code: EXIT.usage, format }, () => write(from, path, options))
    })
  const imports = ['clearing import T112.bin']
  withExamples(command.command('import'), imports)
    .summary('check a file, and have its records posted')
    .argument('<file>', 'the clearing file')
    .option('--tenant <id>', 'tenant of records without a card of the platform')
    .option('--json', 'print JSON')
    .action((path: string, options: ImportOptions) => {
      const format = options.json ? FORMAT : undefined
      const failed = 'the clearing file is not imported'
      return exitWith({ failed, code: EXIT.usage, format }, () => importFrom(path, options))
    })
  addExport(command, FORMAT)
  addCollect(command, FORMAT)
  return withExamples(command, [...shows, ...writes, ...imports, ...EXPORTS, ...COLLECTS])
}

async function show(path: string, { json = false, cp037 = false }: ShowOptions): Promise<number> {
  await using file = await openFile(path)
  const { size } = await file.stat()
  const readings = readClearing(file.createReadStream({ autoClose: false }), {
    size,
    ebcdic: cp037 ? 'cp037' : 'cp500',
  })
  let faults = 0
  for await (const reading of readings) {
    if (readerGone.aborted) break
    if ('record' in reading) {
      await drained(json ? printableJson(objectOf(reading.record)) : lineOf(reading))
      continue
    }
    faults += 1
    if (faults <= FAULTS_NAMED) {
      note(`record ${reading.number}, byte ${reading.at}: ${reading.reason}`)
    }
  }
  if (faults > FAULTS_NAMED) note(`${faults - FAULTS_NAMED} more records cannot be read`)
  return faults === 0 ? EXIT.done : EXIT.failed
}

/** A reader that is slower than the file is waited for, so that memory stays flat. */
async function drained(line: string): Promise<void> {
  print(line)
  if (!process.stdout.writableNeedDrain) return
  await new Promise<void>((resolve) => {
    process.stdout.once('drain', resolve)
    readerGone.addEventListener('abort', () => resolve(), { once: true })
  })
}

const COLUMNS = [3, 4, 49, 12, 31, 71]

/** The card number is masked; `--json` has it whole, for the way back. */
function lineOf({ number, record }: Extract<Reading, { record: ClearingRecord }>): string {
  const { mti, elements, subelements } = record
  const pan = elements.get(2)
  const kind = `${mti} ${elements.get(24) ?? '---'}`
  const card = pan === undefined ? '' : `card …${pan.slice(-4)}`
  const others = COLUMNS.flatMap((one) => {
    const value = elements.get(one)
    return value === undefined ? [] : [`DE${one} ${value}`]
  })
  const tags = [...subelements.keys()].map((tag) => `PDS${tag}`)
  return [number, kind, card, ...others, ...tags].filter((part) => part !== '').join('  ')
}

async function write(from: string, path: string, options: WriteOptions): Promise<number> {
  const set: CharacterSet = options.cp037 ? 'cp037' : options.ebcdic ? 'cp500' : 'latin1'
  await refuseExisting(path)
  await using file = await openFile(from)
  try {
    const records = recordsOf(file.createReadStream({ autoClose: false }))
    await writeWhole(path, writeClearing(records, { set, blocked: options.blocked ?? false }))
  } catch (error) {
    if (!(error instanceof RecordFault)) throw error
    if (options.json) printJson(failureDocument(FORMAT, [error.message]))
    else note(error.message)
    return EXIT.failed
  }
  const { size } = await stat(path)
  if (options.json) printJson({ format: FORMAT, ok: true, file: path, bytes: size })
  return EXIT.done
}

async function importFrom(path: string, { tenant, json = false }: ImportOptions): Promise<number> {
  if (tenant !== undefined && !isId(tenant)) throw new UsageFault('--tenant is no id')
  await using file = await openFile(path)
  return await asProgram(async (services) => {
    const actor = { kind: 'system' as const, id: 'clearing import' }
    const ctx = { ...services, tenant_id: NO_TENANT, actor }
    const bytes = file.createReadStream({ autoClose: false })
    const { row, is_known } = await importClearing(ctx, bytes, tenant)
    const ok = row.state === 'ACCEPTED'
    if (json) printJson({ format: FORMAT, ok, ...presentFile(row), known: is_known })
    else printImport(row, is_known)
    return ok ? EXIT.done : EXIT.failed
  })
}

type Imported = Awaited<ReturnType<typeof importClearing>>['row']

function printImport({ id, file, state, records, faults, fault_count }: Imported, known: boolean) {
  if (known) print('it was imported before; nothing changed')
  print(`clearing file ${id}  ${file ?? 'without an id'}  ${state}  ${records} records`)
  for (const fault of faults) print(printable(`  ${fault}`))
  if (fault_count > faults.length) print(`  ${fault_count - faults.length} more faults`)
}

async function openFile(path: string): Promise<FileHandle> {
  // A pipe would be waited for.
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile()) throw new StartError(`${path} is no file`)
  return open(path)
}

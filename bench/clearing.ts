/**
 * Records of clearing files a second: imported, and posted, each alone and beside 200
 * authorizations a second, whose times are measured with and without. The program is one process,
 * with the port, the engine and the sweep. Then the memory of a file of a million records.
 */

import { fork } from 'node:child_process'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { Engine } from '#issuing/authorization/authorization.ts'
import { importClearing } from '#issuing/clearings/clearings.ts'
import { clearingPosting } from '#issuing/clearings/sweeps.ts'
import { clearingFile, type Members, presentment } from '#test/support/clearing/clearing_file.ts'
import type { Measured } from './network_load.ts'
import { dealCards, numbersOf } from './support/cards.ts'
import type { ReadFigures, Reading } from './support/clearing_reader.ts'
import { streamOf } from './support/clearing_stream.ts'
import { type Cpu, openCpuMeter, perUnit } from './support/cpu.ts'
import { purchase } from './support/engine_load.ts'
import { driveNetwork } from './support/network.ts'
import { openPlatform } from './support/platform.ts'

const CARDS = Number(process.env['BENCH_CARDS'] ?? 20_000)
/** Records of each measurement. */
const RECORDS = Number(process.env['BENCH_RECORDS'] ?? 40_000)
const RUNS = Number(process.env['BENCH_RUNS'] ?? 2)
/** Records of the file that is read, and of the one that is imported, for their memory. */
const READ = Number(process.env['BENCH_READ'] ?? 1_000_000)
const IMPORTED = Number(process.env['BENCH_IMPORTED'] ?? 1_000_000)
const RATE = 200
const RATE_LEAST = 5_000
const P99_MOST = 2
const CONNECTIONS = 16
const IN_FLIGHT = 256
const AMOUNT = 100n
const WARM_UP_SECONDS = 20
/** A load lasts so long at least. */
const SECONDS_LEAST = 2
const LOOK_MS = 100
/** Records that the sweep posts at once: two portions. A file has whole ones. */
const PORTION = 512
const FILE_RECORDS = Math.min(20 * PORTION, Math.ceil(RECORDS / PORTION) * PORTION) - 2
/** Some 4 MB of a file. */
const EARLY_CHUNKS = 64
const PANS_SENT = 1_000

/** Does a part of the work, and answers how many records it has had; 0 where nothing is left. */
type Work = () => Promise<number>
type Done = { count: number; seconds: number; cpu: Cpu | undefined }

const print = (line: string) => console.log(line)
const number = (value: number) => Math.round(value).toLocaleString('en')
const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`

print(`Creating ${number(CARDS)} cards …`)
const platform = await openPlatform(CONNECTIONS)
const meter = await openCpuMeter(platform.url)
const deck = await dealCards(platform.ctx(), CARDS)
const { tenant_id } = deck
const pans = await numbersOf(platform.ctx(tenant_id), deck.card_ids)
const engine = new Engine(platform.services)
const posting = clearingPosting(engine)
await platform.vacuum()

print(`Warming up, ${WARM_UP_SECONDS} s …`)
await authorizations(WARM_UP_SECONDS)
await warmUp()
for (let run = 1; run <= RUNS; run += 1) await measureAll(run)
await readMany()
await importMany()
await engine.drain()
await platform.close()

async function warmUp(): Promise<void> {
  const files = await filesOf(FILE_RECORDS)
  await during(importing(files), () => false)
  await during(post, () => false)
}

async function measureAll(run: number): Promise<void> {
  print(`\nRun ${run} of ${RUNS}: authorizing ${number(2 * RECORDS)} purchases …`)
  const files = await filesOf(2 * RECORDS)
  await platform.vacuum()
  const [first, second] = [files.splice(0, files.length / 2), files]
  print(`${' '.repeat(33)}a second   PostgreSQL + Node   authorizations p50 / p99`)
  const imported = await measured(importing(first), () => false)
  report('import alone', imported)
  await compare('import', importing(second), imported)
  let portions = 0
  const half: Work = () => (portions++ * PORTION < RECORDS ? post() : Promise.resolve(0))
  const alone = await measured(half, () => false)
  report('posting alone', alone)
  await compare('posting', post, alone)
  await during(post, () => false)
  await assertPosted()
}

/** Authorizations without the work, and then with it, as long as it takes. */
async function compare(name: string, work: Work, alone: Done): Promise<void> {
  const seconds = Math.max(SECONDS_LEAST, Math.floor((RECORDS / alone.count) * alone.seconds))
  const quiet = await authorizations(seconds)
  let isOver = false
  const load = authorizations(seconds).finally(() => {
    isOver = true
  })
  const done = await measured(work, () => isOver)
  const busy = await load
  const times = ({ p50, p99 }: Measured) => `${p50.toFixed(1)} / ${p99.toFixed(1)} ms`
  report(`${name} beside ${RATE} a second`, done, `${times(quiet)} → ${times(busy)}`)
  const [rate, ratio] = [done.count / done.seconds, busy.p99 / quiet.p99]
  const isMet = rate >= RATE_LEAST && ratio <= P99_MOST
  const wanted = `wanted ≥ ${number(RATE_LEAST)} a second, p99 ≤ ${P99_MOST} ×`
  print(`  p99 ${ratio.toFixed(1)} × that without; ${wanted}${isMet ? '' : '   MISSED'}`)
  const declined = quiet.declined + busy.declined
  if (declined > 0) print(`  answers that were not 00: ${declined}`)
}

function report(name: string, { count, seconds, cpu }: Done, times = ''): void {
  const rate = number(count / seconds).padStart(9)
  print(`${name.padEnd(32)}${rate}   ${perUnit(cpu, count).padStart(17)}   ${times}`)
}

function authorizations(seconds: number): Promise<Measured> {
  return driveNetwork({ services: platform.services, engine }, { pans, seconds, open: RATE })
}

async function during(work: Work, isOver: () => boolean): Promise<number> {
  let count = 0
  while (!isOver()) {
    const had = await work()
    if (had === 0) break
    count += had
  }
  return count
}

/** The load on the port is a child process, and its CPU time is left out. */
async function measured(work: Work, isOver: () => boolean): Promise<Done> {
  const begun = performance.now()
  const [count, cpu] = await meter.measure(() => during(work, isOver))
  const seconds = (performance.now() - begun) / 1_000
  return { count, seconds, cpu: cpu && { ...cpu, children: 0 } }
}

function importing(files: Buffer[]): Work {
  return async () => {
    const file = files.shift()
    if (file === undefined) return 0
    const { row } = await importClearing(platform.ctx(), Readable.from([file]))
    if (row.state !== 'ACCEPTED') throw new Error(`a file is ${row.state}: ${row.faults[0]}`)
    return row.records - 2
  }
}

/** One portion, as the sweep has it. */
async function post(): Promise<number> {
  const { more } = await posting.run(platform.ctx(tenant_id))
  return more ? PORTION : 0
}

/** A measurement is worth nothing where records went into suspense. */
async function assertPosted(): Promise<void> {
  const { rows } = await sql<{ state: string; count: number }>`
    select state, count(*)::int as count from clearing_records
    where tenant_id = ${tenant_id} and kind = 'PRESENTMENT' group by state`.execute(platform.owner)
  const others = rows.filter(({ state }) => state !== 'POSTED')
  if (others.length > 0) throw new Error(`not all is posted: ${JSON.stringify(others)}`)
}

async function readMany(): Promise<void> {
  const child = fork(new URL('./support/clearing_reader.ts', import.meta.url))
  const result = new Promise<ReadFigures>((resolve, reject) => {
    child.once('message', (message) => resolve(message as ReadFigures))
    child.once('exit', (code) => reject(new Error(`the reader ended with ${code}`)))
  })
  child.send({ records: READ, pans: pans.slice(0, PANS_SENT) } satisfies Reading)
  const { seconds, early, highest } = await result
  print(
    `\n${number(READ)} records read and checked: ${number(READ / seconds)} a second, ` +
      `${megabytes(early)} behind the first tenth, ${megabytes(highest)} at the highest`,
  )
}

/** The memory of the whole program, which has all that was measured behind it. */
async function importMany(): Promise<void> {
  const begun = performance.now()
  const before = process.memoryUsage.rss()
  let [early, highest] = [0, before]
  const look = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage.rss())
  }, LOOK_MS)
  const seen = async function* seen() {
    let at = 0
    for await (const chunk of streamOf(IMPORTED, pans)) {
      at += 1
      if (at === EARLY_CHUNKS) early = highest
      yield chunk
    }
  }
  const { row } = await importClearing(platform.ctx(), seen())
  clearInterval(look)
  const seconds = (performance.now() - begun) / 1_000
  print(
    `${number(IMPORTED)} records imported: ${row.state}, ${number(IMPORTED / seconds)} a second; ` +
      `${megabytes(before)} before, ${megabytes(early)} early, ${megabytes(highest)} at most`,
  )
}

/** Files of presentments of purchases that are authorized before. */
async function filesOf(count: number): Promise<Buffer[]> {
  const records: Members[] = []
  let asked = 0
  const worker = async () => {
    while (asked < count) {
      const at = asked++ % CARDS
      const request = purchase(deck.card_ids[at] ?? '')
      const answer = await engine.submit(tenant_id, { request })
      if (!answer.approved) throw new Error(`declined: ${answer.status_code}`)
      const { approval_code: DE38 = '' } = answer
      records.push(presentment(pans[at] ?? '', AMOUNT, { DE37: request.rrn ?? '', DE38 }))
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker))
  const files: Buffer[] = []
  while (records.length > 0) files.push(await clearingFile(records.splice(0, FILE_RECORDS)))
  return files
}

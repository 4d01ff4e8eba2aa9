/** Authorizations a second compared with pgbench, in one run on one server. */

import { randomInt } from 'node:crypto'
import { Engine } from '#issuing/authorization/authorization.ts'
import { WireLog } from '#issuing/wire_messages/wire_messages.ts'
import { createLog } from '#kit/log.ts'
import type { Load, Measured } from './network_load.ts'
import { dealCards, numbersOf } from './support/cards.ts'
import { type Cpu, openCpuMeter, perUnit, totalOf } from './support/cpu.ts'
import { driveEngine, purchase } from './support/engine_load.ts'
import { driveNetwork as drivePort } from './support/network.ts'
import { openPlatform } from './support/platform.ts'
import { drive, hotRow, makeTpcbTables, tpcb } from './support/tpcb.ts'

const CARDS = Number(process.env['BENCH_CARDS'] ?? 100_000)
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 10)
/** All of them are printed, and the best of each figure. */
const RUNS = Number(process.env['BENCH_RUNS'] ?? 1)
const CONNECTIONS = 64
const IN_FLIGHT = 256
const OPEN_RATE = 1_000
/**
 * These seconds are not measured: a program compiles its code and prepares statements for about a
 * minute.
 */
const WARM_UP_SECONDS = 60
const ENGINE_CONNECTIONS = 16

/** Result of one measurement, with the CPU time of a unit of work. */
type Part = { per_second: number; cpu: Cpu | undefined; count: number }
type Run = {
  client: string
  open: Part & Measured
  tpcb: Part
  engine: Part
  port: Part & Measured
  row: Part
  account: Part
}

/** With `WIRE_LOG=on` messages are recorded, as in a sandbox. */
const recorder = () =>
  process.env['WIRE_LOG'] === 'on' ? new WireLog(platform.ctx().db, createLog('silent')) : null

const print = (line: string) => console.log(line)
const ms = (milliseconds: number) => `${milliseconds.toFixed(1)} ms`

print(`Creating ${CARDS.toLocaleString('en')} cards …`)
const platform = await openPlatform(ENGINE_CONNECTIONS)
const meter = await openCpuMeter(platform.url)
const deck = await dealCards(platform.ctx(), CARDS)
print('Reading their numbers …')
const pans = await numbersOf({ ...platform.ctx(), tenant_id: deck.tenant_id }, deck.card_ids)
await makeTpcbTables(platform.url)
await platform.vacuum()

print(`Warming up, ${WARM_UP_SECONDS} s …`)
await driveNetwork({ open: OPEN_RATE }, WARM_UP_SECONDS)

const runs: Run[] = []
while (runs.length < RUNS) {
  print(`\nRun ${runs.length + 1} of ${RUNS}`)
  const run = await measureAll()
  runs.push(run)
  printRun(run)
}
await platform.close()
if (RUNS > 1) printBest()

async function measureAll(): Promise<Run> {
  const engineOn = (card: () => string) =>
    measured(() =>
      driveEngine(platform.services, {
        ...{ tenant_id: deck.tenant_id, request: () => purchase(card()) },
        ...{ in_flight: IN_FLIGHT, seconds: SECONDS },
      }),
    )
  const baseline = (script: readonly string[]) =>
    measured(async () => {
      const rate = await drive(platform.url, script, CONNECTIONS, SECONDS)
      return { ...rate, count: rate.per_second * SECONDS }
    })
  // Ordinary load is measured before the runs at the server's limit, whose cleanup disturbs it.
  print(`(e) the port, ${OPEN_RATE} a second without waiting for answers, ${SECONDS} s …`)
  const open = await network({ open: OPEN_RATE })
  print(`(a) TPC-B, ${CONNECTIONS} connections, ${SECONDS} s …`)
  const { client, ...a } = await baseline(tpcb)
  print(`(b) the engine, ${IN_FLIGHT} in flight, ${SECONDS} s …`)
  const engine = await engineOn(() => deck.card_ids[randomInt(CARDS)] ?? '')
  print(`(c) the ISO 8583 port, ${IN_FLIGHT} in flight, ${SECONDS} s …`)
  const port = await network({ closed: IN_FLIGHT })
  print(`(d) one row, ${CONNECTIONS} connections, ${SECONDS} s …`)
  const row = await baseline(hotRow)
  print(`(d) the engine on one account, ${IN_FLIGHT} in flight, ${SECONDS} s …`)
  const account = await engineOn(() => deck.card_ids[0] ?? '')
  return { client, open, tpcb: a, engine, port, row, account }
}

async function measured<Result>(
  work: () => Promise<Result>,
): Promise<Result & { cpu: Cpu | undefined }> {
  const [result, cpu] = await meter.measure(work)
  return { ...result, cpu }
}

/** The load generator is a child process. Its CPU time is left out: it is not the platform's. */
async function network(way: Pick<Load, 'closed' | 'open'>): Promise<Part & Measured> {
  const { cpu, ...result } = await measured(() => driveNetwork(way))
  const count = result.per_second * SECONDS
  return { ...result, count, cpu: cpu && { ...cpu, children: 0 } }
}

function printRun(run: Run): void {
  const { client, open, tpcb: a, engine, port, row, account } = run
  const line = (name: string, part: Part, of?: [part: Part, name: string, target: string]) => {
    const rate = Math.round(part.per_second).toLocaleString('en').padStart(8)
    const times = of ? `${(part.per_second / of[0].per_second).toFixed(1)} × ${of[1]}` : ''
    const against = `${times.padEnd(12)} ${(of?.[2] ?? '').padEnd(8)}`
    print(`${name.padEnd(32)}${rate}   ${against} ${perUnit(part.cpu, part.count).padStart(13)}`)
  }
  print(`\n${' '.repeat(31)} a second   against      target   PostgreSQL + others`)
  line(`(a) TPC-B, ${client}`, a)
  line('(b) engine', engine, [a, '(a)', '5 ×'])
  line('(c) over ISO 8583', port, [a, '(a)', '3 ×'])
  line('(d) one row, one commit each', row)
  line('(d) engine on one account', account, [row, 'row', '20 ×'])
  const cheaper = (part: Part) => `${ratioOf(a, part)?.toFixed(1) ?? '–'} ×`
  print(`CPU time of (a) against (b): ${cheaper(engine)}, against (c): ${cheaper(port)}`)
  const cost = perUnit(open.cpu, open.count)
  print(`(e) port at ${OPEN_RATE} a second: p50 ${ms(open.p50)}, p99 ${ms(open.p99)}, ${cost}`)
  print('    target: p50 ≤ 4 ms, p99 ≤ 15 ms')
  print(`answers over the port that were not 00: ${port.declined + open.declined}`)
}

/** How many times the CPU time of `part` the other one takes, a unit. */
function ratioOf(other: Part, part: Part): number | undefined {
  if (!other.cpu || !part.cpu) return undefined
  return totalOf(other.cpu) / other.count / (totalOf(part.cpu) / part.count)
}

/** Each figure by itself, beside those of all runs. */
function printBest(): void {
  const line = (name: string, of: (run: Run) => number, best: (...all: number[]) => number) => {
    const all = runs.map(of)
    print(
      `${name.padEnd(34)}${best(...all)
        .toFixed(1)
        .padStart(8)}   of ${list(all)}`,
    )
  }
  const list = (all: readonly number[]) => all.map((value) => value.toFixed(1)).join(', ')
  print(`\nbest of ${RUNS} runs`)
  const rates = (part: Part, of: Part) => part.per_second / of.per_second
  line('(b) engine against (a), ×', (run) => rates(run.engine, run.tpcb), Math.max)
  line('(b) CPU of (a) against it, ×', (run) => ratioOf(run.tpcb, run.engine) ?? 0, Math.max)
  line('(c) port against (a), ×', (run) => rates(run.port, run.tpcb), Math.max)
  line('(c) CPU of (a) against it, ×', (run) => ratioOf(run.tpcb, run.port) ?? 0, Math.max)
  line('(d) account against row, ×', (run) => rates(run.account, run.row), Math.max)
  line('(e) p50, ms', (run) => run.open.p50, Math.min)
  line('(e) p99, ms', (run) => run.open.p99, Math.min)
}

async function driveNetwork(
  way: Pick<Load, 'closed' | 'open'>,
  seconds = SECONDS,
): Promise<Measured> {
  const { services } = platform
  const engine = new Engine(services)
  const on = { services, engine, wire: recorder() }
  const answered = await drivePort(on, { pans, seconds, ...way })
  await engine.drain()
  return answered
}

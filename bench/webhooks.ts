/**
 * The delivery of webhooks: its rate at the limit, its delay at ease and beside endpoints that
 * hang, and a backlog. Worker and events are in this process, the receiver in another.
 */

import { type Cpu, openCpuMeter } from './support/cpu.ts'
import { type Delays, openStage, type Subscribed } from './support/webhook_stage.ts'

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 10)
const BACKLOG = Number(process.env['BENCH_BACKLOG'] ?? 1_000_000)
/** A backlog is drained for so long at most, so that the whole bench ends within six minutes. */
const DRAIN_SECONDS = Number(process.env['BENCH_DRAIN_SECONDS'] ?? 90)
/** Objects of a backlog. */
const OBJECTS = 10_000
const RATE_LEAST = 3_000
const P50_MOST_MS = 30
const HANG_MOST = 1.1
const BESIDE_MOST = 2
const DRAIN_LEAST = 2_000
const NEW_MOST_MS = 1_000
/** Runs with and without are made in turns, so that both meet the same machine. */
const ROUNDS = 4

const print = (line: string) => console.log(line)
const number = (value: number) => Math.round(value).toLocaleString('en')
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const stage = await openStage()
const meter = await openCpuMeter(stage.url)
stage.start()

print(`${''.padEnd(75)}target             CPU time each`)
await limit('(a) a second, one subscription', 1, OBJECTS)
await limit('(a) a second, 20 subscriptions of 4 tenants', 4, OBJECTS)
await atEase()
await besideHanging()
await besideBusy()
await backlog()
await stage.close()

/** Delivers a stored backlog as fast as it goes. */
async function limit(name: string, tenants: number, objects: number): Promise<void> {
  const count = Math.max(5_000, Math.min(BACKLOG / 5, 60_000))
  const all: Subscribed[] = []
  for (let at = 0; at < tenants; at += 1) all.push(await stage.tenant(tenants === 1 ? 1 : 5))
  const before = stage.arrived()
  const [rate, cpu] = await meter.measure(async () => {
    for (const to of all) await stage.fill(to, count / tenants, objects)
    const begin = performance.now()
    const first = stage.arrived()
    await drained(all, before + count)
    return ((stage.arrived() - first) * 1000) / (performance.now() - begin)
  })
  row(name, number(rate), `≥ ${number(RATE_LEAST)}`, cpu, stage.arrived() - before)
}

/** Waits until so many have arrived and nothing is open. */
async function drained(all: readonly Subscribed[], arrived: number): Promise<void> {
  for (;;) {
    await pause(100)
    if (stage.arrived() < arrived) continue
    const open = await Promise.all(all.map(stage.isOpen))
    if (!open.includes(true)) return
  }
}

async function atEase(): Promise<void> {
  const to = [await stage.tenant(1)]
  await stage.measure({ to, rate: 200, seconds: 2 })
  const load = { to, rate: 200, seconds: SECONDS }
  const [delays, cpu] = await meter.measure(() => stage.measure(load))
  row(
    '(b) 200 events a second, p50 / p99 ms',
    times(delays),
    `p50 ≤ ${P50_MOST_MS}`,
    cpu,
    200 * SECONDS,
  )
}

/** One endpoint of a hundred hangs; delays of the others. */
async function besideHanging(): Promise<void> {
  const all: Subscribed[] = []
  for (let at = 0; at < 10; at += 1) all.push(await stage.tenant(10))
  const [first] = all
  if (!first) return
  await compare('(c) one of 100 endpoints hangs', HANG_MOST, async (is_beside) => {
    await stage.redirect(first, 0, is_beside ? '/hang' : '/ok')
    const delays = await stage.measure({ to: all, rate: 20, seconds: SECONDS / ROUNDS })
    await stage.clear()
    return delays
  })
}

/** One hangs, one is very slow, and one tenant makes 95 % of the events. */
async function besideBusy(): Promise<void> {
  const all: Subscribed[] = []
  for (let at = 0; at < 10; at += 1) all.push(await stage.tenant(10))
  const [busy, ...others] = all
  const [first, second] = others
  if (!busy || !first || !second) return
  await compare('(d) and one slow, one tenant makes 95 %', BESIDE_MOST, async (is_beside) => {
    await stage.redirect(first, 0, is_beside ? '/hang' : '/ok')
    await stage.redirect(second, 0, is_beside ? '/slow' : '/ok')
    const seconds = SECONDS / ROUNDS
    const load = is_beside ? stage.measure({ to: [busy], rate: 38, seconds }) : undefined
    const delays = await stage.measure({ to: others, rate: 2, seconds })
    await load
    await stage.clear()
    return delays
  })
}

async function backlog(): Promise<void> {
  const [to, other] = [await stage.tenant(10), await stage.tenant(1)]
  await stage.fill(to, BACKLOG, OBJECTS)
  const begin = performance.now()
  const [own, beside]: [number[], number[]] = [[], []]
  const first = stage.arrived()
  const [drain_ms, cpu] = await meter.measure(async () => {
    for (;;) {
      const [one, two] = await Promise.all([
        stage.measure({ to: [to], rate: 5, seconds: 2 }),
        stage.measure({ to: [other], rate: 5, seconds: 2 }),
      ])
      own.push(...one.ms)
      beside.push(...two.ms)
      const milliseconds = performance.now() - begin
      if (milliseconds >= DRAIN_SECONDS * 1_000) return milliseconds
      if (!(await stage.isOpen(to))) return milliseconds
    }
  })
  const drained = stage.arrived() - first
  const name = `(e) backlog of ${number(BACKLOG)}, a second`
  row(name, number((drained * 1000) / drain_ms), `≥ ${number(DRAIN_LEAST)}`, cpu, drained)
  row('    new events meanwhile, longest ms', number(Math.max(...own)), `≤ ${NEW_MOST_MS}`)
  row('    those of another tenant', number(Math.max(...beside)), `≤ ${NEW_MOST_MS}`)
}

type Run = (is_beside: boolean) => Promise<Delays>

async function compare(name: string, most: number, run: Run): Promise<void> {
  const [alone, beside]: [Delays, Delays] = [
    { ms: [], missing: 0 },
    { ms: [], missing: 0 },
  ]
  for (let round = 0; round <= ROUNDS; round += 1) {
    const turns: [Delays, Delays] = [await run(false), await run(true)]
    // The first turn opens connections and compiles; it is not counted.
    if (round === 0) continue
    for (const [at, sum] of [alone, beside].entries()) {
      sum.ms.push(...(turns[at]?.ms ?? []))
      sum.missing += turns[at]?.missing ?? 0
    }
  }
  const ratio = (p(beside, 0.99) / p(alone, 0.99)).toFixed(2)
  row(name, `${times(alone)} → ${times(beside)}`, `p99 ${ratio} ×, ≤ ${most}`)
}

function p({ ms }: Delays, share: number): number {
  const sorted = ms.toSorted((one, other) => one - other)
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0
}

function times(delays: Delays): string {
  const missing = delays.missing > 0 ? `, ${delays.missing} missing` : ''
  return `${p(delays, 0.5).toFixed(1)} / ${p(delays, 0.99).toFixed(1)}${missing}`
}

function row(name: string, value: string, target: string, cpu?: Cpu, units = 1): void {
  const of = (used: number) => (used / units).toFixed(0)
  const used = cpu
    ? `PostgreSQL ${of(cpu.postgres)}, this ${of(cpu.own)}, receiver ${of(cpu.children)} µs`
    : ''
  print(`${name.padEnd(46)}${value.padStart(26)}   ${target.padEnd(18)} ${used}`)
}

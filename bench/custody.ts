/**
 * Authorizations whose keys are in software, and in a security module that takes a millisecond a
 * command, in one run (D-1018): without proofs, with PIN and cryptogram, and without the module for
 * a while. Open loops: the delay of a request sent late counts.
 */

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { readAdapters } from '#adapters/adapter.ts'
import { registry } from '#adapters/registry.ts'
import { softwareCustody } from '#issuing/vault/vault.ts'
import { createLog } from '#kit/log.ts'
import { openCustody } from '#src/program/modes/custody.ts'
import { moduleSettings } from '#test/support/services/custody.ts'
import type { Load, Measured } from './network_load.ts'
import type { Listening } from './security_module.ts'
import { cpuOf, openCpuMeter, perUnit } from './support/cpu.ts'
import { openSide, type Side } from './support/custodies.ts'
import { openPlatform } from './support/platform.ts'

/** No card pays twice within a measurement. */
const CARDS = Number(process.env['BENCH_CARDS'] ?? 10_000)
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 10)
const ROUNDS = Number(process.env['BENCH_RUNS'] ?? 3)
const WARM_UP_SECONDS = 3
const RATE = 1_000
const DELAY_MS = 1
const GONE_MS = SECONDS * 1_000
/** Around the time without the module. */
const BEFORE_MS = 3_000
const AFTER_MS = 5_000
const ENGINE_CONNECTIONS = 16

type Custody = 'software' | 'module'
type Variant = { custody: Custody; has_proofs: boolean }
type Figures = Measured & { cpu: string; simulator: number }

const print = (line: string) => console.log(line)
const ms = (value: number) => value.toFixed(1)

const platform = await openPlatform(ENGINE_CONNECTIONS)
const meter = await openCpuMeter(platform.url)
let [simulator, { port }] = await startModule(0)
const opened = await openModule()
print(`Creating ${CARDS.toLocaleString('en')} cards with PINs in each custody …`)
const sides: Record<Custody, Side> = {
  software: await openSide(platform, softwareCustody, { cards: CARDS, bin: '400000' }),
  module: await openSide(platform, opened.custody, { cards: CARDS, bin: '400001' }),
}
await platform.vacuum()

const variants: readonly Variant[] = [
  { custody: 'software', has_proofs: false },
  { custody: 'module', has_proofs: false },
  { custody: 'software', has_proofs: true },
  { custody: 'module', has_proofs: true },
]
const found = new Map<Variant, Figures[]>(variants.map((variant) => [variant, []]))
for (let round = 0; round < ROUNDS; round++) {
  print(`Round ${round + 1} of ${ROUNDS} …`)
  for (const variant of round % 2 === 0 ? variants : variants.toReversed()) {
    await drive(loadOf(variant, RATE, WARM_UP_SECONDS))
    found.get(variant)?.push(await measured(variant))
  }
}
printTable()
await withoutModule()

for (const side of Object.values(sides)) await side.close()
opened.close()
simulator.kill()
await platform.close()

async function startModule(at: number): Promise<[ChildProcess, Listening]> {
  const args = [String(at), String(DELAY_MS)]
  const child = fork(new URL('./security_module.ts', import.meta.url), args)
  const [listening] = await once(child, 'message')
  return [child, listening]
}

/** With the settings that an installation has, but for the transport key. */
async function openModule() {
  const faults: string[] = []
  const env = { ...moduleSettings(port), HSM_TIMEOUT_MS: '1000' }
  const adapters = readAdapters(registry, env, { live: false, faults })
  if (faults.length > 0) throw new Error(faults.join('; '))
  return openCustody({ adapters }, createLog('silent'), new Date())
}

async function measured(variant: Variant): Promise<Figures> {
  // The requests are made before the clock runs.
  const load = loadOf(variant, RATE, SECONDS)
  const before = cpuOf(simulator.pid ?? 0)
  const [result, cpu] = await meter.measure(() => drive(load))
  const { answered } = result
  // The loads and the simulator are children: their CPU time is not the platform's.
  const cost = perUnit(cpu && { ...cpu, children: 0 }, answered)
  return { ...result, cpu: cost, simulator: (cpuOf(simulator.pid ?? 0) - before) / answered }
}

function loadOf({ custody, has_proofs }: Variant, open: number, seconds: number): Load {
  const { port: number, pans, proving } = sides[custody]
  const load = { port: number, pans, seconds, open }
  return has_proofs ? { ...load, requests: proving(open * seconds) } : load
}

function drive(load: Load): Promise<Measured> {
  const child = fork(new URL('./network_load.ts', import.meta.url))
  const result = new Promise<Measured>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Measured))
    child.once('exit', (code) => reject(new Error(`the load ended with ${code}`)))
  })
  child.send(load)
  return result
}

function printTable(): void {
  print(`\n${RATE} a second for ${SECONDS} s, a round in each column (p99 wanted: 30 ms)`)
  for (const [{ custody, has_proofs }, rounds] of found) {
    const each = (text: (one: Figures) => string | number) => rounds.map(text).join(' · ')
    print(`\n${has_proofs ? 'with PIN and cryptogram' : 'without proofs'}, keys in ${custody}`)
    print(`  p50 ${each(({ p50 }) => ms(p50))} ms; p99 ${each(({ p99 }) => ms(p99))} ms`)
    print(`  answered ${each(({ answered }) => answered)}, of them not 00 ${each(codesOf)}`)
    print(`  CPU time a decision, PostgreSQL + program: ${each(({ cpu }) => cpu)}`)
    if (has_proofs && custody === 'module') {
      print(`  and of the simulator: ${each(({ simulator }) => `${simulator.toFixed(0)} µs`)}`)
    }
  }
}

/** How many answers of each code, but for 00. */
function codesOf({ others }: Measured): string {
  const counts = [...Map.groupBy(others, ({ code }) => code)]
  return counts.map(([code, of]) => `${of.length} × ${code}`).join(' and ') || '0'
}

/** Half of the requests have proofs. The simulator is killed, and started again at its port. */
async function withoutModule(): Promise<void> {
  const seconds = (BEFORE_MS + GONE_MS + AFTER_MS) / 1_000
  const half = RATE / 2
  const loads = [true, false].map((has_proofs) =>
    loadOf({ custody: 'module', has_proofs }, half, seconds),
  )
  const both = Promise.all(loads.map(drive))
  await pause(BEFORE_MS)
  const killed_at = Date.now()
  simulator.kill('SIGKILL')
  await pause(GONE_MS)
  const [again, { at: back_at }] = await startModule(port)
  simulator = again
  const [proving, plain] = await both
  if (!proving || !plain) return
  const tries = await sides.module.wrongTries()
  const last = proving.others.at(-1)?.at ?? killed_at
  const first = proving.others[0]?.at ?? killed_at
  const return_ms = last - back_at
  print(`\nthe module gone for ${ms((back_at - killed_at) / 1_000)} s, ${half} + ${half} a second`)
  print(`  with proofs: ${proving.answered} answered, not 00: ${codesOf(proving)}`)
  print(`  the first of these ${first - killed_at} ms after the module had gone, the last`)
  print(`  ${return_ms} ms after its return (wanted: ≤ 1000 ms); wrong PINs counted: ${tries}`)
  print(`  without proofs: ${plain.answered} answered, not 00: ${codesOf(plain)}`)
  print(`  p50 ${ms(plain.p50)} ms, p99 ${ms(plain.p99)} ms`)
}

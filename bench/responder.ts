/**
 * Authorizations of a tenant whose responder takes its time, and of another tenant beside it, with
 * and without the responder in one run. Open loops: the delay of a request sent late counts.
 */

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createTenantFinder, Engine } from '#issuing/authorization/authorization.ts'
import { createNetworkPort } from '#issuing/authorization/port/port.ts'
import { changeSettings } from '#issuing/tenants/tenants.ts'
import { createLog } from '#kit/log.ts'
import type { Load, Measured } from './network_load.ts'
import { dealCards, numbersOf } from './support/cards.ts'
import { openCpuMeter, perUnit } from './support/cpu.ts'
import { openPlatform } from './support/platform.ts'

/** There are so many that a card seldom pays again while the responder is asked about it. */
const CARDS = Number(process.env['BENCH_CARDS'] ?? 20_000)
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 10)
const WARM_UP_SECONDS = 3
const RATE = 1_000
const OTHER_RATE = 100
const DELAY_MS = 50
const ENGINE_CONNECTIONS = 16

const print = (line: string) => console.log(line)
const times = ({ p50, p99 }: Measured) => `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`

print(`Creating ${CARDS.toLocaleString('en')} cards of each of two tenants …`)
const platform = await openPlatform(ENGINE_CONNECTIONS)
const meter = await openCpuMeter(platform.url)
const endpoint = fork(new URL('./support/responder_endpoint.ts', import.meta.url), [
  String(DELAY_MS),
])
const [endpoint_port] = await once(endpoint, 'message')
const asked = await tenantWithCards('400000')
const other = await tenantWithCards('400001')
await platform.vacuum()

const engine = new Engine(platform.services)
const port = createNetworkPort({
  ...{ host: '127.0.0.1', port: 0, dialect: 'ascii', header: 'binary2' },
  engine: {
    submit: (tenant_id, job) => engine.submit(tenant_id, job),
    tenantOfPan: createTenantFinder(platform.services),
  },
  log: createLog('silent'),
})
const { port: number } = await port.listen()

print(`Warming up, ${WARM_UP_SECONDS} s …`)
await both(WARM_UP_SECONDS)
await report(`without a responder, ${SECONDS} s`)
await register({ url: `http://127.0.0.1:${endpoint_port}/`, default_action: 'DECLINE' })
await both(WARM_UP_SECONDS)
await report(`a responder that takes ${DELAY_MS} ms, ${SECONDS} s (wanted: p99 ≤ 80 ms)`)

await port.close()
await engine.drain()
endpoint.disconnect()
await platform.close()

async function tenantWithCards(bin: string) {
  const { tenant_id, card_ids } = await dealCards(platform.ctx(), CARDS, { bin })
  return { tenant_id, pans: await numbersOf({ ...platform.ctx(), tenant_id }, card_ids) }
}

function register(responder: { url: string; default_action: 'DECLINE' }) {
  const { tenant_id } = asked
  return changeSettings({ ...platform.ctx(), tenant_id }, tenant_id, { responder })
}

async function report(name: string): Promise<void> {
  const [[mine, theirs], cpu] = await meter.measure(() => both(SECONDS))
  // The loads and the responder are children: their CPU time is not the platform's.
  const cost = perUnit(cpu && { ...cpu, children: 0 }, mine.answered + theirs.answered)
  print(`\n${name}`)
  print(`  ${RATE} a second: ${times(mine)}; ${mine.answered} answered, ${mine.declined} not 00`)
  print(`  another tenant, ${OTHER_RATE} a second: ${times(theirs)}; ${theirs.declined} not 00`)
  print(`  CPU time a decision, PostgreSQL + others: ${cost}`)
}

function both(seconds: number): Promise<[Measured, Measured]> {
  return Promise.all([drive(asked.pans, RATE, seconds), drive(other.pans, OTHER_RATE, seconds)])
}

function drive(pans: string[], open: number, seconds: number): Promise<Measured> {
  const child = fork(new URL('./network_load.ts', import.meta.url))
  const result = new Promise<Measured>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Measured))
    child.once('exit', (code) => reject(new Error(`the load ended with ${code}`)))
  })
  const load: Load = { port: number, pans, seconds, open }
  child.send(load)
  return result
}

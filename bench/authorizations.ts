/** Authorizations a second compared with pgbench, in one run on one server. */

import { fork } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { createTenantFinder, Engine } from '#issuing/authorization/authorization.ts'
import { createNetworkPort } from '#issuing/authorization/port/port.ts'
import type { AuthorizationRequest } from '#issuing/authorization/schema.ts'
import { createLog } from '#kit/log.ts'
import type { Load, Measured } from './network_load.ts'
import { CURRENCY, dealCards, numbersOf } from './support/cards.ts'
import { openPlatform } from './support/platform.ts'
import { drive, hotRow, makeTpcbTables, tpcb } from './support/tpcb.ts'

const CARDS = Number(process.env['BENCH_CARDS'] ?? 100_000)
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 10)
const CONNECTIONS = 64
const IN_FLIGHT = 256
const OPEN_RATE = 1_000
const ENGINE_CONNECTIONS = 16

let stan = 0
const print = (line: string) => console.log(line)

print(`Creating ${CARDS.toLocaleString('en')} cards …`)
const platform = await openPlatform(ENGINE_CONNECTIONS)
const deck = await dealCards(platform.ctx(), CARDS)
print('Reading their numbers …')
const pans = await numbersOf({ ...platform.ctx(), tenant_id: deck.tenant_id }, deck.card_ids)
await makeTpcbTables(platform.url)

// Ordinary load is measured before the runs at the server's limit, whose cleanup would disturb it.
print(`(e) the port, ${OPEN_RATE} a second without waiting for answers, ${SECONDS} s …`)
const e = await driveNetwork({ open: OPEN_RATE })
print(`(a) TPC-B, ${CONNECTIONS} connections, ${SECONDS} s …`)
const a = await drive(platform.url, tpcb, CONNECTIONS, SECONDS)
print(`(b) the engine, ${IN_FLIGHT} in flight, ${SECONDS} s …`)
const b = await driveEngine(() => deck.card_ids[randomInt(CARDS)] ?? '')
print(`(c) the ISO 8583 port, ${IN_FLIGHT} in flight, ${SECONDS} s …`)
const c = await driveNetwork({ closed: IN_FLIGHT })
print(`(d) one row, ${CONNECTIONS} connections, ${SECONDS} s …`)
const row = await drive(platform.url, hotRow, CONNECTIONS, SECONDS)
print(`(d) the engine on one account, ${IN_FLIGHT} in flight, ${SECONDS} s …`)
const d = await driveEngine(() => deck.card_ids[0] ?? '')
await platform.close()

const rate = (per_second: number) => Math.round(per_second).toLocaleString('en').padStart(8)
const times = (share: number, of: string) => `${share.toFixed(1)} × ${of}`.padEnd(12)
const overPort = times(c.per_second / a.per_second, '(a)')
const ms = (milliseconds: number) => `${milliseconds.toFixed(1)} ms`
print(`
                                  a second   against      target
(a) TPC-B, ${a.client.padEnd(20)}   ${rate(a.per_second)}
(b) engine                        ${rate(b)}   ${times(b / a.per_second, '(a)')} 5 ×
(c) over ISO 8583                 ${rate(c.per_second)}   ${overPort} 3 ×
(d) one row, one commit each      ${rate(row.per_second)}
(d) engine on one account         ${rate(d)}   ${times(d / row.per_second, 'row')} 20 ×
(e) port at ${OPEN_RATE} a second: p50 ${ms(e.p50)}, p99 ${ms(e.p99)}; target p99 ≤ 15 ms
answers over the port that were not 00: ${c.declined + e.declined}`)

async function driveEngine(card: () => string): Promise<number> {
  const engine = new Engine(platform.services)
  const end = performance.now() + SECONDS * 1000
  let done = 0
  const worker = async () => {
    while (performance.now() < end) {
      const answer = await engine.submit(deck.tenant_id, { request: purchase(card()) })
      if (!answer.approved) throw new Error(`declined: ${answer.status_code}`)
      done += 1
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker))
  await engine.drain()
  return done / SECONDS
}

async function driveNetwork(way: Pick<Load, 'closed' | 'open'>): Promise<Measured> {
  const engine = new Engine(platform.services)
  const port = createNetworkPort({
    host: '127.0.0.1',
    port: 0,
    dialect: 'ascii',
    header: 'binary2',
    engine: {
      submit: (tenant_id, job) => engine.submit(tenant_id, job),
      tenantOfPan: createTenantFinder(platform.services),
    },
    log: createLog('silent'),
  })
  const { port: number } = await port.listen()
  const child = fork(new URL('./network_load.ts', import.meta.url))
  const measured = new Promise<Measured>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Measured))
    child.once('exit', (code) => reject(new Error(`the load ended with ${code}`)))
  })
  const load: Load = { port: number, pans, seconds: SECONDS, ...way }
  child.send(load)
  const result = await measured
  await port.close()
  await engine.drain()
  return result
}

function purchase(card_id: string): AuthorizationRequest {
  stan += 1
  const rrn = String(stan).padStart(12, '0')
  return {
    message_type: '0100',
    processing_code: '000000',
    card: { card_id },
    amount: 100n,
    currency: CURRENCY,
    merchant: { id: 'SHOP', name: 'Shop', mcc: '5411', city: 'Dubai', country: 'ARE' },
    pos: { entry_mode: 'ECOMMERCE', environment: 'ECOMMERCE', terminal_id: 'TERM0001' },
    entry_mode: 'ECOMMERCE',
    three_ds: 'NONE',
    recurring: false,
    partial_capable: false,
    is_verification: false,
    rrn,
    stan: rrn.slice(6),
    original: { rrn },
  }
}

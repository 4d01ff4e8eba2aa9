/** Authorizations a second against PostgreSQL's own yardstick, in one run on one server. */

import { randomInt } from 'node:crypto'
import { Engine } from '#issuing/authorization/authorization.ts'
import type { AuthorizationRequest } from '#issuing/authorization/schema.ts'
import { CURRENCY, type Deck, dealCards } from './support/cards.ts'
import { openPlatform } from './support/platform.ts'
import { drive, hotRow, makeTpcbTables, tpcb } from './support/tpcb.ts'

const CARDS = Number(process.env['BENCH_CARDS'] ?? 100_000)
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 10)
const CONNECTIONS = 64
const IN_FLIGHT = 256

let stan = 0

const say = (line: string) => console.log(line)

say(`Dealing ${CARDS.toLocaleString('en')} cards …`)
const platform = await openPlatform(16)
const deck = await dealCards(platform.ctx(), CARDS)
await makeTpcbTables(platform.url)

say(`TPC-B with ${CONNECTIONS} connections, ${SECONDS} s …`)
const a = await drive(platform.url, tpcb, CONNECTIONS, SECONDS)
say(`Engine with ${IN_FLIGHT} in flight, ${SECONDS} s …`)
const b = await driveEngine(deck, () => deck.card_ids[randomInt(deck.card_ids.length)] ?? '')
say(`One row, ${CONNECTIONS} connections, ${SECONDS} s …`)
const row = await drive(platform.url, hotRow, CONNECTIONS, SECONDS)
say(`Engine on one account, ${SECONDS} s …`)
const d = await driveEngine(deck, () => deck.card_ids[0] ?? '')
console.table({
  a: a.per_second,
  b,
  b_a: b / a.per_second,
  row: row.per_second,
  d,
  d_row: d / row.per_second,
})
await platform.close()

async function driveEngine({ tenant_id }: Deck, card: () => string): Promise<number> {
  const engine = new Engine(platform.services)
  const end = performance.now() + SECONDS * 1000
  let done = 0
  const worker = async () => {
    while (performance.now() < end) {
      const answer = await engine.submit(tenant_id, { request: purchase(card()) })
      if (!answer.approved) throw new Error(`refused: ${answer.status_code}`)
      done += 1
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker))
  await engine.drain()
  return done / SECONDS
}

function purchase(card_id: string): AuthorizationRequest {
  stan += 1
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
    rrn: String(stan).padStart(12, '0'),
    stan: String(stan % 1_000_000).padStart(6, '0'),
  }
}

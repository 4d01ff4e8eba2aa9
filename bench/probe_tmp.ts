import { randomInt } from 'node:crypto'
import pg from 'pg'
import { Engine } from '#issuing/authorization/authorization.ts'
import { CURRENCY, dealCards } from './support/cards.ts'
import { openPlatform } from './support/platform.ts'
import { openCpuMeter } from './support/cpu.ts'

const CARDS = Number(process.env['BENCH_CARDS'] ?? 5000)
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 4)
const MODE = process.env['MODE'] ?? 'keys'
const platform = await openPlatform(16)
const deck = await dealCards(platform.ctx(), CARDS)
await (async () => { const c = new pg.Client({ connectionString: platform.url }); await c.connect(); await c.query('create extension if not exists pg_stat_statements').catch(() => {}); await c.end() })()
const client = new pg.Client({ connectionString: platform.url })
await client.connect()
if (process.env['SLOW']) { await client.query(`alter system set log_min_duration_statement = ${process.env['SLOW']}`); await client.query('select pg_reload_conf()') }
const { rows } = await client.query('show data_directory')
console.log(rows[0].data_directory)
const meter = await openCpuMeter(platform.url)
const engine = new Engine(platform.services)
let stan = 0
async function drive(card: () => string, seconds: number) {
  const end = performance.now() + seconds * 1000
  let done = 0
  const worker = async () => {
    while (performance.now() < end) {
      stan += 1
      const rrn = String(stan).padStart(12, '0')
      const answer = await engine.submit(deck.tenant_id, { request: {
        message_type: '0100', processing_code: '000000', card: { card_id: card() }, amount: 100n, currency: CURRENCY,
        merchant: { id: 'SHOP', name: 'Shop', mcc: '5411', city: 'Dubai', country: 'ARE' },
        pos: { entry_mode: 'ECOMMERCE', environment: 'ECOMMERCE', terminal_id: 'TERM0001' },
        entry_mode: 'ECOMMERCE', three_ds: 'NONE', recurring: false, partial_capable: false, is_verification: false,
        rrn, stan: rrn.slice(6), original: { rrn },
        ...(MODE === 'keys' && { duplicate_key: `0100|${rrn.slice(6)}|0612100000|400123|${rrn}` }),
      } })
      if (!answer.approved) throw new Error(answer.status_code)
      done += 1
    }
  }
  const [, cpu] = await meter.measure(() => Promise.all(Array.from({ length: 256 }, worker)))
  console.log(`${Math.round(done / seconds)} a second, PG ${((cpu?.postgres ?? 0) / done).toFixed(1)} + Node ${((cpu?.own ?? 0) / done).toFixed(1)} µs`)
}
for (let i = 0; i < 3; i++) await drive(MODE === 'one' ? () => deck.card_ids[0] ?? '' : () => deck.card_ids[randomInt(CARDS)] ?? '', SECONDS)
await engine.drain()
if (process.env['EXPLAIN']) await import(process.env['EXPLAIN']).then((m) => m.default(client, deck))
await client.end()
await platform.close()

/**
 * Storage and CPU time for each user, card, payment and delivery: bytes of tables and indexes,
 * bytes of the log, and CPU time. `npm run bench -- capacity`; docs/capacity.md computes with it.
 */

import { Engine } from '#issuing/authorization/authorization.ts'
import { createUser } from '#issuing/users/users.ts'
import { onServer } from '#test/support/processes/server.ts'
import { dealCards } from './support/cards.ts'
import { type Cpu, openCpuMeter, perUnit } from './support/cpu.ts'
import { purchase } from './support/engine_load.ts'
import { openPlatform } from './support/platform.ts'
import { openStage } from './support/webhook_stage.ts'

const COUNT = Number(process.env['BENCH_COUNT'] ?? 20_000)
const CONNECTIONS = 16
const IN_FLIGHT = 256
/** Transactions before the measured ones, so that one-time preparations do not count. */
const WARM_UP = 2_000
const OBJECTS = 1_000

/** Size of all tables of the program with their indexes, and the place in the log. */
const SIZE = `
  select sum(greatest(c.reltuples, 0))::float8 as rows,
    sum(pg_total_relation_size(c.oid))::float8 as bytes,
    pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as log
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`

const print = (line: string) => console.log(line)
const rounded = (bytes: number) => Math.round(bytes).toLocaleString('en')

print(`${COUNT.toLocaleString('en')} of each\n`)
const heads = ['rows'.padStart(6), 'bytes'.padStart(9), 'log'.padStart(9)].join('')
print(`${''.padEnd(42)}${heads}   PostgreSQL + Node`)
await ofPeople()
await ofDeliveries()

async function ofPeople(): Promise<void> {
  const platform = await openPlatform(CONNECTIONS)
  const measure = await openMeasure(platform.url, platform.vacuum)
  const deck = await dealCards(platform.ctx(), WARM_UP)
  const ctx = platform.ctx(deck.tenant_id)
  const person = (at: number) =>
    createUser(ctx, {
      ...{ user_type: 'INDIVIDUAL', first_name: 'Layla', last_name: `Haddad ${at}` },
      ...{ email: `layla.${at}@example.com`, mobile: `+97150${String(at).padStart(7, '0')}` },
    })
  // Each has a connection: on a busy machine, more would wait for one in vain.
  await together(100, person, CONNECTIONS)
  await measure('a user, with names for the search', () => together(COUNT, person, CONNECTIONS))
  let [cards, tenant_id]: [string[], string] = [[], '']
  await measure('a card with account, number and load', async () => {
    const dealt = await dealCards(platform.ctx(), COUNT, { bin: '400001' })
    cards = dealt.card_ids
    tenant_id = dealt.tenant_id
  })
  const engine = new Engine(platform.services)
  const approved: string[] = []
  const pay = async (at: number) => {
    const request = purchase(cards[at % cards.length] ?? '')
    const { transaction_id } = await engine.submit(tenant_id, { request })
    approved.push(transaction_id)
  }
  await together(WARM_UP, pay)
  approved.length = 0
  await measure('an authorization, approved', () => together(COUNT, pay))
  await measure('its clearing', () =>
    together(COUNT, async (at) => {
      const original = { transaction_id: approved[at] ?? '' }
      const request = { ...purchase(cards[at % cards.length] ?? ''), original }
      await engine.submit(tenant_id, { request: { ...request, message_type: '0220' } })
    }),
  )
  await engine.drain()
  await platform.close()
}

async function ofDeliveries(): Promise<void> {
  const stage = await openStage()
  const measure = await openMeasure(stage.url, stage.vacuum)
  stage.start()
  const to = await stage.tenant(1)
  await measure('a delivery of a webhook, at once', async () => {
    const before = stage.arrived()
    await stage.fill(to, COUNT, OBJECTS)
    while (stage.arrived() < before + COUNT || (await stage.isOpen(to))) {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })
  await stage.close()
}

/** Runs `work` with 0, 1, …, so many at a time. */
async function together(
  count: number,
  work: (at: number) => Promise<unknown>,
  at_a_time = IN_FLIGHT,
): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) {
      const at = next
      next += 1
      await work(at)
    }
  }
  await Promise.all(Array.from({ length: at_a_time }, worker))
}

type Size = { rows: number; bytes: number; log: number }

/** `vacuum` gives the counts of rows; space that it frees inside a table is not given back. */
async function openMeasure(url: string, vacuum: () => Promise<void>) {
  const meter = await openCpuMeter(url)
  const size = async () => {
    await vacuum()
    return onServer(url, async (client) => {
      const { rows } = await client.query<Size>(SIZE)
      return rows[0] ?? { rows: 0, bytes: 0, log: 0 }
    })
  }
  return async (name: string, work: () => Promise<void>): Promise<void> => {
    const before = await size()
    const [log, cpu] = await meter.measure(async () => {
      await work()
      return onServer(url, async (client) => (await client.query<Size>(SIZE)).rows[0]?.log ?? 0)
    })
    const after = await size()
    printRow(name, { ...differenceOf(before, after), log: log - before.log }, cpu)
  }
}

function differenceOf(before: Size, after: Size): Size {
  return {
    rows: after.rows - before.rows,
    bytes: after.bytes - before.bytes,
    log: after.log - before.log,
  }
}

function printRow(name: string, { rows, bytes, log }: Size, cpu: Cpu | undefined): void {
  const figures = [
    (rows / COUNT).toFixed(1).padStart(6),
    rounded(bytes / COUNT).padStart(9),
    rounded(log / COUNT).padStart(9),
  ]
  print(`${name.padEnd(42)}${figures.join('')}   ${perUnit(cpu, COUNT).padStart(17)}`)
}

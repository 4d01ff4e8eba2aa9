/**
 * The cost of row security: decisions of the engine with the program's role, and with the owner's
 * connections, to which no policy applies, in turns; the statement that states the tenant; and a
 * row that a scan passes.
 */

import pg from 'pg'
import { openDatabase } from '#kit/db/database.ts'
import { asRole, USUAL_ROLE } from '#kit/db/security/program_role.ts'
import { securing } from '#kit/db/security/row_security.ts'
import { beginning, TENANT_SETTING } from '#kit/db/security/tenants_seen.ts'
import type { Services } from '#kit/http/callers/callers.ts'
import { dealCards } from './support/cards.ts'
import { openCpuMeter, totalOf } from './support/cpu.ts'
import { costOfDecisions, type DecisionCost, purchase } from './support/engine_load.ts'
import { openPlatform } from './support/platform.ts'
import { type Figures, inTurns, moreThan, printFigures } from './support/variants.ts'

const CARDS = Number(process.env['BENCH_CARDS'] ?? 20_000)
/** Rounds of each variant; the one that takes the least CPU time counts. */
const ROUNDS = Number(process.env['BENCH_RUNS'] ?? 8)
const IN_FLIGHT = 256
const ENGINE_CONNECTIONS = 16
const TRANSACTIONS = 20_000
const TARGET_PERCENT = 3
const SCANNED_ROWS = 200_000
const SCANS = 10
const ONE_PROCESS = '-c max_parallel_workers_per_gather=0'

type Variant = 'with row security' | 'without'
const print = (line: string) => console.log(line)

print(`Creating ${CARDS.toLocaleString('en')} cards …`)
const platform = await openPlatform(ENGINE_CONNECTIONS)
const meter = await openCpuMeter(platform.url)
const { tenant_id, card_ids } = await dealCards(platform.ctx(), CARDS)
await platform.vacuum()
const owner = openDatabase(platform.url, ENGINE_CONNECTIONS)
const services: Record<Variant, Services> = {
  'with row security': platform.services,
  without: { ...platform.services, db: owner.batches },
}
const variants: readonly Variant[] = ['with row security', 'without']

// Measured before there is anything to clean up, which would be counted. The first compiles code.
await costOf('begin')
const stating = (await costOf(beginning(tenant_id))) - (await costOf('begin'))
const [scanned, scannedByOwner] = await costsOfRow()
report(await inTurns(variants, ROUNDS, measure))
await owner.close()
await platform.close()

function measure(variant: Variant): Promise<DecisionCost> {
  let at = 0
  return costOfDecisions(meter, services[variant], {
    request: () => purchase(card_ids[at++ % CARDS] ?? ''),
    ...{ tenant_id, in_flight: IN_FLIGHT, decisions: CARDS - IN_FLIGHT },
  })
}

/** Microseconds of PostgreSQL and of this process for a transaction that begins so. */
async function costOf(begin: string): Promise<number> {
  const client = new pg.Client({ connectionString: platform.url })
  await client.connect()
  const [, cpu] = await meter.measure(async () => {
    for (let at = 0; at < TRANSACTIONS; at++) {
      await client.query(begin)
      await client.query('commit')
    }
  })
  await client.end()
  return cpu ? totalOf(cpu) / TRANSACTIONS : 0
}

/** Microseconds of PostgreSQL for a row that a scan passes: with the program's role, and without. */
async function costsOfRow(): Promise<[number, number]> {
  const open = async (options: string) => {
    const client = new pg.Client({ connectionString: platform.url, options })
    await client.connect()
    return client
  }
  const own = await open(ONE_PROCESS)
  const program = await open(`${asRole(USUAL_ROLE)} ${ONE_PROCESS}`)
  for (const text of [
    'create table scanned (tenant_id uuid)',
    `insert into scanned select '${tenant_id}' from generate_series(1, ${SCANNED_ROWS})`,
    ...securing('scanned', true),
    `grant select on scanned to ${USUAL_ROLE}`,
    'vacuum analyze scanned',
  ])
    await own.query(text)
  await program.query(`set ${TENANT_SETTING} = '${tenant_id}'`)
  const scan = async (client: pg.Client): Promise<number> => {
    const [, cpu] = await meter.measure(async () => {
      for (let at = 0; at < SCANS; at++) await client.query('select count(*) from scanned')
    })
    return cpu ? cpu.postgres / SCANS / SCANNED_ROWS : 0
  }
  const costs: [number, number] = [await scan(program), await scan(own)]
  await own.query('drop table scanned')
  await Promise.all([own.end(), program.end()])
  return costs
}

function report(figures: ReadonlyMap<Variant, Figures>): void {
  const [on, off] = [figures.get('with row security'), figures.get('without')]
  printFigures(figures)
  if (on && off) {
    const more = moreThan(on, off).toFixed(1)
    print(`row security takes ${more} % more CPU time (wanted: below ${TARGET_PERCENT} %)`)
  }
  print(
    `stating the tenant takes ${stating.toFixed(1)} µs a transaction, ` +
      'once a batch of decisions, once a request that writes',
  )
  const ofRow = (scanned - scannedByOwner) * 1_000
  print(`row security takes ${ofRow.toFixed()} ns for each row that a scan passes`)
}

/**
 * What row security costs: decisions of the engine with the program's role, and with the owner's
 * connections, to which no policy applies, in turns; and the statement that states the tenant.
 */

import pg from 'pg'
import { openDatabase } from '#kit/db/database.ts'
import { beginning } from '#kit/db/security/tenants_seen.ts'
import type { Services } from '#kit/http/callers/callers.ts'
import { dealCards } from './support/cards.ts'
import { type Cpu, openCpuMeter, perUnit, totalOf } from './support/cpu.ts'
import { costOfDecisions, type DecisionCost, purchase } from './support/engine_load.ts'
import { openPlatform } from './support/platform.ts'

const CARDS = Number(process.env['BENCH_CARDS'] ?? 20_000)
/** Of each variant; the one that takes the least CPU time counts. */
const ROUNDS = Number(process.env['BENCH_RUNS'] ?? 8)
const IN_FLIGHT = 256
const ENGINE_CONNECTIONS = 16
const TRANSACTIONS = 20_000
const TARGET_PERCENT = 3

type Variant = 'with row security' | 'without'
type Figures = DecisionCost & { cpu: Cpu }

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
const figures = new Map<Variant, Figures[]>(variants.map((variant) => [variant, []]))

// Before there is anything to clean up, which would be counted. The first compiles code.
await costOf('begin')
const stating = (await costOf(beginning(tenant_id))) - (await costOf('begin'))
for (const variant of variants) await measure(variant)
for (let round = 0; round < ROUNDS; round++) {
  print(`Round ${round + 1} of ${ROUNDS} …`)
  // Each variant begins every other round: the tables grow.
  for (const variant of round % 2 === 0 ? variants : variants.toReversed()) {
    const measured = await measure(variant)
    const { cpu } = measured
    if (cpu) figures.get(variant)?.push({ ...measured, cpu })
  }
}
await report()
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

async function report(): Promise<void> {
  const best = (variant: Variant) =>
    figures.get(variant)?.toSorted((one, other) => totalOf(one.cpu) - totalOf(other.cpu))[0]
  const [on, off] = [best('with row security'), best('without')]
  if (!on || !off) return print('CPU time cannot be measured here')
  print('\n                          a second   CPU PostgreSQL + Node a decision')
  const rows: [Variant, Figures][] = [
    ['with row security', on],
    ['without', off],
  ]
  for (const [name, { cpu, per_second }] of rows) {
    const rate = Math.round(per_second).toLocaleString('en').padStart(10)
    print(`${name.padEnd(24)}${rate}   ${perUnit(cpu, 1)}`)
  }
  const more = (totalOf(on.cpu) / totalOf(off.cpu) - 1) * 100
  print(`row security takes ${more.toFixed(1)} % more CPU time (wanted: below ${TARGET_PERCENT} %)`)
  print(
    `stating the tenant takes ${stating.toFixed(1)} µs a transaction, ` +
      'once a batch of decisions, once a request that writes',
  )
}

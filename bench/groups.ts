/**
 * The cost of `begin` and `commit` around each group of statements, as Citus needs them: decisions
 * of the engine with both kinds of groups on PostgreSQL, in turns.
 */

import { openDatabase } from '#kit/db/database.ts'
import { USUAL_ROLE } from '#kit/db/security/program_role.ts'
import type { Services } from '#kit/http/callers/callers.ts'
import { dealCards } from './support/cards.ts'
import { openCpuMeter } from './support/cpu.ts'
import { costOfDecisions, purchase } from './support/engine_load.ts'
import { openPlatform } from './support/platform.ts'
import { inTurns, moreThan, printFigures } from './support/variants.ts'

const CARDS = Number(process.env['BENCH_CARDS'] ?? 20_000)
/** Rounds of each kind; the one that takes the least CPU time counts. */
const ROUNDS = Number(process.env['BENCH_RUNS'] ?? 8)
/** Full batches, and batches of a few. */
const LOADS = [
  { in_flight: 256, decisions: CARDS - 256 },
  { in_flight: 4, decisions: CARDS / 10 },
]
const ENGINE_CONNECTIONS = 16
/**
 * If explicit groups cost less than this, all servers get them; else PostgreSQL keeps its own kind.
 */
const TARGET_PERCENT = 3

type Kind = 'the server commits' | 'begin and commit'

console.log(`Creating ${CARDS.toLocaleString('en')} cards …`)
const platform = await openPlatform(ENGINE_CONNECTIONS)
const meter = await openCpuMeter(platform.url)
const { tenant_id, card_ids } = await dealCards(platform.ctx(), CARDS)
await platform.vacuum()
const open = (explicit: boolean) =>
  openDatabase(platform.url, ENGINE_CONNECTIONS, { role: USUAL_ROLE, explicit })
const opened = { 'the server commits': open(false), 'begin and commit': open(true) }
const services = (kind: Kind): Services => ({ ...platform.services, db: opened[kind].batches })

for (const { in_flight, decisions } of LOADS) {
  console.log(`\n${in_flight} in flight`)
  const figures = await inTurns<Kind>(['the server commits', 'begin and commit'], ROUNDS, (kind) =>
    costOf(kind, in_flight, decisions),
  )
  printFigures(figures)
  const [own, explicit] = [figures.get('the server commits'), figures.get('begin and commit')]
  if (!own || !explicit) continue
  const more = moreThan(explicit, own).toFixed(1)
  console.log(`begin and commit take ${more} % more CPU time (limit: ${TARGET_PERCENT} %)`)
}
for (const { close } of Object.values(opened)) await close()
await platform.close()

function costOf(kind: Kind, in_flight: number, decisions: number) {
  let at = 0
  return costOfDecisions(meter, services(kind), {
    request: () => purchase(card_ids[at++ % CARDS] ?? ''),
    ...{ tenant_id, in_flight, decisions },
  })
}

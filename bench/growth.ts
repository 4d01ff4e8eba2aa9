/**
 * A platform that has grown beside one that has not: decisions a second, list pages, and the effect
 * of dropping an old partition. `npm run bench -- growth`, or `-- growth small` with a tenth.
 */

import { randomInt } from 'node:crypto'
import { listTransactions } from '#issuing/transactions/transactions.ts'
import { monthOf, startOf } from '#kit/db/partitions/partition_months.ts'
import { dropLeaves } from '#kit/db/partitions/partitions.ts'
import { addDays } from '#lib/time.ts'
import { partitioned } from '#src/program/partitioned.ts'
import { type Deck, dealCards } from './support/cards.ts'
import { type Cpu, openCpuMeter, perUnit } from './support/cpu.ts'
import { type Decided, driveEngine, purchase } from './support/engine_load.ts'
import { fillTransactions } from './support/filler.ts'
import { openPlatform, type Platform } from './support/platform.ts'

const SHARE = process.argv[3] === 'small' ? 0.1 : 1
const FEW_CARDS = 100_000 * SHARE
const MANY_CARDS = 1_000_000 * SHARE
const STORED = 10_000_000 * SHARE
const MONTHS = 12
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 10)
/** The platforms take turns, so that both meet the same machine. */
const ROUNDS = 3
const IN_FLIGHT = 256
/** Requests in flight while a partition is dropped: below the limit, so that a delay is seen. */
const AT_EASE = 16
const CONNECTIONS = 16
const PAGE = 50
const PAGES = 300
const WARM_UP = 50
const RATE_LEAST = 0.8
const PAGE_MOST = 1.3
const DELAY_MOST_MS = 50

type Grown = Platform & { deck: Deck; meter: Awaited<ReturnType<typeof openCpuMeter>> }

const print = (line: string) => console.log(line)
const number = (value: number) => Math.round(value).toLocaleString('en')
const transactions = partitioned.filter(({ table }) => table === 'transactions')
const now = new Date()
const since = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS, 2))

const firstCard = ({ deck }: Grown) => deck.card_ids[0] ?? ''
const anyCard = ({ deck }: Grown) => deck.card_ids[randomInt(deck.card_ids.length)] ?? ''

const decide = (on: Grown, in_flight: number, seconds = SECONDS): Promise<Decided> =>
  driveEngine(on.services, {
    ...{ tenant_id: on.deck.tenant_id, request: () => purchase(anyCard(on)), in_flight, seconds },
  })

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0

const few = await grow('(a)', FEW_CARDS, 0)
const many = await grow('(b)', MANY_CARDS, STORED)
await compareRates()
await comparePages()
await dropOldest()
await few.close()
await many.close()

async function grow(name: string, cards: number, stored: number): Promise<Grown> {
  print(`${name} creating ${number(cards)} cards …`)
  const platform = await openPlatform(CONNECTIONS, stored > 0 ? since : undefined)
  const deck = await dealCards(platform.ctx(), cards)
  const grown = { ...platform, deck, meter: await openCpuMeter(platform.url) }
  // A card with pages of its own, and the transaction that the stored ones are like.
  await driveEngine(platform.services, {
    ...{ tenant_id: deck.tenant_id, request: () => purchase(firstCard(grown)), in_flight: 1 },
    ...{ seconds: 60, decisions: 2 * PAGE },
  })
  if (stored > 0) {
    print(`${name} storing ${number(stored)} transactions of ${MONTHS} months …`)
    const filling = { tenant_id: deck.tenant_id, count: stored, from: since, to: now }
    await fillTransactions(platform, filling, (done) => {
      if (done % (stored / 10) === 0) print(`  ${number(done)}`)
    })
  }
  print(`${name} vacuum and statistics …`)
  await platform.vacuum()
  return grown
}

/** Prints whether a figure is within its target. */
function verdict(name: string, value: number, target: string, isGood: boolean): void {
  print(
    `${name.padEnd(52)} ${value.toFixed(2).padStart(8)}   ${target}${isGood ? '' : '   MISSED'}`,
  )
}

async function compareRates(): Promise<void> {
  const sums = new Map<Grown, { rates: number[]; cpu: Cpu; count: number }>()
  for (const on of [few, many]) {
    sums.set(on, { rates: [], cpu: { postgres: 0, own: 0, children: 0 }, count: 0 })
    await decide(on, IN_FLIGHT, 2)
  }
  print(`\n${ROUNDS} rounds of ${SECONDS} s each, ${IN_FLIGHT} in flight`)
  for (let round = 1; round <= ROUNDS; round++) {
    for (const [on, sum] of sums) {
      const [decided, cpu] = await on.meter.measure(() => decide(on, IN_FLIGHT))
      sum.rates.push(decided.per_second)
      sum.count += decided.count
      for (const part of ['postgres', 'own', 'children'] as const) sum.cpu[part] += cpu?.[part] ?? 0
    }
  }
  for (const [on, { rates, cpu, count }] of sums) {
    const name = on === few ? '(a) few cards, nothing stored' : '(b) many cards, many stored'
    print(
      `${name.padEnd(32)} ${number(Math.max(...rates)).padStart(8)} a second at best, ` +
        `${rates.map(number).join(' ')}; ${perUnit(cpu, count)}`,
    )
  }
  const total = (on: Grown) => (sums.get(on)?.rates ?? []).reduce((sum, rate) => sum + rate, 0)
  const ratio = total(many) / total(few)
  verdict('(b) against (a)', ratio, `≥ ${RATE_LEAST} ×`, ratio >= RATE_LEAST)
}

async function comparePages(): Promise<void> {
  // The rows of the rounds are not in the statistics yet.
  for (const { vacuum } of [few, many]) await vacuum()
  for (const [name, query] of [
    ['a card', (on: Grown) => ({ card_id: firstCard(on), limit: PAGE })],
    ['the tenant', () => ({ limit: PAGE })],
  ] as const) {
    const times = new Map<Grown, number[]>([
      [few, []],
      [many, []],
    ])
    for (let page = 0; page < WARM_UP + PAGES; page++) {
      for (const [on, of] of times) {
        const begun = performance.now()
        const { data } = await listTransactions(on.ctx(on.deck.tenant_id), query(on))
        if (data.length !== PAGE) throw new Error(`a page has ${data.length} transactions`)
        if (page >= WARM_UP) of.push(performance.now() - begun)
      }
    }
    const [small = 0, large = 0] = [...times.values()].map(median)
    print(`a page of ${name}: (a) ${small.toFixed(2)} ms, (b) ${large.toFixed(2)} ms`)
    const ratio = large / small
    verdict(`a page of ${name}, (b) against (a)`, ratio, `≤ ${PAGE_MOST} ×`, ratio <= PAGE_MOST)
  }
}

/** The oldest month of (b), while decisions go on. */
async function dropOldest(): Promise<void> {
  const alone = await decide(many, AT_EASE)
  const deciding = decide(many, AT_EASE)
  const begun = performance.now()
  const dropped = await dropFirstMonth(many)
  const took = performance.now() - begun
  const beside = await deciding
  print(`dropping ${dropped.join()} took ${took.toFixed(0)} ms, ${AT_EASE} decisions in flight`)
  const gaps = ({ longest_gap, longest }: Decided) =>
    `longest silence ${longest_gap.toFixed(1)} ms, longest decision ${longest.toFixed(1)} ms`
  print(`  without: ${gaps(alone)}`)
  print(`  with:    ${gaps(beside)}`)
  const delay = Math.max(0, beside.longest - alone.longest)
  verdict('delay of a decision, ms', delay, `≤ ${DELAY_MOST_MS} ms`, delay <= DELAY_MOST_MS)
}

async function dropFirstMonth(on: Grown): Promise<string[]> {
  const dropped: string[] = []
  for (const table of transactions) {
    const days = 1
    const past = addDays(startOf(table, monthOf(table, since) + 1), days)
    dropped.push(...(await dropLeaves(on.owner, table, days, past)))
  }
  return dropped
}

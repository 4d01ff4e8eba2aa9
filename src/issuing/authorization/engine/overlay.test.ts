/**
 * Batches follow each other, each decided on rows that were read while those before it were being
 * committed: their answers are those of batches that wait for each other. The rows may be of
 * several moments, accounts first (gathering/gather.ts).
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HolderCounters, type LimitTerms, velocityRules } from '#issuing/limits/rules.ts'
import { type Chance, chances, SEED } from '#test/support/chances.ts'
import { about, Desk, purchase, type TestMessage } from '#test/support/desk.ts'
import type { Gathered } from '../decide/state/gathered.ts'
import { WorkingSet } from '../decide/state/working_set.ts'
import { overlaid } from './overlay.ts'

const RUNS = process.env['TEST_DEEP'] ? 2_000 : 12
/** Batches before one that may not be committed when it is decided. */
const AHEAD = 2

const limit = (at: number, fields: Partial<LimitTerms>): LimitTerms => ({
  id: `limit${at}`,
  short_id: BigInt(at),
  kind: 'VELOCITY',
  type: 'CUMULATIVE',
  currency: 'AED',
  min_amount: null,
  max_amount: null,
  frequency: null,
  period: 'LIFETIME',
  transaction_scope: ['ALL'],
  mode: 'ENFORCED',
  version: 1n,
  ...fields,
})

/** One user's cards, one of them on a second account; the second card has no limits. */
function openDesk(cards: number): Desk {
  const desk = new Desk()
  const accounts = [desk.addAccount(20_000n), desk.addAccount(20_000n)] as const
  const sum = limit(1, { type: 'PER_USER', kind: 'BALANCE', min_amount: 5_000n })
  const ofCards = Array.from({ length: cards }, (_, at) => accounts[at === cards - 1 ? 1 : 0])
  for (const [at, { id: account_id } = accounts[0]] of ofCards.entries()) {
    const { card_id } = desk.addCard(account_id)
    const terms = {
      chain: at === 1 ? [] : [limit(2, { max_amount: 4_000n })],
      account: at === 1 ? [] : [limit(3, { frequency: 4, transaction_scope: ['WITHDRAWALS'] })],
      user: at === 1 ? [] : [limit(4, { max_amount: 7_000n, period: 'DAILY' })],
    }
    const holder = { account_id, user_id: 'user', chain_id: card_id, currency: 'AED' }
    const balance = at === 1 ? [] : [sum]
    desk.limits.set(card_id, { velocity: velocityRules(terms, holder), balance })
  }
  return desk
}

const WITHDRAWAL = { processing_code: '010000', entry_mode: 'CHIP' } as const
const DEPOSIT = { processing_code: '210000', entry_mode: 'CHIP' } as const

function firstOf(card: { card_id: string }, amount: bigint, chance: Chance): TestMessage {
  const of = chance()
  if (of < 0.2) return purchase(card, amount, DEPOSIT)
  if (of < 0.4) return purchase(card, amount, WITHDRAWAL)
  if (of < 0.5) return purchase(card, amount, { message_type: '0220' })
  if (of < 0.6)
    return purchase(card, amount, { message_type: '0120', advised_approval: { approved: true } })
  return purchase(card, amount, { message_type: of < 0.7 ? '0200' : '0100' })
}

function laterOf(first: TestMessage, amount: bigint, chance: Chance): TestMessage {
  const of = chance()
  if (of < 0.2) return first
  if (of < 0.5) return about(first, { message_type: '0100', amount })
  if (of < 0.8) return about(first, { message_type: '0220', amount })
  if (of < 0.9) return about(first, { message_type: '0400', reverse_amount: amount })
  return about(first, { message_type: '0420' })
}

function batchesOf(desk: Desk, count: number, chance: Chance): TestMessage[][] {
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(chance() * values.length)]
  const cards = [...desk.cards.values()]
  const begun: TestMessage[] = []
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + Math.floor(chance() * 2) }, () => {
      const amount = BigInt(1 + Math.floor(chance() * 10)) * 100n
      const known = chance() < 0.5 ? pick(begun) : undefined
      if (known) return laterOf(known, amount, chance)
      const first = firstOf(pick(cards) ?? { card_id: '' }, amount, chance)
      begun.push(first)
      return first
    }),
  )
}

const isFollowed = ({ undone, unlinked }: WorkingSet) =>
  undone.length === 0 && unlinked.changes.length === 0

/** Only the chains of the batch's cards. */
function lookedFor(counters: HolderCounters, batch: readonly TestMessage[]): HolderCounters {
  const ids = new Set(batch.map(({ card }) => ('card_id' in card ? card.card_id : '')))
  const chains = [...(counters.chains ?? [])].filter(([chain]) => ids.has(chain))
  return { ...counters, ...(counters.chains && { chains: new Map(chains) }) }
}

/** The answers of the batches, of which each is read while those before it are being committed. */
function answersOfChain(desk: Desk, batches: readonly TestMessage[][], chance: Chance) {
  /** The readable state once so many batches are committed. */
  const states: Gathered[] = [structuredClone(desk.read())]
  const sets: WorkingSet[] = []
  let committed = 0
  /** A number of committed batches that never falls, at most all. */
  const moment = () => (committed += Math.floor(chance() * (sets.length - committed + 1)))
  return batches.map((batch) => {
    committed = Math.max(committed, sets.length - AHEAD)
    if (!sets.slice(committed).every(isFollowed)) committed = sets.length
    const before = sets.slice(committed)
    const cards = states[moment()]
    const named = states[moment()]
    const counters = chance() < 0.5 ? cards : states[moment()]
    assert.ok(cards && named && counters)
    const counted = (counters.counters ?? []).map((one) => lookedFor(one, batch))
    const read = { ...named, accounts: cards.accounts, counters: counted }
    const workingSet = new WorkingSet(overlaid(structuredClone(read), before))
    const answers = desk.decideOn(workingSet, ...batch)
    sets.push(workingSet)
    states.push(structuredClone(desk.read()))
    return answers
  })
}

/** So many cards that the counts of some of them have rows of their own (D-943). */
const MANY = 12

for (const [cards, count] of [
  [3, 12],
  [MANY, 40],
] as const) {
  const name = `${RUNS} chains of batches of ${cards} cards are answered as if each waited`
  test(`${name} for the one before it`, (t) => {
    t.diagnostic(`SEED=${SEED}`)
    let apart = 0
    for (let run = 0; run < RUNS; run += 1) {
      const [one, other] = [openDesk(cards), openDesk(cards)]
      const batches = batchesOf(one, count, chances(SEED + run))
      const expected = batches.map((batch) => one.decide(...batch))
      const answers = answersOfChain(other, batches, chances(SEED - run - 1))
      assert.deepEqual(answers, expected, `SEED=${SEED + run}`)
      const left = ({ accounts, counters }: Gathered) => [accounts, counters]
      assert.deepEqual(left(other.read()), left(one.read()))
      for (const { chains } of one.counters.values()) {
        apart += [...(chains?.values() ?? [])].filter((counted) => counted !== undefined).length
      }
    }
    assert.equal(apart > 0, cards === MANY)
  })
}

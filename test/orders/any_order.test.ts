/**
 * Whatever the order in which the messages of a payment come, it ends alike, but for codes (D-950):
 * the holds, postings, refunds and counts against limits, and the status, are those that the
 * network believes, in the currency of the account and in another one. TEST_DEEP tries many orders
 * of every set.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  counterName,
  countIn,
  groupOf,
  type LimitTerms,
  OF_HOLDER,
  velocityRules,
  windowName,
} from '#issuing/limits/rules.ts'
import { type Chance, chances } from '#test/support/chances.ts'
import { Desk } from '#test/support/desk.ts'
import { fuelStories } from './fuel_stories.ts'
import { someOrders } from './orders.ts'
import { type End, OPENING, type Sent, type Status, type Story, shown, stories } from './stories.ts'

const deep = process.env['TEST_DEEP'] !== undefined
/** One set of so many is tried, in so many orders. */
const STRIDE = deep ? 1 : 7
const ORDERS = deep ? 40 : 2
const SEED = 20_261_128
/** The number of sets shown that end otherwise. */
const SHOWN = 5

const RATE = '3.6725'
/** Minor units of the account's currency for 10,000 of the payment's. */
const CURRENCIES = { AED: 10_000n, USD: 36_725n } as const

const LIMIT: LimitTerms = {
  id: 'limit',
  short_id: 1n,
  kind: 'VELOCITY',
  type: 'CUMULATIVE',
  currency: 'AED',
  min_amount: null,
  max_amount: null,
  frequency: 1_000,
  period: 'LIFETIME',
  transaction_scope: ['ALL'],
  mode: 'ENFORCED',
  version: 1n,
}

function openDesk() {
  const desk = new Desk()
  const { id } = desk.addAccount(OPENING)
  const { card_id } = desk.addCard(id)
  desk.rates.set('USD|AED', RATE)
  const holder = { account_id: id, user_id: 'user', chain_id: card_id, currency: 'AED' }
  const velocity = velocityRules({ chain: [], user: [], account: [LIMIT] }, holder)
  desk.limits.set(card_id, { velocity, balance: [] })
  return { desk, id, card_id }
}

function endOf(order: readonly Sent[]): End {
  const { desk, id } = openDesk()
  for (const { message } of order) desk.ask(message)
  const { balance, held } = desk.account(id)
  const counters = desk.counters.get(id)
  const stored = counters && groupOf(counters, OF_HOLDER)?.[counterName(LIMIT)]
  const { amount: counted } = countIn(stored, windowName(LIMIT, desk.now, 'UTC'))
  return { held, posted: OPENING - balance, counted, status: statusOf(desk) }
}

function statusOf({ transactions }: Desk): Status {
  const rows = [...transactions.values()]
  if (rows.some(({ status }) => status === 'PENDING')) return 'PENDING'
  return rows.some(({ status }) => status === 'SETTLED') ? 'SETTLED' : 'VOIDED'
}

/** The first order of this set that ends otherwise than the network believes. */
function otherEnd({ name, sent, ...end }: Story, rate: bigint, chance: Chance) {
  const worth = (amount: bigint) => (amount * rate) / 10_000n
  const counted = end.counted === undefined ? undefined : worth(end.counted)
  const { held, posted, status } = end
  const believed = shown({ held: worth(held), posted: worth(posted), counted, status })
  for (const order of someOrders(sent, ORDERS, chance)) {
    const got = endOf(order)
    const ended = shown({ ...got, ...(counted === undefined && { counted }) })
    if (ended === believed) continue
    return `${name}: ${order.map((one) => one.name).join(' | ')}: ${ended} for ${believed}`
  }
  return undefined
}

for (const [currency, rate] of Object.entries(CURRENCIES)) {
  test(`the messages of a payment in ${currency} end alike in any order`, () => {
    const chance = chances(SEED)
    const { card_id } = openDesk()
    const tried = [
      ...stories({ card_id }, currency).filter((_, at) => at % STRIDE === 0),
      ...fuelStories({ card_id }, currency),
    ]
    const wrong = tried.flatMap((story) => otherEnd(story, rate, chance) ?? [])
    assert.equal(
      wrong.length,
      0,
      `${wrong.length} of ${tried.length}\n${wrong.slice(0, SHOWN).join('\n')}`,
    )
  })
}

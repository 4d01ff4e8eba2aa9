/**
 * Whatever the order in which the messages of a payment come, it ends alike: what is held, posted
 * and counted, but for codes (D-316).
 */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { clearedOf, heldOf } from '#issuing/transactions/rules.ts'
import { countIn, type LimitTerms, velocityRules, windowName } from '#issuing/limits/rules.ts'
import { Desk } from '#test/support/desk.ts'
import { chances } from '#test/support/chances.ts'
import { someOrders } from './orders.ts'
import { OPENING, type Sent, type Story, stories } from './stories.ts'

const LIMIT: LimitTerms = {
  ...{ id: 'limit', short_id: 1n, kind: 'VELOCITY', type: 'CUMULATIVE', currency: 'AED' },
  ...{ min_amount: null, max_amount: null, frequency: 1_000, period: 'LIFETIME' },
  ...{ transaction_scope: ['ALL'], mode: 'ENFORCED', version: 1n },
}
const RATE = 3.6725
const currencies = { AED: 1, USD: RATE } as const

function openDesk() {
  const desk = new Desk()
  const { id } = desk.addAccount(OPENING * 4n)
  const { card_id } = desk.addCard(id)
  desk.rates.set('USD|AED', String(RATE))
  const holder = { account_id: id, user_id: 'user', chain_id: card_id, currency: 'AED' }
  const velocity = velocityRules({ chain: [], user: [], account: [LIMIT] }, holder)
  desk.limits.set(card_id, { velocity, balance: [] })
  return { desk, id, card_id }
}

function endOf(order: readonly Sent[]) {
  const { desk, id } = openDesk()
  for (const { message } of order) desk.ask(message)
  const { balance, held } = desk.account(id)
  const rows = [...desk.transactions.values()]
  return { held, posted: OPENING * 4n - balance, rows }
}

const { card_id } = openDesk()
for (const [currency, rate] of Object.entries(currencies)) {
  if (process.env.CUR && process.env.CUR !== currency) continue
  const all = stories({ card_id }, currency)
  test(`${all.length} ${currency}`, () => {
    const billed = (amount: bigint) => BigInt(Math.round(Number(amount) * rate))
    const chance = chances(7)
    let wrong = 0, count = 0
    const bad: string[] = []
    for (const story of all) {
      if (process.env.ONLY && !new RegExp(process.env.ONLY).test(story.name)) continue
      let first = true
      let bads = 0, n = 0
      for (const order of someOrders(story.sent, Number(process.env.N ?? 5), chance)) {
        n += 1
        let end: string
        try { const e = endOf(order); end = `${e.held} ${e.posted}` } catch (error) { end = String(error) }
        const expected = `${billed(story.held)} ${billed(story.posted)}`
        if (end !== expected) {
          bads += 1
          if (first) bad.push(`${story.name}: ${order.map((o) => o.name).join(' | ')}: ${end.slice(0,150)} for ${expected}`)
          first = false
        }
      }
      count += n
      if (bads) { wrong += 1; bad[bad.length-1] += `  (${bads}/${n})` }
    }
    console.log(bad.slice(0, Number(process.env.SHOW ?? 40)).join('\n'))
    assert.equal(wrong, 0, `${wrong} of ${all.length}, ${count} orders`)
  })
}

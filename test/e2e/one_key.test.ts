/** Different requests at one time under one idempotency key: one effect, and its answer (D-797). */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertSound } from '#test/support/inspection/oracle.ts'
import { keeper } from '#test/support/keeper.ts'
import type { Answer } from '#test/support/world.ts'
import { keep as letKeep } from './kept.ts'
import { callsOf } from './parts.ts'
import { openShop } from './shop.ts'

const ROUNDS = 8

const keep = keeper()
const shop = keep(await openShop({ settings: { kept_cards: true, token_minutes: 60 } }))
shop.sweeper.start()
const card = await shop.customer(10_000_000n)
const { capture, order } = callsOf(shop)

const refund = (reference: string, key: string) =>
  shop.call(
    'POST',
    `/orders/${reference}/refund/`,
    { total: '10', currency: 'AED' },
    { 'idempotency-key': key },
  )
const rounds = Array.from({ length: ROUNDS }, (_, round) => round)

/** One has the answer of its effect; the key of the others is in use. */
function assertOne(answers: readonly Answer[], effects: readonly boolean[]): void {
  assert.deepEqual(
    answers.map(({ status }) => status === 200),
    effects,
    answers.map(({ text }) => text).join(' '),
  )
  assert.equal(effects.filter(Boolean).length, 1)
  assert.ok(answers.every(({ status }) => status === 200 || status === 409))
}

test('captures of several orders, then refunds of them', async () => {
  for (const round of rounds) {
    const orders = await Promise.all([1, 2, 3].map(() => shop.order(card)))
    const references = orders.map(({ reference }) => reference)
    const seen = () => Promise.all(references.map(order))
    const headers = { 'idempotency-key': `capture-${round}` }
    const captured = await Promise.all(references.map((one) => capture(one, {}, headers)))
    assertOne(
      captured,
      (await seen()).map(({ status }) => status === 'COMPLETED'),
    )
    for (const one of references) await capture(one)
    const refunded = await Promise.all(references.map((one) => refund(one, `refund-${round}`)))
    assertOne(
      refunded,
      (await seen()).map(({ total_refund }) => total_refund !== '0'),
    )
  }
})

test('a refund, and one that is an error', async () => {
  for (const round of rounds) {
    const [open, paid] = await Promise.all([1, 2].map(() => shop.order(card)))
    await capture(paid?.reference ?? '')
    const key = `error-${round}`
    const [error, done] = await Promise.all([
      refund(open?.reference ?? '', key),
      refund(paid?.reference ?? '', key),
    ])
    const { total_refund } = await order(paid?.reference ?? '')
    const [wrong, right] = done?.status === 200 ? [409, '10.0000'] : [406, '0']
    assert.deepEqual([error?.status, total_refund], [wrong, right], done?.text)
  }
})

test('a capture, and a payment with a kept card', async () => {
  const { id } = await letKeep(shop, card, 'one key')
  for (const round of rounds) {
    const { reference } = await shop.order(card)
    const key = { 'idempotency-key': `both-${round}` }
    const sale = { reference: `KEPT-${round}`, total: '30', currency: 'AED' }
    const answers = await Promise.all([
      capture(reference, {}, key),
      shop.call('POST', `/kept-cards/${id}/payments`, sale, key),
    ])
    const paid = await shop.call('GET', `/orders/${sale.reference}/`)
    assertOne(answers, [(await order(reference)).status === 'COMPLETED', paid.status === 200])
  }
  await assertSound(shop.db)
})

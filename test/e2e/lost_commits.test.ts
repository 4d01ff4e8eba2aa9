/**
 * The COMMIT of an order's or a payment's own record is lost, or its answer is: neither FAILURE nor
 * "nothing happened". The record is looked for, and everything happens once (D-131).
 */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CommitInDoubt, openDatabase } from '#kit/db/database.ts'
import { findPage, pay, payKept } from '#merchant/checkouts/checkouts.ts'
import { placeOf } from '#merchant/checkouts/page_id.ts'
import { captureOrder, openOrder, orderIdOf, refundOrder } from '#merchant/orders/orders.ts'
import { urlOfTenant } from '#test/support/cluster/nodes.ts'
import { assertSound, untilQuiet } from '#test/support/inspection/oracle.ts'
import { keeper } from '#test/support/keeper.ts'
import { type Fate, openProxy } from '#test/support/services/proxy.ts'
import { linkTo } from './issuer.ts'
import { keep as letKeep } from './kept.ts'
import { openShop } from './shop.ts'

const keep = keeper()
const shop = keep(await openShop({ settings: { kept_cards: true } }))
shop.sweeper.start()
const proxy = keep(await openProxy(await urlOfTenant(shop.url, shop.tenant.id)))
const { db } = keep(openDatabase(proxy.url, 4))
const link = keep(linkTo(shop.issuer_port, shop.log))
keep({
  async close() {
    await untilQuiet(shop.db)
    await assertSound(shop.db)
  },
})
const card = await shop.customer(10_000_000n)

/** The merchant's context whose database is behind the proxy. */
const context = async () => ({
  ...(await shop.ctx()),
  db,
  actor: { kind: 'merchant', id: shop.merchant.id } as const,
})

const FATES: readonly Fate[] = ['answer lost', 'never sent']
/** The fates of the COMMIT of an operation's beginning, or of that of its outcome. */
const lostAt = (nth: 1 | 2) => FATES.map((fate) => ({ nth, fate }))
const named = ({ nth, fate }: { nth: 1 | 2; fate: Fate }) =>
  `the COMMIT of its ${nth === 1 ? 'beginning' : 'outcome'} is ${fate === 'never sent' ? 'never sent' : 'carried out unanswered'}`

const operationsOf = (order_id: string) =>
  shop.db
    .selectFrom('order_operations')
    .select(['type', 'status'])
    .where('order_id', '=', order_id)
    .orderBy('id')
    .execute()

describe('an operation', () => {
  for (const lost of [...lostAt(1), ...lostAt(2)]) {
    test(`${named(lost)}: it is captured once and refunded once`, async () => {
      const before = (await shop.account(card)).balance
      const { reference, order_id } = await shop.order(card)
      const first = proxy.lose(lost.fate, lost.nth)
      const captured = await captureOrder(await context(), link, reference, {})
      await first
      assert.equal(captured.status, 'SUCCESS')
      const refund = { total: '40.25', currency: 'AED' }
      const second = proxy.lose(lost.fate, lost.nth)
      const refunded = await refundOrder(await context(), link, reference, refund)
      await second
      assert.equal(refunded.status, 'SUCCESS')
      assert.deepEqual(await operationsOf(order_id), [
        { type: 'CAPTURE', status: 'SUCCESS' },
        { type: 'REFUND', status: 'SUCCESS' },
      ])
      assert.equal((await shop.account(card)).balance, before - 10_050n + 4_025n)
    })
  }
})

describe('a payment', () => {
  const typed = {
    pan: card.card_number,
    expiry: card.expiry.split('/').reverse().join(''),
    cvv2: card.cvv2,
    three_ds: 'NONE' as const,
  }
  const api = { link, publicUrl: () => 'http://x', onPaid: openOrder, orderIdOf }
  const open = async () => {
    const { id } = await shop.checkout()
    const ctx = await context()
    const page_key = placeOf(id)?.page_key ?? ''
    const found = await findPage(ctx, page_key)
    assert.ok(found)
    const { checkout } = found
    return { id, pay: () => pay(ctx, api, checkout, checkout.form_token, typed) }
  }

  for (const lost of lostAt(2)) {
    test(`${named(lost)}: it is paid, once`, async () => {
      const { held } = await shop.account(card)
      const payment = await open()
      const broken = proxy.lose(lost.fate, lost.nth)
      assert.equal((await payment.pay()).checkout.status, 'PAID')
      await broken
      assert.equal((await shop.account(card)).held, held + 10_050n)
    })
  }

  for (const lost of lostAt(1)) {
    test(`${named(lost)}: nothing was sent, and the next try pays`, async () => {
      const { held } = await shop.account(card)
      const payment = await open()
      const broken = proxy.lose(lost.fate, lost.nth)
      await assert.rejects(payment.pay(), CommitInDoubt)
      await broken
      await shop.request('PUT', '/v1/simulate/clock', { advance: 'PT20S' })
      assert.equal((await shop.account(card)).held, held)
      assert.equal((await shop.submit(payment.id, card)).status, 303)
      assert.equal((await shop.account(card)).held, held + 10_050n)
    })
  }
})

describe('a payment with a kept card', () => {
  const api = { link, publicUrl: () => 'http://x', onPaid: openOrder, orderIdOf }
  for (const lost of [...lostAt(1), ...lostAt(2)]) {
    test(`${named(lost)}: it is paid, once`, async () => {
      const { id } = await letKeep(shop, card, `lost ${lost.fate} ${lost.nth}`)
      const { held } = await shop.account(card)
      const reference = `KEPT-${lost.fate.replace(' ', '-')}-${lost.nth}`
      const broken = proxy.lose(lost.fate, lost.nth)
      const sale = { reference, total: '30.00', currency: 'AED' }
      assert.equal((await payKept(await context(), api, id, sale)).status, 'SUCCESS')
      await broken
      assert.equal((await shop.account(card)).held, held + 3_000n)
    })
  }
})

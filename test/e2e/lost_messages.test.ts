import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { auditOrders } from '#merchant/orders/orders.ts'
import { openLossyLine } from './lossy.ts'
import { openShop } from './shop.ts'

/** Each test has a line and a shop of its own, since each waits for an answer in vain. */
async function openScene() {
  const shop = await openShop()
  const line = await openLossyLine(shop.issuer_port)
  shop.connectTo(line.port)
  shop.sweeper.start()
  return {
    shop,
    capture: (reference: string) => shop.call('POST', `/orders/${reference}/capture/`),
    refund: (reference: string) =>
      shop.call('POST', `/orders/${reference}/refund/`, { total: '40.25', currency: 'AED' }),
    lose(...mtis: string[]) {
      line.lost = new Set(mtis)
      line.passed.length = 0
    },
    async reversed() {
      for (const end = Date.now() + 8_000; !line.passed.includes('0430'); ) {
        assert.ok(Date.now() < end, 'no reversal was acknowledged')
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },
    async [Symbol.asyncDispose]() {
      assert.deepEqual(await auditOrders(shop.db), [])
      await shop[Symbol.asyncDispose]()
      await line.close()
    },
  }
}

describe('a message or its answer is lost on the line', { concurrency: true }, () => {
  for (const [what, mtis] of [
    ['the answer', ['0230']],
    ['the message', ['0220', '0221']],
  ] as const) {
    test(`${what} of a capture: told as a failure, held as before, captured once in the end`, async () => {
      await using scene = await openScene()
      const { shop, capture, lose, reversed } = scene
      const card = await shop.customer(20_000n)
      const { reference } = await shop.order(card)
      lose(...mtis)
      assert.equal((await capture(reference)).body.status, 'FAILURE')
      await reversed()
      assert.deepEqual(await shop.account(card), { balance: 20_000n, held: 10_050n })
      lose()
      assert.equal((await capture(reference)).body.status, 'SUCCESS')
      assert.deepEqual(await shop.account(card), { balance: 9_950n, held: 0n })
    })
  }

  for (const [what, mtis] of [
    ['the answer', ['0210']],
    ['the message', ['0200', '0201']],
  ] as const) {
    test(`${what} of a refund: told as a failure, and paid once in the end`, async () => {
      await using scene = await openScene()
      const { shop, capture, refund, lose, reversed } = scene
      const card = await shop.customer(20_000n)
      const { reference } = await shop.order(card)
      await capture(reference)
      lose(...mtis)
      assert.equal((await refund(reference)).body.status, 'FAILURE')
      await reversed()
      assert.deepEqual(await shop.account(card), { balance: 9_950n, held: 0n })
      lose()
      assert.equal((await refund(reference)).body.status, 'SUCCESS')
      assert.deepEqual(await shop.account(card), { balance: 13_975n, held: 0n })
    })
  }

  for (const [what, mtis] of [
    ['the answer', ['0110']],
    ['the message', ['0100']],
  ] as const) {
    test(`${what} of a payment: nothing stays held, and the next try pays`, async () => {
      await using scene = await openScene()
      const { shop, lose, reversed } = scene
      const card = await shop.customer(20_000n)
      const { id } = await shop.checkout()
      lose(...mtis)
      assert.equal((await shop.submit(id, card)).status, 200)
      await reversed()
      assert.deepEqual(await shop.account(card), { balance: 20_000n, held: 0n })
      lose()
      assert.equal((await shop.submit(id, card)).status, 303)
      assert.deepEqual(await shop.account(card), { balance: 20_000n, held: 10_050n })
    })
  }
})

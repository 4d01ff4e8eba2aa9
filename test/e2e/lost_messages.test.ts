import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { until as untilWithin } from '#test/support/services/receiver.ts'
import { openLossyShop } from './lossy.ts'

/** Each test has a line and a shop of its own, since each waits for an answer in vain. */
async function openScene() {
  const { shop, line, ...scene } = await openLossyShop()
  return {
    ...scene,
    shop,
    capture: (reference: string) => shop.call('POST', `/orders/${reference}/capture/`),
    refund: (reference: string) =>
      shop.call('POST', `/orders/${reference}/refund/`, { total: '40.25', currency: 'AED' }),
    lose(...mtis: string[]) {
      line.lost = new Set(mtis)
      line.passed.length = 0
    },
    until,
    reversed: () => until(() => line.passed.includes('0430')),
    inDoubt: () =>
      until(async () => {
        const row = await shop.db
          .selectFrom('order_operations')
          .select('in_doubt')
          .executeTakeFirst()
        return row?.in_doubt === true
      }),
  }
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  await untilWithin(String(holds), holds)
}

describe('a message or its answer is lost on the line', { concurrency: true }, () => {
  for (const [what, mtis] of [
    ['the answer', ['0230']],
    ['the message', ['0220', '0221']],
  ] as const) {
    test(`${what} of a capture: it is sent again until it is answered, and captured once`, async () => {
      await using scene = await openScene()
      const { shop, capture, lose } = scene
      const card = await shop.customer(20_000n)
      const { reference } = await shop.order(card)
      lose(...mtis)
      const answer = capture(reference)
      await scene.inDoubt()
      lose()
      assert.equal((await answer).body.status, 'SUCCESS')
      assert.deepEqual(await shop.account(card), { balance: 9_950n, held: 0n })
    })
  }

  for (const [what, mtis] of [
    ['the answer', ['0210']],
    ['the message', ['0200', '0201']],
  ] as const) {
    test(`${what} of a refund: it fails once it is reversed, and is paid once in the end`, async () => {
      await using scene = await openScene()
      const { shop, capture, refund, lose } = scene
      const card = await shop.customer(20_000n)
      const { reference } = await shop.order(card)
      await capture(reference)
      lose(...mtis)
      assert.equal((await refund(reference)).body.status, 'FAILURE')
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
      assert.match((await shop.submit(id, card)).text, /being checked/)
      await reversed()
      assert.deepEqual(await shop.account(card), { balance: 20_000n, held: 0n })
      lose()
      await scene.until(async () => /did not answer/.test((await shop.page(id)).text))
      assert.equal((await shop.submit(id, card)).status, 303)
      assert.deepEqual(await shop.account(card), { balance: 20_000n, held: 10_050n })
    })
  }
})

/**
 * Payments with a kept card whose outcome is not known (D-131, D-775): the issuer's answer is lost
 * or states nothing. Each is charged once at most, and FAILURE only if nothing remains of it.
 */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { until } from '#test/support/services/receiver.ts'
import { keep } from './kept.ts'
import { openLossyShop } from './lossy.ts'

const AED = 'AED'

async function openScene() {
  await using opened = new AsyncDisposableStack()
  const { shop, line } = opened.use(await openLossyShop({ settings: { kept_cards: true } }))
  const card = await shop.customer(100_000n)
  const { id } = await keep(shop, card, 'omar')
  const { held } = await shop.account(card)
  const kept = opened.move()
  return {
    shop,
    line,
    card,
    held,
    pay: (reference: string, key?: string) =>
      shop.call(
        'POST',
        `/kept-cards/${id}/payments`,
        { reference, total: '30.00', currency: AED },
        key === undefined ? {} : { 'idempotency-key': key },
      ),
    checkout: (reference: string) =>
      shop.db
        .selectFrom('checkouts')
        .select(['status', 'in_doubt'])
        .where('tenant_id', '=', shop.tenant.id)
        .where('reference', '=', reference)
        .orderBy('id', 'desc')
        .executeTakeFirst(),
    /** The line loses these from now on. */
    lose: (...mtis: string[]) => {
      line.lost = new Set(mtis)
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

describe('a payment with a kept card', { concurrency: 3 }, () => {
  test('that the issuer answers with 91 waits for its reversal, is a failure, and is made again', async () => {
    await using scene = await openScene()
    const { shop, line, card, held, pay, checkout } = scene
    line.altered = new Map([['0110', '91']])
    scene.lose('0420', '0421')
    const answer = pay('SUB-1', 'key-1')
    await until('the payment is in doubt', async () => (await checkout('SUB-1'))?.in_doubt === true)
    const same = pay('SUB-1', 'key-1')
    const other = await pay('SUB-1')
    assert.deepEqual([other.status, other.headers['retry-after']], [409, '5'], other.text)
    assert.equal((await shop.call('GET', '/orders/SUB-1/')).status, 404)
    line.altered = new Map()
    scene.lose()
    const { status, body, text } = await answer
    assert.deepEqual([status, body.status, body.reason], [200, 'FAILURE', 'issuer_unavailable'])
    assert.equal((await same).text, text)
    assert.equal((await shop.account(card)).held, held)
    assert.equal((await pay('SUB-1', 'key-1')).text, text)
    assert.equal((await pay('SUB-1')).body.status, 'SUCCESS')
    assert.equal((await shop.account(card)).held, held + 3_000n)
  })

  test('whose reversal is lost is 503 after 30 s, and its key gets the failure afterwards', async () => {
    await using scene = await openScene()
    const { shop, card, held, pay } = scene
    scene.lose('0110', '0430')
    const unknown = await pay('SUB-2', 'key-2')
    assert.deepEqual([unknown.status, unknown.headers['retry-after']], [503, '5'], unknown.text)
    const kept = await shop.db
      .selectFrom('idempotency_keys')
      .select('status')
      .where('tenant_id', '=', shop.tenant.id)
      .where('key', 'like', '%:key-2')
      .execute()
    assert.deepEqual(kept, [{ status: 102 }])
    scene.lose()
    const known = await pay('SUB-2', 'key-2')
    assert.deepEqual([known.status, known.body.status], [200, 'FAILURE'], known.text)
    assert.equal((await shop.account(card)).held, held)
    assert.equal((await pay('SUB-2', 'key-3')).body.status, 'SUCCESS')
  })

  test('whose issuer cannot be reached is a failure at once', async () => {
    await using scene = await openScene()
    const { line, pay } = scene
    await line.close()
    const { status, body } = await pay('SUB-3')
    assert.deepEqual([status, body.status, body.reason], [200, 'FAILURE', 'issuer_unavailable'])
  })
})

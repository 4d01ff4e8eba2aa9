/**
 * Outcomes that are not known (D-131): the issuer's answer is lost, or contains 91, 96, 68 or 94,
 * with and without an effect. Per order: captured once at most, refunded at most the requested
 * amount, and FAILURE only if nothing remains of it.
 */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { until as untilWithin } from '#test/support/services/receiver.ts'
import { openLossyShop } from './lossy.ts'

/** Codes that leave the outcome open; half of them for each scene, all of them with --deep. */
const CODES = ['91', '96', '68', '94'] as const
const codesOf = (way: 'altered' | 'declined') =>
  process.env['TEST_DEEP'] ? CODES : way === 'altered' ? CODES.slice(0, 2) : CODES.slice(2)
const WAYS = [
  ['with an effect', 'altered'],
  ['without an effect', 'declined'],
] as const
const AED = 'AED'
const NOT_KNOWN = {
  detail:
    'The outcome is not known yet. Repeat the request with the same Idempotency-Key, or retrieve ' +
    'the order.',
}

/** Each scene has a line and a shop of its own, since each waits for an answer in vain. */
async function openScene() {
  const { shop, line, ...scene } = await openLossyShop()
  const post = (path: string, body?: object, key?: string) =>
    shop.call('POST', path, body, key === undefined ? {} : { 'idempotency-key': key })
  return {
    ...scene,
    shop,
    line,
    capture: (reference: string, key?: string) =>
      post(`/orders/${reference}/capture/`, undefined, key),
    refund: (reference: string, total: string, key?: string) =>
      post(`/orders/${reference}/refund/`, { total, currency: AED }, key),
    /** Sets the behaviour of the connection from now on. */
    let(change: { lost?: string[]; altered?: [string, string][]; declined?: [string, string][] }) {
      line.lost = new Set(change.lost)
      line.altered = new Map(change.altered)
      line.declined = new Map(change.declined)
      line.passed.length = 0
    },
    passed: (mti: string, count = 1) =>
      until(() => line.passed.filter((one) => one === mti).length >= count),
    operation: async (reference: string) =>
      shop.db
        .selectFrom('order_operations as p')
        .innerJoin('orders as o', (join) =>
          join.onRef('o.tenant_id', '=', 'p.tenant_id').onRef('o.id', '=', 'p.order_id'),
        )
        .select(['p.status', 'p.in_doubt'])
        .where('p.tenant_id', '=', shop.tenant.id)
        .where('o.reference', '=', reference)
        .orderBy('p.id', 'desc')
        .executeTakeFirstOrThrow(),
  }
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  await untilWithin(String(holds), holds)
}

/** The fault of the line for a request of this class and its answer. */
const trouble = (way: 'altered' | 'declined', request: string, answer: string, code: string) => ({
  [way]: (way === 'altered' ? [answer] : [request, `${request.slice(0, 3)}1`]).map(
    (mti): [string, string] => [mti, code],
  ),
})

describe('an answer that does not state what took effect', { concurrency: 5 }, () => {
  for (const [how, way] of WAYS) {
    test(`a capture ${how} is pending, sent again, and captured once`, async () => {
      await using scene = await openScene()
      const { shop, capture, operation } = scene
      const card = await shop.customer(100_000n)
      for (const [at, code] of codesOf(way).entries()) {
        const { reference } = await shop.order(card)
        scene.let(trouble(way, '0220', '0230', code))
        const answer = capture(reference)
        await until(
          async () => (await operation(reference).catch(() => undefined))?.in_doubt === true,
        )
        const other = await capture(reference, `another ${reference}`)
        assert.deepEqual([other.status, other.headers['retry-after']], [409, '5'], other.text)
        assert.equal((await shop.call('GET', `/orders/${reference}/`)).body.status, 'OPENED')
        scene.let({})
        assert.equal((await answer).body.status, 'SUCCESS', code)
        const balance = 100_000n - 10_050n * BigInt(at + 1)
        assert.deepEqual(await shop.account(card), { balance, held: 0n }, code)
        assert.equal((await capture(reference, `another ${reference}`)).status, 406)
      }
    })

    test(`a refund ${how} is pending until it is reversed, then fails, and may be made`, async () => {
      await using scene = await openScene()
      const { shop, capture, refund, operation } = scene
      const card = await shop.customer(100_000n)
      for (const [at, code] of codesOf(way).entries()) {
        const { reference } = await shop.order(card)
        await capture(reference)
        scene.let({ ...trouble(way, '0200', '0210', code), lost: ['0420', '0421'] })
        const key = `refund ${reference}`
        const answer = refund(reference, '40.25', key)
        await until(async () => (await operation(reference)).in_doubt)
        const same = refund(reference, '40.25', key)
        assert.equal((await refund(reference, '40.25')).status, 409)
        scene.let({})
        assert.equal((await answer).body.status, 'FAILURE', code)
        assert.equal((await same).text, (await answer).text)
        const before = 100_000n - 10_050n - 6_025n * BigInt(at)
        assert.deepEqual(await shop.account(card), { balance: before, held: 0n }, code)
        assert.equal((await refund(reference, '40.25')).body.status, 'SUCCESS')
        assert.deepEqual(await shop.account(card), { balance: before + 4_025n, held: 0n })
      }
    })

    test(`a payment ${how} is checked, and the next try pays`, async () => {
      await using scene = await openScene()
      const { shop, passed } = scene
      const card = await shop.customer(100_000n)
      for (const [at, code] of codesOf(way).entries()) {
        const { id, reference } = await shop.checkout()
        scene.let({ ...trouble(way, '0100', '0110', code), lost: ['0420', '0421'] })
        const { status, text } = await shop.submit(id, card)
        assert.equal(status, 200)
        assert.match(text, /being checked/)
        assert.doesNotMatch(text, /not been charged/)
        assert.match(text, /http-equiv="refresh"/)
        const body = { reference, total: '1', currency: AED }
        const urls = {
          confirm_callback_url: 'http://a.example/',
          reject_callback_url: 'http://a.example/',
        }
        const second = await shop.call('POST', '/checkouts/', { ...body, ...urls })
        assert.deepEqual([second.status, second.headers['retry-after']], [409, '5'], second.text)
        scene.let({})
        await passed('0430')
        await until(async () => /not been charged/.test((await shop.page(id)).text))
        const held = 10_050n * BigInt(at)
        assert.deepEqual(await shop.account(card), { balance: 100_000n, held }, code)
        assert.equal((await shop.submit(id, card)).status, 303)
        assert.deepEqual(await shop.account(card), { balance: 100_000n, held: held + 10_050n })
      }
    })
  }

  test('for 30 s is 503, keeps no answer under its key, and the same key gets the outcome', async () => {
    await using scene = await openScene()
    const { shop, capture } = scene
    const card = await shop.customer(20_000n)
    const { reference } = await shop.order(card)
    scene.let({ lost: ['0230'] })
    const key = `capture ${reference}`
    const unknown = await capture(reference, key)
    assert.deepEqual([unknown.status, unknown.body], [503, NOT_KNOWN])
    assert.equal(unknown.headers['retry-after'], '5')
    const kept = await shop.db
      .selectFrom('idempotency_keys')
      .select('status')
      .where('key', 'like', `%:${key}`)
      .execute()
    assert.deepEqual(kept, [{ status: 102 }])
    assert.equal((await capture(reference)).status, 409)
    scene.let({})
    const known = await capture(reference, key)
    assert.equal(known.body.status, 'SUCCESS', known.text)
    const replayed = await capture(reference, key)
    assert.deepEqual([replayed.text, replayed.headers['idempotent-replayed']], [known.text, 'true'])
    assert.deepEqual(await shop.account(card), { balance: 9_950n, held: 0n })
  })

  test('a refund whose reversal is not acknowledged is 503 too, and FAILURE only after it', async () => {
    await using scene = await openScene()
    const { shop, capture, refund } = scene
    const card = await shop.customer(20_000n)
    const { reference } = await shop.order(card)
    await capture(reference)
    scene.let({ lost: ['0210', '0430'] })
    const key = `refund ${reference}`
    const unknown = await refund(reference, '40.25', key)
    assert.deepEqual([unknown.status, unknown.body], [503, NOT_KNOWN])
    scene.let({})
    const known = await refund(reference, '40.25', key)
    assert.deepEqual([known.status, known.body.status], [200, 'FAILURE'], known.text)
    assert.deepEqual(await shop.account(card), { balance: 9_950n, held: 0n })
  })

  test('a late answer, after the reversal was recorded, changes nothing', async () => {
    await using scene = await openScene()
    const { shop, capture, refund } = scene
    const card = await shop.customer(20_000n)
    const { reference } = await shop.order(card)
    await capture(reference)
    scene.let({ altered: [['0210', '91']], lost: ['0430'] })
    const answer = refund(reference, '40.25')
    await scene.passed('0420')
    // The issuer has reversed the refund; that answer is lost, and the repeat is answered.
    scene.let({})
    assert.equal((await answer).body.status, 'FAILURE')
    assert.deepEqual(await shop.account(card), { balance: 9_950n, held: 0n })
  })
})

/** Parts of an order under races, lost answers, declines and its deadline (D-780 to D-784). */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventsOf } from '#events/outbox.ts'
import { parseReplacement } from '#iso8583/original.ts'
import { openDatabase } from '#kit/db/database.ts'
import { ApiError } from '#lib/result.ts'
import { captureOrder } from '#merchant/orders/orders.ts'
import { assertSound, untilQuiet } from '#test/support/inspection/oracle.ts'
import { keepIn } from '#test/support/keeper.ts'
import { until } from '#test/support/services/receiver.ts'
import { linkTo, openIssuer } from './issuer.ts'
import { openLossyLine } from './lossy.ts'
import { callsOf } from './parts.ts'
import { openShop, type Shop } from './shop.ts'

const FUNDS = 50_000n
const settings = { partial_captures: true, token_minutes: 60 }
const scripted = { card_number: '4000001234567899', expiry: '12/49', cvv2: '123' }

/** A call of the issuer may take longer than the answer waits for it: the next one waits again. */
async function advance(shop: Shop, duration: string, asked = 0): Promise<void> {
  const { body } = await shop.request('PUT', '/v1/simulate/clock', { advance: duration })
  if (body.running && asked < 10) await advance(shop, 'PT0S', asked + 1)
}

describe('parts that race', () => {
  test('at two processes: as many succeed as the total allows, and no more is captured', async () => {
    await using opened = new AsyncDisposableStack()
    const shop = opened.use(await openShop({ settings }))
    const { db } = keepIn(opened, openDatabase(shop.url, 4))
    const link = keepIn(opened, linkTo(shop.issuer_port, shop.log))
    const { capture, order } = callsOf(shop)
    const actor = { kind: 'merchant', id: shop.merchant.id } as const
    /**
     * Captures in the second process. An error is its code, which the first answers as an HTTP
     * status.
     */
    const captureThere = async (reference: string, body: object) => {
      try {
        const ctx = { ...(await shop.ctx()), db, actor }
        return (await captureOrder(ctx, link, reference, body)).status
      } catch (error) {
        if (error instanceof ApiError) return error.code
        throw error
      }
    }
    const captureHere = async (reference: string, body: object) => {
      const answer = await capture(reference, body)
      return answer.body.status ?? { 400: 'validation_failed', 406: LATE }[answer.status]
    }
    const LATE = 'order_already_captured'
    const race = (reference: string, body: object) =>
      Promise.all(
        Array.from({ length: 8 }, (_, at) =>
          (at % 2 === 0 ? captureHere : captureThere)(reference, body),
        ),
      )
    const card = await shop.customer(10n * FUNDS)
    let paid = 0n
    for (let round = 0; round < 6; round += 1) {
      const { reference } = await shop.order(card)
      const parts = await race(reference, { total: '30.1' })
      assert.deepEqual(Object.entries(countOf(parts)).toSorted(), [
        ['SUCCESS', 3],
        ['validation_failed', 5],
      ])
      const account = await shop.account(card)
      assert.deepEqual(account, { balance: 10n * FUNDS - paid - 9_030n, held: 1_020n })
      const lasts = await race(reference, { total: '5', final: true })
      assert.deepEqual(countOf(lasts), { SUCCESS: 1, [LATE]: 7 })
      paid += 9_530n
      assert.deepEqual(await shop.account(card), { balance: 10n * FUNDS - paid, held: 0n })
      assert.equal((await order(reference)).total_captured, '95.3000')
    }
    await assertSound(shop.db)
  })
})

const countOf = (results: readonly (string | undefined)[]) =>
  Object.fromEntries(
    [...Map.groupBy(results, (result) => String(result))].map(([name, all]) => [name, all.length]),
  )

type Fates = { lost?: string[]; altered?: [string, string][]; declined?: [string, string][] }
const FATES: readonly [how: string, fates: Fates][] = [
  ['took effect', { altered: [['0230', '91']] }],
  ['did not arrive', { declined: [['0220', '91'], ['0221', '91']] }],
  ['is not answered', { lost: ['0230'] }],
] // biome-ignore format: the fate of each part is on one line.

describe('a part whose outcome is not known', { concurrency: FATES.length }, () => {
  for (const [how, { lost = [], altered = [], declined = [] }] of FATES) {
    test(`and that ${how} is sent again, holds up the next part, and is captured once`, async () => {
      await using opened = new AsyncDisposableStack()
      const shop = opened.use(await openShop({ settings }))
      const line = keepIn(opened, await openLossyLine(shop.issuer_port))
      shop.connectTo(line.port)
      shop.sweeper.start()
      const { capture, order, messages } = callsOf(shop)
      const card = await shop.customer(FUNDS)
      const { reference, order_id } = await shop.order(card)
      await capture(reference, { total: '10' })
      line.lost = new Set(lost)
      line.altered = new Map(altered)
      line.declined = new Map(declined)
      const key = { 'idempotency-key': `second ${reference}` }
      const second = capture(reference, { total: '20' }, key)
      await until('doubt', async () => (await pendingOf(shop, order_id))?.in_doubt === true)
      const other = await capture(reference, { total: '20' })
      assert.deepEqual([other.status, other.headers['retry-after']], [409, '5'], other.text)
      assert.equal((await order(reference)).total_captured, '10.0000')
      for (const fates of [line.lost, line.altered, line.declined]) fates.clear()
      assert.equal((await second).body.status, 'SUCCESS')
      assert.deepEqual(await shop.account(card), { balance: FUNDS - 3_000n, held: 7_050n })
      const last = await capture(reference, { total: '30', final: true })
      assert.equal(last.body.status, 'SUCCESS', last.text)
      assert.deepEqual(await shop.account(card), { balance: FUNDS - 6_000n, held: 0n })
      assert.deepEqual(await messages(order_id), ['0100', '0220', '0220', '0220', '0420'])
      await untilQuiet(shop.db)
      await assertSound(shop.db)
    })
  }
})

const pendingOf = (shop: Shop, order_id: string) =>
  shop.db
    .selectFrom('order_operations')
    .select(['in_doubt'])
    .where('tenant_id', '=', shop.tenant.id)
    .where('order_id', '=', order_id)
    .where('status', '=', 'PENDING')
    .executeTakeFirst()

describe('an issuer elsewhere', () => {
  test('gets a completion for each part, then what was captured of all in DE95', async () => {
    await using opened = new AsyncDisposableStack()
    const issuer = keepIn(opened, await openIssuer())
    const shop = opened.use(await openShop({ issuer: issuer.port, settings }))
    const { capture, order } = callsOf(shop)
    const { reference, order_id } = await shop.order(scripted)
    await capture(reference, { total: '10' })
    issuer.script = () => '05'
    const declined = await capture(reference, { total: '20' })
    assert.deepEqual(declined.body, { status: 'FAILURE', order_id })
    const { status, total_captured } = await order(reference)
    assert.deepEqual([status, total_captured], ['OPENED', '10.0000'])
    issuer.script = () => '00'
    await capture(reference, { total: '20.25', final: true })
    const completions = issuer.of('0220').map(({ fields }) => fields)
    assert.deepEqual(
      completions.map((fields) => fields[4]),
      ['000000001000', '000000002000', '000000002025'],
    )
    const [release, ...others] = issuer.of('0420').map(({ fields }) => fields)
    assert.equal(others.length, 0)
    assert.equal(parseReplacement(release?.[95] ?? '')?.actual, 3_025n)
    for (const name of [37, 38, 90] as const) {
      const named = new Set([...completions, release].map((fields) => fields?.[name]))
      assert.deepEqual([named.size, named.has(undefined)], [1, false], `DE${name}`)
    }
    assert.equal(new Set(completions.map((fields) => fields[11])).size, 3)
  })
})

describe('the deadline of an order that is captured in part', () => {
  test('with policy void releases the rest, and the order is completed', async () => {
    await using shop = await openShop({ settings: { ...settings, capture_window_days: 1 } })
    shop.sweeper.start()
    const { capture, refund, order, booked } = callsOf(shop)
    const card = await shop.customer(FUNDS)
    const { reference, order_id } = await shop.order(card)
    await capture(reference, { total: '10' })
    await capture(reference, { total: '20.25' })
    await advance(shop, 'P1D')
    await shop.signIn()
    await untilQuiet(shop.db)
    const { status, total_captured } = await order(reference)
    assert.deepEqual([status, total_captured], ['COMPLETED', '30.2500'])
    assert.deepEqual(await shop.account(card), { balance: FUNDS - 3_025n, held: 0n })
    assert.partialDeepStrictEqual(await booked(order_id), { status: 'SETTLED', amount: 3_025n })
    assert.equal((await capture(reference, { total: '1' })).status, 406)
    assert.deepEqual((await eventsOf(await shop.ctx(), order_id)).slice(1), [
      ...['ORDER_CAPTURED', 'ORDER_CAPTURED', 'ORDER_CAPTURE_EXPIRING', 'ORDER_EXPIRED'],
    ])
    assert.equal((await refund(reference, '30.25')).body.status, 'SUCCESS')
    assert.deepEqual(await shop.account(card), { balance: FUNDS, held: 0n })
    await assertSound(shop.db)
  })

  test('with policy capture captures the rest', async () => {
    const policy = { deadline_policy: 'capture', capture_window_days: 1 }
    await using shop = await openShop({ settings: { ...settings, ...policy } })
    shop.sweeper.start()
    const { capture, order, booked, messages } = callsOf(shop)
    const card = await shop.customer(FUNDS)
    const { reference, order_id } = await shop.order(card, { total: '100.5050' })
    await capture(reference, { total: '10.005' })
    await advance(shop, 'P1D')
    await shop.signIn()
    await untilQuiet(shop.db)
    const { status, total_captured } = await order(reference)
    assert.deepEqual([status, total_captured], ['COMPLETED', '100.5050'])
    assert.deepEqual(await shop.account(card), { balance: FUNDS - 10_050n, held: 0n })
    assert.partialDeepStrictEqual(await booked(order_id), { status: 'SETTLED', held: 0n })
    assert.deepEqual(await messages(order_id), ['0100', '0220', '0220'])
    const events = await eventsOf(await shop.ctx(), order_id)
    assert.deepEqual([events.length, events.at(-1)], [4, 'ORDER_CAPTURED'])
    await assertSound(shop.db)
  })

  test('with policy capture releases the rest where the issuer declines it', async () => {
    await using opened = new AsyncDisposableStack()
    const issuer = keepIn(opened, await openIssuer())
    const policy = { deadline_policy: 'capture', capture_window_days: 1 }
    const shop = opened.use(
      await openShop({ issuer: issuer.port, settings: { ...settings, ...policy } }),
    )
    shop.sweeper.start()
    const { capture, refund, order } = callsOf(shop)
    const { reference, order_id } = await shop.order(scripted)
    await capture(reference, { total: '10' })
    issuer.script = ({ mti }) => (mti.startsWith('022') ? '05' : '00')
    await advance(shop, 'P1D')
    await shop.signIn()
    await until('a release', () => issuer.of('0420').length > 0)
    await untilQuiet(shop.db)
    const { status, total_captured } = await order(reference)
    assert.deepEqual([status, total_captured], ['COMPLETED', '10.0000'])
    const [release] = issuer.of('0420')
    assert.equal(parseReplacement(release?.fields[95] ?? '')?.actual, 1_000n)
    const events = await eventsOf(await shop.ctx(), order_id)
    assert.deepEqual(events.slice(-2), ['ORDER_CAPTURE_EXPIRING', 'ORDER_EXPIRED'])
    assert.equal((await refund(reference, '10')).body.status, 'SUCCESS')
  })

  test('comes after the end of the hold at the issuer: a part is posted all the same', async () => {
    const window = { capture_window_days: 20 }
    await using shop = await openShop({ settings: { ...settings, ...window } })
    shop.sweeper.start()
    const held = { clearing_hold_days: 1 }
    assert.equal((await shop.request('PUT', '/v1/tenantsettings', held)).status, 200)
    const { capture, booked } = callsOf(shop)
    const card = await shop.customer(FUNDS)
    const { reference, order_id } = await shop.order(card)
    await capture(reference, { total: '10' })
    await advance(shop, 'P2D')
    await shop.signIn()
    assert.deepEqual(await shop.account(card), { balance: FUNDS - 1_000n, held: 0n })
    for (const [total, captured] of [
      ['20', 3_000n],
      ['30', 6_000n],
    ] as const) {
      const answer = await capture(reference, { total, final: total === '30' })
      assert.equal(answer.body.status, 'SUCCESS', answer.text)
      assert.deepEqual(await shop.account(card), { balance: FUNDS - captured, held: 0n })
      const row = await booked(order_id)
      assert.partialDeepStrictEqual(row, { status: 'SETTLED', cleared_amount: captured })
      await untilQuiet(shop.db)
      await assertSound(shop.db)
    }
  })

  test('that races with parts leaves the sum of those that succeeded', async () => {
    await using shop = await openShop({ settings: { ...settings, capture_window_days: 1 } })
    shop.sweeper.start()
    const { capture, order } = callsOf(shop)
    const card = await shop.customer(20n * FUNDS)
    const orders = []
    for (let made = 0; made < 8; made += 1) orders.push(await shop.order(card, { total: '10' }))
    for (const { reference } of orders) await capture(reference, { total: '1' })
    await advance(shop, 'PT23H59M59.900S')
    await shop.signIn()
    const later = await Promise.all([
      ...orders.map(({ reference }) => capture(reference, { total: '2' })),
      advance(shop, 'PT1S'),
    ])
    await untilQuiet(shop.db)
    const succeeded = later.filter((answer) => answer?.body.status === 'SUCCESS').length
    const balance = 20n * FUNDS - BigInt(orders.length) * 100n - BigInt(succeeded) * 200n
    assert.deepEqual(await shop.account(card), { balance, held: 0n })
    for (const { reference } of orders) assert.equal((await order(reference)).status, 'COMPLETED')
    await assertSound(shop.db)
  })
})

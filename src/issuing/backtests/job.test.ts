/** The job of a backtest: in portions, by any process, with little memory, for a time. */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '#kit/context.ts'
import { firstIdAt } from '#lib/id.ts'
import { addDays } from '#lib/time.ts'
import { runBacktests } from '#test/support/backtests.ts'
import { growthOfHeap } from '#test/support/inspection/heap.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { openWorld } from '#test/support/world.ts'
import { lockDue, workOn } from './job.ts'
import { backtesting } from './sweeps.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const { call, card } = await openIssuer(world)

const DECISIONS = process.env['TEST_DEEP'] ? 50_000 : 320
const MB = 1_048_576

/** So many more payments of 1.00 like one that is stored, a millisecond apart, that expire. */
async function pays(card_id: string, count: number): Promise<void> {
  const body = { card_id, amount: 1, currency: 'AED' }
  const { id } = (await call('POST', '/v1/simulate/authorizations', body)).body
  const prefix = `${firstIdAt(Date.now()).slice(0, 14)}7000-8000-`
  await sql`
    insert into transactions (tenant_id, id, card_id, account_id, transaction_type, status,
      status_code, amount, currency, sequence, created, details)
    select tenant_id, (${prefix} || lpad(to_hex(n), 12, '0'))::uuid, card_id, account_id,
      transaction_type, 'EXPIRED', status_code, amount, currency, 2,
      created - (${count}::int - n) * interval '1 millisecond', jsonb_set(details::jsonb, '{events}',
        jsonb_build_array(
          details::jsonb -> 'events' -> 0 || jsonb_build_object('after', jsonb_build_object(
            'status', 'PENDING', 'status_code', status_code, 'amount', amount::text,
            'billing_amount', amount::text, 'cleared_amount', '0', 'refunded_amount', '0',
            'hold_expires', created)),
          jsonb_build_object('type', 'EXPIRED', 'status_code', status_code, 'amount', amount::text,
            'created', created - (${count}::int - n - 200) * interval '1 millisecond')))
    from transactions, generate_series(1, ${count}::int) n
    where tenant_id = ${world.tenant.id} and id = ${id}`.execute(world.db)
}

async function start(body: object): Promise<string> {
  const { now } = await world.ctx()
  const period = { from: addDays(now, -1), to: addDays(now, 1) }
  const answer = await call('POST', '/v1/controls:backtest', { ...period, ...body })
  assert.equal(answer.status, 202, answer.text)
  return answer.body.id
}
const read = async (id: string) => (await call('GET', `/v1/controls/backtests/${id}`)).body
/** A portion that ends before its COMMIT, as of a process that is killed. */
async function lose(): Promise<void> {
  const lost = transact(await world.ctx(), async (tx) => {
    const job = await lockDue(tx)
    if (job) await workOn(tx, job)
    throw new Error('killed')
  })
  await assert.rejects(lost, /killed/)
}

describe('the job of a backtest', () => {
  const limits = [
    { type: 'CUMULATIVE', currency: 'AED', max_amount: 150, period: 'LIFETIME' },
    { type: 'PER_TRANSACTION', currency: 'AED', frequency: 900, max_amount: 9, period: 'DAILY' },
  ]

  test('goes on after a kill in any process, and finds what it finds in one go', async () => {
    const { card_id } = await card(2)
    await pays(card_id, DECISIONS)
    const body = { card_id, velocity_limits: limits }
    const whole = await start(body)
    await runBacktests(world)
    const broken = await start(body)
    await lose()
    const [one, other] = [backtesting(), backtesting()]
    await one.run(await world.ctx())
    const { progress, status } = await read(broken)
    assert.deepEqual([progress.read, status], [100, 'RUNNING'])
    await lose()
    const contexts = await Promise.all([world.ctx(), world.ctx()])
    await Promise.all([one.run(contexts[0]), other.run(contexts[1])])
    await runBacktests(world)
    const [first, second] = [await read(whole), await read(broken)]
    assert.deepEqual(second.result, first.result)
    assert.equal(first.progress.read, second.progress.read)
    assert.equal(first.result.evaluated, first.progress.read)
    assert.ok(first.result.would_decline[0].number > 0)
  })

  test('keeps little in memory, and nothing in its tables once it has ended', async () => {
    const growth = growthOfHeap()
    const id = await start({ velocity_limits: limits })
    await runBacktests(world)
    assert.equal((await read(id)).status, 'COMPLETED')
    assert.ok(growth() < 16 * MB)
    for (const table of ['backtest_counters', 'backtest_open'] as const) {
      const left = await world.db.selectFrom(table).selectAll().limit(1).execute()
      assert.deepEqual(left, [], table)
    }
  })

  test('stops at a cancellation between two portions', async () => {
    const id = await start({ velocity_limits: limits })
    await backtesting().run(await world.ctx())
    await call('POST', `/v1/controls/backtests/${id}:cancel`)
    await runBacktests(world)
    const { status, progress } = await read(id)
    assert.deepEqual([status, progress.read], ['CANCELLED', 100])
  })

  test('deletes a backtest when it expires', async () => {
    const id = await start({ velocity_limits: limits })
    await runBacktests(world)
    const { expires } = await read(id)
    const ctx = await world.ctx()
    const later = { ...ctx, now: new Date(expires) }
    await backtesting().run(later)
    assert.equal((await call('GET', `/v1/controls/backtests/${id}`)).status, 200)
    while ((await backtesting().run({ ...later, now: addDays(later.now, 1) })).more);
    assert.equal((await call('GET', `/v1/controls/backtests/${id}`)).status, 404)
  })

  test('ends as FAILED after five portions that fail', async () => {
    const id = await start({ velocity_limits: limits })
    const broken = sql`update backtests set plan = '{}' where id = ${id}`
    await broken.execute(world.db)
    const ctx = await world.ctx()
    for (let at = 1; at <= 5; at += 1) {
      const now = new Date(ctx.now.getTime() + at * 6_000)
      await assert.rejects(backtesting().run({ ...ctx, now }))
    }
    const { status, error } = await read(id)
    assert.deepEqual([status, typeof error], ['FAILED', 'string'])
  })
})

/**
 * Authorizations by hour (D-610): the counted messages, the stored counts, and clocks that were
 * moved.
 */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { firstIdAt } from '#lib/id.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { openWorld } from '#test/support/world.ts'

const keep = keeper()
const world = keep(await openWorld())
const HOUR = 3_600_000

type Hour = {
  hour: string
  approved: number
  declined: number
  amounts: { currency: string; approved_amount: number }[]
  declines: { status_code: string; number: number }[]
}

/** A tenant of its own, with the calls of its tests. */
async function openCounted() {
  const issuer = await openIssuer(world, await world.otherTenant())
  const { call, tenant } = issuer
  const post = async (path: string, body: object) => {
    const answer = await call('POST', `/v1/simulate/${path}`, body)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  return {
    ...issuer,
    post,
    async pay(card_id: string, amount: number) {
      return post('authorizations', { card_id, amount, currency: 'AED' })
    },
    async read(query: Record<string, string> = {}): Promise<{ state: string; hours: Hour[] }> {
      const path = `/v1/statistics/authorizations?${new URLSearchParams(query)}`
      const answer = await call('GET', path)
      assert.equal(answer.status, 200, answer.text)
      return answer.body
    },
    /** Copies what was decided within the last hour to so many milliseconds before. */
    async copyBack(milliseconds: number) {
      const id_time = firstIdAt(Date.now() - milliseconds).slice(0, 13)
      const changes = sql`json_build_object('id', ${id_time}::text || right(t.id::text, 23),
        'created', t.created - ${milliseconds / 1000}::int * interval '1 second',
        'message_key', null)`
      await sql`
        insert into transactions select (json_populate_record(t, ${changes})).* from transactions t
        where tenant_id = ${tenant.id} and created > ${new Date(Date.now() - HOUR)}
      `.execute(world.db)
    },
    stored: async (): Promise<number> => {
      const { rows } = await sql<{ number: bigint }>`
        select count(*) as number from decision_counts where tenant_id = ${tenant.id}
      `.execute(world.db)
      return Number(rows[0]?.number)
    },
    forget: (table: 'decision_counts' | 'transactions') =>
      sql`delete from ${sql.table(table)} where tenant_id = ${tenant.id}`.execute(world.db),
  }
}

const sums = (hours: readonly Hour[]) => ({
  approved: hours.reduce((sum, { approved }) => sum + approved, 0),
  declined: hours.reduce((sum, { declined }) => sum + declined, 0),
})

describe('GET /statistics/authorizations', () => {
  test('200 counts first decisions of requests, whatever becomes of them', async () => {
    const { card, pay, post, read } = await openCounted()
    const { card_id } = await card(100)
    const { id } = await pay(card_id, 40)
    await post(`authorizations/${id}:increment`, { amount: 10 })
    await post(`authorizations/${id}:clear`, {})
    await post('refunds', { transaction_id: id, amount: 5, currency: 'AED' })
    const reversed = await pay(card_id, 15)
    await post(`authorizations/${reversed.id}:reverse`, {})
    assert.notEqual((await pay(card_id, 900)).status_code, '0000')
    const { state, hours } = await read()
    assert.deepEqual([state, sums(hours)], ['COMPLETE', { approved: 2, declined: 1 }])
    const amounts = hours.flatMap((hour) => hour.amounts)
    assert.equal(
      amounts.reduce((sum, { approved_amount }) => sum + approved_amount, 0),
      55,
    )
    assert.deepEqual(
      hours.flatMap(({ declines }) => declines.map(({ number }) => number)),
      [1],
    )
  })

  test('200 of a tenant without transactions has every hour with nothing', async () => {
    const { read } = await openCounted()
    const { hours } = await read()
    assert.equal(hours.length, 48)
    assert.deepEqual(sums(hours), { approved: 0, declined: 0 })
  })

  test('200 of a time before all ids has nothing', async () => {
    const { read } = await openCounted()
    const { hours } = await read({ to: '1970-01-01T00:00:00Z' })
    assert.deepEqual(sums(hours), { approved: 0, declined: 0 })
  })

  test('200 has the hours of the first and the last year as far as there are any', async () => {
    const { call } = await openCounted()
    const periodOf = async (to: string) => {
      const { status, body } = await call('GET', `/v1/statistics/authorizations?to=${to}`)
      return [status, body.from, body.to]
    }
    assert.deepEqual(await periodOf('0001-01-01T05:00:00Z'), [
      ...[200, '0001-01-01T00:00:00.000Z', '0001-01-01T05:00:00.000Z'],
    ])
    assert.deepEqual(await periodOf('9999-12-31T23:30:00Z'), [
      ...[200, '9999-12-29T23:00:00.000Z', '9999-12-31T23:00:00.000Z'],
    ])
  })

  test('200 counts those of the own tenant alone', async () => {
    const [mine, theirs] = [await openCounted(), await openCounted()]
    await mine.pay((await mine.card(10)).card_id, 1)
    assert.deepEqual(sums((await theirs.read()).hours), { approved: 0, declined: 0 })
  })

  test('400 names the fault of a period', async () => {
    const { call } = await openCounted()
    for (const query of ['from=yesterday', 'from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z']) {
      const answer = await call('GET', `/v1/statistics/authorizations?${query}`)
      assert.deepEqual([answer.status, answer.body.code], [400, 'validation_failed'])
    }
  })
})

describe('quarters that have ended', () => {
  test('are stored once, with the counts that a new count has', async () => {
    const { card, copyBack, forget, pay, read, stored } = await openCounted()
    const { card_id } = await card(100)
    await pay(card_id, 40)
    await pay(card_id, 900)
    await copyBack(3 * HOUR)
    await copyBack(5 * HOUR)
    const counted = await read()
    assert.deepEqual(sums(counted.hours), { approved: 3, declined: 3 })
    const kept = await stored()
    assert.ok(kept > 180)
    const repeated = await read()
    assert.deepEqual(repeated.hours, counted.hours)
    await forget('decision_counts')
    assert.deepEqual((await read()).hours, counted.hours)
    // Only the last quarters are counted anew: those before them are known.
    await forget('transactions')
    assert.deepEqual(sums((await read()).hours), { approved: 2, declined: 2 })
  })

  test('are the same for calls at one time', async () => {
    const { card, copyBack, pay, read } = await openCounted()
    await pay((await card(100)).card_id, 40)
    await copyBack(26 * HOUR)
    const answers = await Promise.all([read(), read(), read()])
    for (const { hours } of answers) assert.equal(sums(hours).approved, 2)
    assert.equal(sums((await read()).hours).approved, 2)
  })
})

describe('a clock that was moved', () => {
  test('has each decision in the hour that it showed, and keeps no counts', async () => {
    const { call, card, pay, read, stored } = await openCounted()
    const { card_id } = await card(100)
    const move = (advance: string) => call('PUT', '/v1/simulate/clock', { advance })
    const hourNow = async () => {
      const { now } = (await call('GET', '/v1/simulate/clock')).body
      return new Date(Math.floor(Date.parse(now) / HOUR) * HOUR).toISOString()
    }
    const expected = new Map<string, number>()
    for (const advance of ['PT3H', 'P1D', 'PT20M', 'PT5H']) {
      const before = await hourNow()
      await pay(card_id, 1)
      // Between two hours it may belong to either.
      if (before === (await hourNow())) expected.set(before, (expected.get(before) ?? 0) + 1)
      await move(advance)
    }
    const { hours, state } = await read()
    assert.deepEqual([state, sums(hours).approved], ['COMPLETE', 4])
    for (const [hour, number] of expected) {
      assert.equal(hours.find((each) => each.hour === hour)?.approved, number)
    }
    assert.equal(await stored(), 0)
  })

  test('leaves what was counted before', async () => {
    const { call, card, copyBack, pay, read, stored } = await openCounted()
    await pay((await card(100)).card_id, 1)
    await copyBack(3 * HOUR)
    await read()
    const kept = await stored()
    await call('PUT', '/v1/simulate/clock', { advance: 'PT10H' })
    assert.equal(sums((await read()).hours).approved, 2)
    assert.equal(await stored(), kept)
  })
})

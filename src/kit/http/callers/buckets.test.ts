/** Buckets in both of their forms: taken with the caller (PostgreSQL), and behind it (Citus). */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { hashApiKey, makeApiKey } from '#callers/api_keys.ts'
import { callerOf, type KeyCache } from '#callers/keys.ts'
import { createApiKey } from '#issuing/tenants/tenants.ts'
import { RunningClock } from '#kit/clock.ts'
import { openDatabase } from '#kit/db/database.ts'
import { USUAL_ROLE } from '#kit/db/security/program_role.ts'
import { formsOf } from '#test/support/cluster/forms.ts'
import { openWorld, type TestTenant } from '#test/support/world.ts'
import { CallerCache } from './caller_cache.ts'
import { NO_TENANT } from './callers.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const forms = await formsOf(world.url)

/** A process that sends statements in one of the forms. */
function openProcess(explicit: boolean | undefined) {
  const form = explicit === undefined ? {} : { explicit }
  const { db, close } = openDatabase(world.url, 4, { role: USUAL_ROLE, ...form })
  after(close)
  const cache: KeyCache = new CallerCache(new RunningClock())
  return (key: string) => callerOf({ ...world.services, db }, key, cache)
}

const bucketOf = (key: string) =>
  world.db
    .selectFrom('rate_buckets')
    .selectAll()
    .where('key_hash', '=', hashApiKey(key))
    .executeTakeFirst()

/** So slow that no token comes back while a test runs. */
const slow = (burst: number): Promise<TestTenant> =>
  world.otherTenant({ rate_limit_per_second: 0.001, rate_limit_burst: burst })

for (const explicit of forms) {
  const call = openProcess(explicit)

  describe(`a bucket ${explicit === false ? 'with its caller' : 'behind its caller'}`, () => {
    test('is the tenant’s, and lets exactly the burst pass', async () => {
      const { id, api_key } = await slow(20)
      const callers = await Promise.all(Array.from({ length: 50 }, () => call(api_key)))
      assert.equal(callers.filter(({ rate }) => rate.allowed).length, 20)
      assert.equal((await bucketOf(api_key))?.tenant_id, id)
    })

    test('is of no tenant where the caller is the operator', async () => {
      await call(world.operator_key)
      assert.equal((await bucketOf(world.operator_key))?.tenant_id, NO_TENANT)
    })

    test('fills in time, up to the burst', async () => {
      const { api_key } = await slow(5)
      for (let sent = 0; sent < 5; sent += 1) await call(api_key)
      const age = (seconds: number) =>
        world.db
          .updateTable('rate_buckets')
          .set({ filled: new Date(Date.now() - seconds * 1000) })
          .where('key_hash', '=', hashApiKey(api_key))
          .execute()
      await age(2_500)
      const some = await Promise.all(Array.from({ length: 5 }, () => call(api_key)))
      assert.equal(some.filter(({ rate }) => rate.allowed).length, 2)
      await age(1e6)
      const most = await Promise.all(Array.from({ length: 9 }, () => call(api_key)))
      assert.equal(most.filter(({ rate }) => rate.allowed).length, 5)
    })

    test('is not written for a key that nobody has', async () => {
      const { key } = makeApiKey()
      await assert.rejects(call(key), { code: 'unauthenticated' })
      assert.equal(await bucketOf(key), undefined)
    })
  })
}

describe('all keys of a tenant together', () => {
  /** A bucket of the tenant of four times those of its keys, unless it is set. */
  async function keysOf(settings: object, count: number): Promise<string[]> {
    const slow = { rate_limit_per_second: 1e-5, rate_limit_burst: 5, ...settings }
    const { id } = await world.otherTenant(slow)
    const ctx = await world.ctx(id)
    const made = Array.from({ length: count }, () => createApiKey(ctx, id, ['read']))
    return (await Promise.all(made)).map(({ key }) => key)
  }
  const everywhere = [openProcess(forms[0]), openProcess(forms.at(-1))]
  /** Ten requests of each key, half of them at each of two processes. */
  async function pass(keys: readonly string[]): Promise<number> {
    const sent = keys.flatMap((key) =>
      everywhere.flatMap((call) => Array.from({ length: 5 }, () => call(key))),
    )
    return (await Promise.all(sent)).filter(({ rate }) => rate.allowed).length
  }

  test('may send four bursts of a key, at two processes', async () => {
    assert.equal(await pass(await keysOf({}, 12)), 20)
    assert.equal(await pass(await keysOf({}, 3)), 15)
  })

  test('may send what the operator has set', async () => {
    assert.equal(await pass(await keysOf({ tenant_rate_limit_burst: 7 }, 4)), 7)
  })

  test('are not kept from it by one that is beyond its own rate', async () => {
    const [greedy = '', ...others] = await keysOf({}, 4)
    for (let round = 0; round < 3; round += 1) await pass([greedy])
    assert.equal(await pass(others), 15)
  })

  test('wait until the tenant has a token again', async () => {
    const keys = await keysOf({ tenant_rate_limit_burst: 1 }, 2)
    assert.equal(await pass(keys), 1)
    const [call] = everywhere
    const { rate } = (await call?.(keys[1] ?? '')) ?? {}
    assert.deepEqual([rate?.allowed, rate?.limit, rate?.remaining], [false, 1, 0])
    assert.ok(rate && rate.wait_seconds > 10_000)
  })
})

test('processes of both forms take from one bucket', async () => {
  const { api_key } = await slow(6)
  const [one, other] = [openProcess(forms[0]), openProcess(forms.at(-1))]
  const sent = Array.from({ length: 6 }, () => [one(api_key), other(api_key)])
  const callers = await Promise.all(sent.flat())
  assert.equal(callers.filter(({ rate }) => rate.allowed).length, 6)
})

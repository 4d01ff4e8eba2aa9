/** Buckets in both of their forms: taken with the caller (PostgreSQL), and behind it (Citus). */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { RunningClock } from '#kit/clock.ts'
import { openDatabase } from '#kit/db/database.ts'
import { USUAL_ROLE } from '#kit/db/security/program_role.ts'
import { formsOf } from '#test/support/cluster/forms.ts'
import { openWorld, type TestTenant } from '#test/support/world.ts'
import { hashApiKey, makeApiKey } from './api_keys.ts'
import { CallerCache } from './caller_cache.ts'
import { callerOf, type KeyCache, NO_TENANT } from './callers.ts'

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

test('processes of both forms take from one bucket', async () => {
  const { api_key } = await slow(6)
  const [one, other] = [openProcess(forms[0]), openProcess(forms.at(-1))]
  const sent = Array.from({ length: 6 }, () => [one(api_key), other(api_key)])
  const callers = await Promise.all(sent.flat())
  assert.equal(callers.filter(({ rate }) => rate.allowed).length, 6)
})

/** Callers and their tokens in two processes on one database (D-11, D-390, D-391). */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { callerOf, type KeyCache } from '#callers/keys.ts'
import { RunningClock, readClock } from '#kit/clock.ts'
import { openWorld, type TestTenant } from '#test/support/world.ts'
import { CallerCache } from './caller_cache.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

const openCache = (): KeyCache => new CallerCache(new RunningClock())
const callerBy = (cache: KeyCache, { api_key }: TestTenant) =>
  callerOf(world.services, api_key, cache)

const setRevoked = ({ id }: TestTenant, revoked: Date | null) =>
  world.db.updateTable('api_keys').set({ revoked }).where('tenant_id', '=', id).execute()

describe('requests of one key', () => {
  test('pass at most 1.02 x burst and what the rate gives, over processes that also end', async () => {
    const [rate, burst, run_ms] = [200, 100, 250]
    const step = fc.record({
      process: fc.nat(2),
      requests: fc.integer({ min: 1, max: 60 }),
      pause_ms: fc.nat(40),
      ends: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
        const settings = { rate_limit_per_second: rate, rate_limit_burst: burst }
        const tenant = await world.otherTenant(settings)
        const caches = [openCache(), openCache(), openCache()]
        const begun = performance.now()
        let passed = 0
        for (const { process, requests, pause_ms, ends } of steps) {
          const cache = caches[process] ?? openCache()
          const sent = Array.from({ length: requests }, () => callerBy(cache, tenant))
          passed += (await Promise.all(sent)).filter((caller) => caller.rate.allowed).length
          if (ends) caches[process] = openCache()
          await pause(pause_ms)
          if (performance.now() - begun > run_ms) break
        }
        const gained = (rate * (performance.now() - begun)) / 1000
        assert.ok(passed <= 1.02 * burst + gained, `${passed} passed`)
      }),
      { numRuns: 12 },
    )
  })

  test('all pass within the rate, from several processes', async () => {
    const tenant = await world.otherTenant({ rate_limit_per_second: 500, rate_limit_burst: 50 })
    const caches = [openCache(), openCache(), openCache(), openCache()]
    for (let turn = 0; turn < 100; turn++) {
      const caller = await callerBy(caches[turn % 4] ?? openCache(), tenant)
      assert.ok(caller.rate.allowed, `request ${turn}`)
      await pause(8)
    }
  })

  test('need few statements while many come', async () => {
    const cache = new CallerCache(new RunningClock())
    const ofTenant = { tenant_tokens: null, tenant_rate: null, tenant_burst: null }
    const known = { ...ofTenant, offset_ms: 0, real: new Date() }
    const state = { ...known, tokens: 1e6, rate: 1e6, burst: 1e6 }
    let statements = 0
    for (let sent = 0; sent < 2_000; sent++) {
      await cache.take(Buffer.from('one'), async ({ waiting, ahead }) => {
        statements += 1
        return { ...state, granted: waiting + ahead }
      })
    }
    assert.ok(statements < 200, `${statements} statements`)
  })
})

describe('what another process changes', () => {
  test('is seen within two seconds: a revoked key', async () => {
    const tenant = await world.otherTenant()
    const cache = openCache()
    await callerBy(cache, tenant)
    await setRevoked(tenant, new Date())
    await pause(2_000)
    await assert.rejects(callerBy(cache, tenant), { code: 'unauthenticated' })
  })

  test('is seen within two seconds: a moved clock', async () => {
    const tenant = await world.otherTenant()
    const cache = openCache()
    const { ctx: before } = await callerBy(cache, tenant)
    const day = 24 * 60 * 60 * 1000
    await world.request('PUT', '/v1/simulate/clock', { advance: 'P1D' }, { key: tenant.api_key })
    await pause(2_000)
    const { ctx } = await callerBy(cache, tenant)
    assert.ok(ctx.now.getTime() - before.now.getTime() > day)
  })
})

test('the time of requests never goes back, and follows the database’s clock', async () => {
  const tenant = await world.otherTenant()
  const cache = openCache()
  let [before, last] = [0, 0]
  for (let turn = 0; turn < 200; turn++) {
    before = (await readClock(world.db)).getTime()
    const now = (await callerBy(cache, tenant)).ctx.now.getTime()
    assert.ok(now >= last, `${last - now} ms back`)
    last = now
  }
  assert.ok(before - last < 1_000, `${before - last} ms behind`)
  const after = (await readClock(world.db)).getTime()
  assert.ok(last <= after + 1, `${last - after} ms ahead`)
})

test('an unknown key is looked up each time', async () => {
  const tenant = await world.otherTenant()
  const cache = openCache()
  await setRevoked(tenant, new Date())
  await assert.rejects(callerBy(cache, tenant), { code: 'unauthenticated' })
  await setRevoked(tenant, null)
  assert.equal((await callerBy(cache, tenant)).ctx.tenant_id, tenant.id)
})

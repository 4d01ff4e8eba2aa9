/** The rate of a key (D-11): a bucket that fills in real time. */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { hashApiKey } from '#callers/api_keys.ts'
import { openWorld } from './support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

const ask = (key: string) => world.request('GET', '/v1/simulate/clock', undefined, { key })

/** Lets the bucket of a key fill as it would in so many milliseconds. */
async function age(api_key: string, milliseconds: number): Promise<void> {
  const row = world.db.selectFrom('rate_buckets').select('filled')
  const key_hash = hashApiKey(api_key)
  const { filled } = await row.where('key_hash', '=', key_hash).executeTakeFirstOrThrow()
  await world.db
    .updateTable('rate_buckets')
    .set({ filled: new Date(filled.getTime() - milliseconds) })
    .where('key_hash', '=', key_hash)
    .execute()
}

/** The rate is so low that no token comes back while a test runs. */
const SLOW = { rate_limit_per_second: 0.001, rate_limit_burst: 5 }

describe('the rate limit', () => {
  test('lets exactly the burst pass, also when all come at once', async () => {
    const { api_key } = await world.otherTenant({ ...SLOW, rate_limit_burst: 20 })
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(api_key)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 20)
    assert.equal(answers.filter(({ status }) => status === 429).length, 30)
  })

  test('returns what is left, and in a 429 how long to wait', async () => {
    const { api_key } = await world.otherTenant(SLOW)
    for (const left of [4, 3, 2, 1, 0]) {
      const { status, headers } = await ask(api_key)
      assert.equal(status, 200)
      assert.equal(headers['ratelimit-limit'], '5')
      assert.equal(headers['ratelimit-remaining'], String(left))
    }
    const { status, body, headers } = await ask(api_key)
    assert.equal(status, 429)
    assert.equal(body.code, 'rate_limited')
    assert.equal(headers['ratelimit-remaining'], '0')
    const wait = Number(headers['retry-after'])
    assert.ok(wait > 990 && wait <= 1000, String(wait))
    assert.equal(headers['ratelimit-reset'], headers['retry-after'])
  })

  test('passes the next request after the wait that a 429 names', async () => {
    const { api_key } = await world.otherTenant(SLOW)
    for (let sent = 0; sent < 5; sent++) await ask(api_key)
    const limited = await ask(api_key)
    await age(api_key, Number(limited.headers['retry-after']) * 1000)
    assert.equal((await ask(api_key)).status, 200)
    assert.equal((await ask(api_key)).status, 429)
  })

  test('never saves more than the burst', async () => {
    const { api_key } = await world.otherTenant(SLOW)
    await ask(api_key)
    await age(api_key, 1_000_000_000)
    const answers = await Promise.all(Array.from({ length: 9 }, () => ask(api_key)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 5)
  })

  test('of one key leaves other keys of the tenant and other tenants alone', async () => {
    const tenant = await world.otherTenant({ ...SLOW, rate_limit_burst: 1 })
    const path = `/v1/operator/tenants/${tenant.id}/keys`
    const made = await world.request(
      'POST',
      path,
      { permissions: ['read'] },
      {
        key: world.operator_key,
      },
    )
    await ask(tenant.api_key)
    assert.equal((await ask(tenant.api_key)).status, 429)
    assert.equal((await ask(made.body.key)).status, 200)
    assert.equal((await ask(world.tenant.api_key)).status, 200)
  })

  test('counts requests that fail for another reason too', async () => {
    const { api_key } = await world.otherTenant({ ...SLOW, rate_limit_burst: 2 })
    for (const expected of [403, 403, 429]) {
      const path = '/v1/operator/tenants'
      const { status } = await world.request('GET', path, undefined, { key: api_key })
      assert.equal(status, expected)
    }
  })

  test('changes with the setting at once', async () => {
    const { id, api_key } = await world.otherTenant({ ...SLOW, rate_limit_burst: 1 })
    await ask(api_key)
    assert.equal((await ask(api_key)).status, 429)
    const path = `/v1/operator/tenants/${id}/settings`
    const change = { rate_limit_per_second: 1e6, rate_limit_burst: 100 }
    await world.request('PUT', path, change, { key: world.operator_key })
    assert.equal((await ask(api_key)).status, 200)
  })
})

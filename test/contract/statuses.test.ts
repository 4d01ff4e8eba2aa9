/** Every operation gives each of the answers that its kind of operation gives. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { hashApiKey } from '#kit/api_keys.ts'
import { BODY_LIMIT_BYTES } from '#kit/body.ts'
import { type Belongings, createBelongings } from '#test/support/belongings.ts'
import { documentsOf, type Operation } from '#test/support/operations.ts'
import { keyFor, keyWithout, sampleOf, straySamples, urlOf } from '#test/support/samples.ts'
import { type Answer, openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const { request } = world
const operations = documentsOf(world.config).flatMap((document) => document.operations)
const shared = await createBelongings(world)

type Asking = { key?: string | null; headers?: Record<string, string>; payload?: unknown }

/** The operation's own sample, but for what is said otherwise. */
function ask(operation: Operation, belongings: Belongings, url: string, asking: Asking = {}) {
  const { payload = sampleOf(operation, belongings)?.body, headers = {} } = asking
  const { key = keyFor(operation, world, belongings) } = asking
  return request(operation.method, url, payload, { key, headers })
}
const sampleUrl = (operation: Operation, belongings = shared) =>
  urlOf(operation, sampleOf(operation, belongings)?.params)

/** What makes each status, of any operation that documents it. */
const makers: Readonly<Record<number, (operation: Operation) => Promise<Answer>>> = {
  400: (operation) => ask(operation, shared, `${sampleUrl(operation)}?no_such_parameter=1`),
  401: (operation) => ask(operation, shared, sampleUrl(operation), { key: null }),
  403: (operation) =>
    ask(operation, shared, sampleUrl(operation), { key: keyWithout(operation, world, shared) }),
  404: (operation) => {
    const names = Object.keys(sampleOf(operation, shared)?.params ?? {})
    const params = Object.fromEntries(names.map((name) => [name, randomUUID()]))
    return ask(operation, shared, urlOf(operation, params))
  },
  409: reuseOfKey,
  413: (operation) => {
    const headers = { 'content-type': 'application/json' }
    const payload = ' '.repeat(BODY_LIMIT_BYTES + 1)
    return ask(operation, shared, sampleUrl(operation), { headers, payload })
  },
  415: (operation) => {
    const headers = { 'content-type': 'text/plain' }
    return ask(operation, shared, sampleUrl(operation), { headers, payload: 'text' })
  },
  429: withEmptyBucket,
}

const codes: Readonly<Record<number, string>> = {
  400: 'validation_failed',
  401: 'unauthenticated',
  403: 'permission_missing',
  404: 'not_found',
  409: 'idempotency_key_reused',
  413: 'too_large',
  415: 'content_type_unsupported',
  429: 'rate_limited',
}

/** The key is used for another request first. */
async function reuseOfKey(operation: Operation): Promise<Answer> {
  const key = keyFor(operation, world, shared)
  const headers = { [String(operation.idempotencyHeader)]: randomUUID() }
  const [url, body] =
    operation.permission === 'operator'
      ? ['/v1/operator/tenants', { name: 'The first' }]
      : ['/v1/users:search', { name: 'The first' }]
  const first = await request('POST', url, body, { key, headers })
  assert.equal(first.status, 200, first.text)
  return ask(operation, shared, sampleUrl(operation), { headers })
}

async function withEmptyBucket(operation: Operation): Promise<Answer> {
  const key_hash = hashApiKey(keyFor(operation, world, shared))
  const filled = new Date(Date.now() + 60_000)
  const empty = { key_hash, tokens: 0, allowed: false, filled }
  await world.db
    .insertInto('rate_buckets')
    .values(empty)
    .onConflict((conflict) => conflict.column('key_hash').doUpdateSet(empty))
    .execute()
  try {
    return await ask(operation, shared, sampleUrl(operation))
  } finally {
    await world.db.deleteFrom('rate_buckets').where('key_hash', '=', key_hash).execute()
  }
}

test('every operation has a sample, and every sample an operation', () => {
  const without = operations.filter((operation) => !sampleOf(operation, shared))
  assert.deepEqual(
    without.map(({ name }) => name),
    [],
    'add a request that succeeds to test/support/samples.ts',
  )
  assert.deepEqual(straySamples(operations), [])
})

for (const operation of operations) {
  describe(operation.name, () => {
    for (const [status, make] of Object.entries(makers)) {
      const isKeyless = status === '409' && operation.idempotencyHeader === undefined
      if (operation.responses[status] === undefined || isKeyless) continue
      test(`${status} ${codes[Number(status)]}`, async () => {
        const answer = await make(operation)
        assert.equal(answer.status, Number(status), answer.text)
        assert.equal(answer.body.code, codes[answer.status])
      })
    }
    test(`${operation.success} for its sample`, async () => {
      const belongings = await createBelongings(world)
      const answer = await ask(operation, belongings, sampleUrl(operation, belongings))
      assert.equal(answer.status, operation.success, answer.text)
    })
  })
}

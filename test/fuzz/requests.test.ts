/**
 * Requests generated from the document never break the server: valid ones, ones wrong in one field,
 * of swapped types, on the bounds, and any JSON at all. Replay with SEED=…, and more
 * of them with --deep.
 */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { requests } from '#test/support/contract/arbitraries.ts'
import { createBelongings } from '#test/support/contract/belongings.ts'
import { documentsOf } from '#test/support/contract/operations.ts'
import { callerOf, sampleOf, urlOf } from '#test/support/contract/samples.ts'
import { belongingsFor } from '#test/support/contract/sharing.ts'
import { growthOfHeap } from '#test/support/inspection/heap.ts'
import { keeper } from '#test/support/keeper.ts'
import { listenForCards } from '#test/support/network/purchases.ts'
import { liftRateLimit } from '#test/support/rate.ts'
import { openWorld } from '#test/support/world.ts'

const keep = keeper()
const world = keep(await openWorld())
keep(await listenForCards(world))
await liftRateLimit(world.db)
const shared = await createBelongings(world, { orders: true })

const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31)
const numRuns = process.env['TEST_DEEP'] ? 10_000 : 8
/** While one waits for the database, others are made and checked. */
const concurrency = 6
const HEAP_GROWTH_MAX = 64 * 1024 * 1024

// fast-check keeps a table of all characters, 86 MB, from its first text of them on.
fc.sample(fc.string({ unit: 'binary' }), 1)
const grown = growthOfHeap()

describe('every answer is one of the document', { concurrency }, () => {
  for (const { operations, resolve } of documentsOf(world.config)) {
    for (const operation of operations) {
      test(operation.name, async (t) => {
        t.diagnostic(`SEED=${seed}`)
        const belongings = await belongingsFor(world, operation, shared)
        const caller = callerOf(operation, world, belongings)
        const sample = sampleOf(operation, belongings) ?? {}
        const making = { resolve, ids: Object.values(belongings.ids) }
        await fc.assert(
          fc.asyncProperty(requests(operation, sample, making), async (made) => {
            const params = encoded(made.params)
            const url = urlOf(operation, params, made.query)
            const { body } = made
            // Strings and the like are sent as the JSON they are, not as text.
            const payload = body === undefined ? undefined : JSON.stringify(body)
            const headers = {
              ...caller.headers,
              ...(payload !== undefined && { 'content-type': 'application/json' }),
            }
            const options = { key: caller.key, headers }
            const answer = await world.request(operation.method, url, payload, options)
            assert.ok(answer.status < 500, answer.text)
          }),
          { seed, numRuns },
        )
        world.logged.length = 0
      })
    }
  }
})

/** A segment of dots names another path, before any server sees it. */
const DOTS = /^\.{1,2}$/

const encoded = (params: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      encodeURIComponent(value.toWellFormed().replace(DOTS, 'dots')),
    ]),
  )

test('the server lives on, and its memory has not grown', async () => {
  assert.equal((await world.request('GET', '/v1/tenantsettings')).status, 200)
  const bytes = grown()
  assert.ok(bytes < HEAP_GROWTH_MAX, `${bytes} bytes more than before`)
})

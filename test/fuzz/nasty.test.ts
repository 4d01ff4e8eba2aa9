/**
 * Values that break servers, in the place of every string and number of every body, and as whole
 * bodies: rejected or accepted, never a 5xx, and never slow.
 */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Belongings, createBelongings } from '#test/support/contract/belongings.ts'
import { large, neverBodies, neverRight, oftenWrong } from '#test/support/contract/nasty.ts'
import { type Document, documentsOf, type Operation } from '#test/support/contract/operations.ts'
import { leavesOf, withText } from '#test/support/contract/places.ts'
import { callerOf, sampleOf, urlOf } from '#test/support/contract/samples.ts'
import { belongingsFor } from '#test/support/contract/sharing.ts'
import { keeper } from '#test/support/keeper.ts'
import { listenForCards } from '#test/support/network/purchases.ts'
import { liftRateLimit } from '#test/support/rate.ts'
import { type Answer, openWorld } from '#test/support/world.ts'

const keep = keeper()
const world = keep(await openWorld())
keep(await listenForCards(world))
await liftRateLimit(world.db)
const shared = await createBelongings(world, { orders: true })

/** Time of the processor for each request on average: a busy machine does not fail the test. */
const LONGEST_MS = 100

type Asker = (body: string | Buffer, headers?: Record<string, string>) => Promise<Answer>

function askerOf(operation: Operation, belongings: Belongings): { ask: Asker; good: object } {
  const { params, body = {} } = sampleOf(operation, belongings) ?? {}
  const { key, headers } = callerOf(operation, world, belongings)
  const url = urlOf(operation, params)
  const json = { ...headers, 'content-type': 'application/json' }
  return {
    good: body,
    ask: (payload) => world.request(operation.method, url, payload, { key, headers: json }),
  }
}

const values = [
  ...Object.entries(neverRight).map(([name, text]) => ({ name, text, never: true })),
  ...Object.entries(oftenWrong).map(([name, text]) => ({ name, text, never: false })),
]

/** Each place gets some of the values, the next place the next ones; --deep gives all to each. */
const VALUES_A_PLACE = process.env['TEST_DEEP'] ? values.length : 1

/** How many turns `turn` comes after `start`, round and round. */
const turnsAfter = (turn: number, start: number) =>
  (turn + values.length - (start % values.length)) % values.length

/** Nasty bodies of an operation, and whether each may be taken at all. */
function nastyBodies({ resolve }: Document, { body }: Operation, good: object) {
  const places = body ? leavesOf(body, resolve) : []
  const small = places.flatMap((steps, at) =>
    values
      .filter((_value, turn) => turnsAfter(turn, at * VALUES_A_PLACE) < VALUES_A_PLACE)
      .map((value) => ({ ...value, steps })),
  )
  const bulky = places
    .slice(0, 1)
    .flatMap((steps) =>
      Object.entries(large).map(([name, text]) => ({ name, text, never: false, steps })),
    )
  return [...small, ...bulky].map(({ name, text, never, steps }) => ({
    what: `${steps.join('.')} is ${name}`,
    text: withText(good, steps, text),
    never,
  }))
}

describe('every place of every body', { concurrency: 4 }, () => {
  for (const document of documentsOf(world.config)) {
    for (const operation of document.operations.filter(({ body }) => body)) {
      test(operation.name, async () => {
        const belongings = await belongingsFor(world, operation, shared)
        const { ask, good } = askerOf(operation, belongings)
        const bodies = nastyBodies(document, operation, good)
        const since = process.cpuUsage()
        for (const { what, text, never } of bodies) {
          const answer = await ask(text)
          assert.ok(answer.status < 500, `${what}: ${answer.text}`)
          const isIgnored = operation.prefix !== '/v1'
          assert.ok(!never || isIgnored || answer.status >= 400, `${what}: ${answer.text}`)
        }
        // A body that blocks the program for long shows among the many of its operation.
        const longest = LONGEST_MS * (20 + bodies.length)
        const { user, system } = process.cpuUsage(since)
        assert.ok((user + system) / 1000 <= longest, `${longest} ms were not enough`)
        world.logged.length = 0
      })
    }
  }
})

/** Each operation gets some of the bodies, the next one the next ones; --deep gives all to each. */
const BODIES_AN_OPERATION = process.env['TEST_DEEP'] ? Object.keys(neverBodies).length : 4

function someNeverBodies(at: number) {
  const bodies = Object.entries(neverBodies)
  const start = (at * BODIES_AN_OPERATION) % bodies.length
  return [...bodies, ...bodies].slice(start, start + BODIES_AN_OPERATION)
}

describe('bodies that are no requests are rejected', { concurrency: 4 }, () => {
  for (const { operations } of documentsOf(world.config)) {
    for (const [at, operation] of operations.filter(({ body }) => body).entries()) {
      test(operation.name, async () => {
        const { ask } = askerOf(operation, shared)
        for (const [what, body] of someNeverBodies(at)) {
          const { status, text } = await ask(body)
          assert.ok(status === 400 || status === 413, `${what}: ${status} ${text}`)
        }
        world.logged.length = 0
      })
    }
  }
})

test('nothing of it has reached every object', () => {
  assert.deepEqual(Object.keys(Object.prototype), [])
  assert.equal('admin' in {}, false)
})

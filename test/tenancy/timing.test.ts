/**
 * A request with another tenant's id takes as long as with an unknown one, so that its time reveals
 * nothing: npm run test:deep, because it needs the machine to itself.
 */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { createBelongings } from '#test/support/contract/belongings.ts'
import { documentsOf } from '#test/support/contract/operations.ts'
import { idPlacesOf } from '#test/support/contract/places.ts'
import { callerOf, sampleOf, urlOf } from '#test/support/contract/samples.ts'
import { keeper } from '#test/support/keeper.ts'
import { listenForCards } from '#test/support/network/purchases.ts'
import { liftRateLimit } from '#test/support/rate.ts'
import { openWorld } from '#test/support/world.ts'

const REQUESTS = 400
const TRIES = 5
const DIFFERENCE_MAX = 0.1

const keep = keeper()
const world = keep(await openWorld())
keep(await listenForCards(world))
await liftRateLimit(world.db)
const own = await createBelongings(world, { orders: true })
const other = await createBelongings(world, { orders: true })

describe('another’s id in a path', { skip: !process.env['TEST_DEEP'] }, () => {
  for (const { operations, resolve } of documentsOf(world.config)) {
    for (const operation of operations) {
      if (operation.method !== 'GET' || operation.permission === 'operator') continue
      const places = idPlacesOf(operation, resolve).filter(({ where }) => where === 'path')
      for (const { name } of places) {
        test(`${operation.name}, ${name}`, async (t) => {
          const mine = sampleOf(operation, own)?.params ?? {}
          const theirs = sampleOf(operation, other)?.params?.[name] ?? ''
          const caller = callerOf(operation, world, own)
          const time = async (id: string) => {
            const url = urlOf(operation, { ...mine, [name]: id })
            const since = performance.now()
            const { status, text } = await world.request('GET', url, undefined, caller)
            assert.equal(status, 404, text)
            return performance.now() - since
          }
          let difference = 1
          for (let at = 0; at < TRIES && difference > DIFFERENCE_MAX; at++) {
            difference = await compare(
              () => time(theirs),
              () => time(randomUUID()),
            )
          }
          t.diagnostic(`${(100 * difference).toFixed(1)} %`)
          assert.ok(difference <= DIFFERENCE_MAX)
        })
      }
    }
  }
})

/**
 * The share by which the two differ in their fastest quarter, which depends least on other work of
 * the machine. They run in turn, so that such work affects both.
 */
async function compare(one: () => Promise<number>, another: () => Promise<number>) {
  const [ones, others]: [number[], number[]] = [[], []]
  for (let at = 0; at < REQUESTS; at++) {
    ones.push(await one())
    others.push(await another())
  }
  const [first, second] = [quickOf(ones), quickOf(others)]
  world.logged.length = 0
  return Math.abs(first - second) / second
}

const quickOf = (times: number[]) =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length / 4)] ?? 0

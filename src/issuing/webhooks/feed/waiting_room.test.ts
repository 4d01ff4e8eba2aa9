import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Context } from '#kit/context.ts'
import { ApiError } from '#lib/result.ts'
import { type Place, placeKey, START } from './feed_store.ts'
import { createSeats } from './seats.ts'
import { createWaitingRoom, type Wait } from './waiting_room.ts'

const NEVER_MS = 60_000
const contextOf = (tenant_id: string) => ({ tenant_id }) as Context
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A feed in memory: the events of tenants, and how often each was looked at. */
function openFeed(look_ms = NEVER_MS) {
  const events = new Map<string, number[]>()
  const looks: string[] = []
  const room = createWaitingRoom<number[], Place>({
    keyOf: placeKey,
    async look({ tenant_id }, { number }, limit) {
      looks.push(tenant_id)
      await turn()
      const found = (events.get(tenant_id) ?? []).filter((one) => one > number).slice(0, limit)
      return found.length > 0 ? found : undefined
    },
    look_ms,
  })
  const wait = (tenant: string, more: Partial<Wait<Place>> = {}) =>
    room.waitFor({
      ctx: contextOf(tenant),
      from: START,
      limit: 10,
      milliseconds: NEVER_MS,
      ...more,
    })
  const add = (tenant: string, event: number) =>
    events.set(tenant, [...(events.get(tenant) ?? []), event])
  return { room, looks, wait, add }
}

describe('a waiting room', () => {
  test('looks once for all who wait at one place, when they come and when they wake', async () => {
    const { room, looks, wait, add } = openFeed()
    const waiting = Array.from({ length: 1_000 }, () => wait('a'))
    const other = wait('b')
    for (let count = 0; count < 9; count++) await turn()
    // The calls that came in during the first look share the second.
    assert.deepEqual(looks.splice(0).sort(), ['a', 'a', 'b'])
    add('a', 1)
    room.wake('a')
    assert.deepEqual(await Promise.all(waiting), Array(1_000).fill([1]))
    assert.deepEqual(looks, ['a'])
    assert.deepEqual([room.isAwaited('a'), room.isAwaited('b')], [false, true])
    room.end()
    assert.equal(await other, undefined)
  })

  test('looks again for what came during a look', async () => {
    const { room, wait, add } = openFeed()
    const waiting = wait('a')
    room.wake('a')
    add('a', 1)
    room.wake('a')
    assert.deepEqual(await waiting, [1])
  })

  test('finds what no notification came for', async () => {
    const { wait, add } = openFeed(5)
    const waiting = wait('a')
    await turn()
    await turn()
    add('a', 1)
    assert.deepEqual(await waiting, [1])
  })

  test('answers at once what is there, and nothing when the time is over', async () => {
    const { room, wait, add } = openFeed()
    add('a', 1)
    assert.deepEqual(await wait('a'), [1])
    const behind = { ...START, number: 1n }
    assert.equal(await wait('a', { from: behind, milliseconds: 1 }), undefined)
    assert.equal(await wait('a', { from: behind, signal: AbortSignal.abort() }), undefined)
    assert.equal(room.isAwaited('a'), false)
  })

  test('passes a fault on that lasts for three looks, and serves the next', async () => {
    let isFaulty = true
    let looks = 0
    const room = createWaitingRoom<number, Place>({
      keyOf: placeKey,
      look_ms: 5,
      look: async () => {
        looks += 1
        if (isFaulty) throw new Error('planted')
        return 1
      },
    })
    const wait = { ctx: contextOf('a'), from: START, limit: 1, milliseconds: NEVER_MS }
    await assert.rejects(room.waitFor(wait), /planted/)
    assert.equal(looks, 3)
    isFaulty = false
    assert.equal(await room.waitFor(wait), 1)
  })
})

test('seats are bounded for a key, a tenant and the process, and given back once', () => {
  const seats = createSeats({ of_all: 4, of_tenant: 3, of_key: 2 })
  const take = (tenant_id: string, id: string) =>
    seats.take({ tenant_id, actor: { kind: 'client', id } })
  const isFull = (error: unknown) => error instanceof ApiError && error.code === 'polls_exceeded'
  const first = take('a', 'k')
  take('a', 'k')
  assert.throws(() => take('a', 'k'), isFull)
  take('a', 'l')
  assert.throws(() => take('a', 'm'), isFull)
  take('b', 'k')
  assert.throws(() => take('c', 'k'), isFull)
  for (let count = 0; count < 2; count++) first[Symbol.dispose]()
  take('a', 'k')
  assert.throws(() => take('c', 'k'), isFull)
})

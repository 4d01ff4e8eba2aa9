/** Counters of a tenant. */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Context, transact } from '#kit/context.ts'
import { openWorld } from '#test/support/world.ts'
import { drawNumber } from './counters.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const ctx = await world.ctx()

const draw = (of: Context, name: string, last?: number) =>
  transact(of, (tx) => drawNumber(tx, name, last))

test('a counter begins at 1, and those of another name or tenant are others', async () => {
  assert.equal(await draw(ctx, 'mine'), 1n)
  assert.equal(await draw(ctx, 'mine'), 2n)
  assert.equal(await draw(ctx, 'other'), 1n)
  assert.equal(await draw(await world.ctx((await world.otherTenant()).id), 'mine'), 1n)
})

test('behind the last number comes the first', async () => {
  const drawn = []
  for (let turn = 0; turn < 5; turn += 1) drawn.push(await draw(ctx, 'short', 3))
  assert.deepEqual(drawn, [1n, 2n, 3n, 1n, 2n])
})

test('numbers that are drawn at one time are different', async () => {
  const drawn = await Promise.all(Array.from({ length: 40 }, () => draw(ctx, 'busy')))
  assert.equal(new Set(drawn).size, 40)
})

test('a number of a transaction that is rolled back is drawn again', async () => {
  const failing = transact(ctx, async (tx) => {
    assert.equal(await drawNumber(tx, 'failing'), 1n)
    throw new Error('rolled back')
  })
  await assert.rejects(failing, { message: 'rolled back' })
  assert.equal(await draw(ctx, 'failing'), 1n)
})

/** DE11 of messages to the issuer. */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { transact } from '#kit/context.ts'
import { openWorld } from '#test/support/world.ts'
import { NUMBERS, nextStan } from './stans.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

test('numbers have six digits and differ, also of messages of one transaction', async () => {
  const ctx = await world.ctx((await world.otherTenant()).id)
  const twice = () => transact(ctx, async (tx) => [await nextStan(tx), await nextStan(tx)])
  const drawn = (await Promise.all(Array.from({ length: 50 }, twice))).flat()
  for (const stan of drawn) assert.match(stan, /^\d{6}$/)
  assert.equal(new Set(drawn).size, 100)
})

test('a payment does not wait for the transaction of another', async () => {
  const ctx = await world.ctx((await world.otherTenant()).id)
  await transact(ctx, async (tx) => {
    const first = await nextStan(tx)
    const second = await transact(ctx, nextStan)
    assert.notEqual(first, second)
  })
})

test('behind the last number comes the first of the same counter', async () => {
  const ctx = await world.ctx((await world.otherTenant()).id)
  await transact(ctx, async (tx) => {
    const first = Number(await nextStan(tx))
    await tx.db
      .updateTable('counters')
      .set({ value: BigInt(NUMBERS) })
      .where('tenant_id', '=', ctx.tenant_id)
      .execute()
    assert.equal(Number(await nextStan(tx)), first)
    assert.equal(Number(await nextStan(tx)), first + 1)
    assert.ok(first > 0 && first + NUMBERS <= 1_000_000)
  })
})

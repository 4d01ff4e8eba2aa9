/** Locks by name, also of names that nobody has locked before. */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { transact } from '#kit/context.ts'
import { newId } from '#lib/id.ts'
import { openWorld } from '#test/support/world.ts'
import { limitLocks, lockNames, nameOfUser, sharedName } from './locks.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const ctx = await world.ctx()

/** One after another if each reads and writes under the lock; none is lost then. */
async function countedUnder(names: (turn: number) => string[]): Promise<number[]> {
  const [name, seen] = [newId(), [] as number[]]
  await transact(ctx, (tx) => lockNames(tx, [name]))
  let [count, tries] = [0, 0]
  await Promise.all(
    Array.from({ length: 20 }, (_, turn) =>
      transact(ctx, async (tx) => {
        tries += 1
        await lockNames(tx, names(turn))
        const read = count
        await tx.db.selectFrom('locks').select('name').where('name', '=', name).execute()
        count = read + 1
        seen.push(count)
      }),
    ),
  )
  assert.equal(tries, 20, 'there were deadlocks')
  return seen
}

const inOrder = Array.from({ length: 20 }, (_, turn) => turn + 1)

describe('transactions that lock one name', () => {
  test('follow each other, also where it is new', async () => {
    const name = newId()
    assert.deepEqual(await countedUnder(() => [name]), inOrder)
    assert.deepEqual(await countedUnder(() => [name]), inOrder)
  })

  test('follow each other where they lock further ones, in any order', async () => {
    const names = Array.from({ length: 6 }, () => newId())
    const turned = (turn: number) => [...names.slice(turn % 6), ...names.slice(0, turn % 6)]
    assert.deepEqual(await countedUnder(turned), inOrder)
  })

  test('may lock it again', async () => {
    const names = [newId(), newId()]
    await transact(ctx, async (tx) => {
      await lockNames(tx, names)
      await lockNames(tx, [...names, ...names])
    })
  })
})

test('another name, and the same of another tenant, are free meanwhile', async () => {
  const name = newId()
  const other = await world.ctx((await world.otherTenant()).id)
  await transact(ctx, async (tx) => {
    await lockNames(tx, [name])
    await transact(ctx, (free) => lockNames(free, [newId()]))
    await transact(other, (free) => lockNames(free, [name]))
  })
})

test('a user has one name, however the id is written, and what is shared has one of few', () => {
  assert.equal(nameOfUser('ABC'), nameOfUser('abc'))
  const names = Array.from({ length: 2_000 }, () => sharedName('checkout', newId()))
  assert.ok(names.every((name) => /^checkout \d{1,5}$/.test(name)))
  assert.equal(sharedName('checkout', 'one'), sharedName('checkout', 'one'))
})

test('transactions that lock the shared names of 32 references do not wait for each other', async () => {
  const namesOf = (first: number) =>
    Array.from({ length: 32 }, (_, at) => sharedName('checkout', `order ${first + at}`))
  await transact(ctx, async (tx) => {
    await lockNames(tx, namesOf(0))
    await transact(ctx, async (other) => {
      await limitLocks(other).start()
      await lockNames(other, namesOf(32))
    })
  })
})

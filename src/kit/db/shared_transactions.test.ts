/** Transactions that requests share (D-393). */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import type { Tx } from '#kit/context.ts'
import { Write } from '#kit/db/write.ts'
import { ApiError, CommittedError } from '#lib/result.ts'
import { openWorld } from '#test/support/world.ts'
import { drawNumber } from './counters.ts'
import { CommitInDoubt, DatabaseUnavailable } from './database.ts'
import { Lists, shareTransaction } from './shared_transactions.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const ctx = await world.ctx((await world.otherTenant()).id)

/** The transaction in which a statement runs. */
async function transactionOf({ db }: Tx): Promise<string> {
  const { rows } = await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(db)
  return rows[0]?.id ?? ''
}

const countOf = async (name: string) => {
  const { rows } = await sql<{ value: bigint }>`
    select value from counters where tenant_id = ${ctx.tenant_id} and name = ${name}`.execute(
    ctx.db,
  )
  return rows[0]?.value
}

test('what arrives at one time is one transaction, unless it has one name', async () => {
  const names = ['a', 'b', 'c', 'a']
  const ids = await Promise.all(names.map((name) => shareTransaction(ctx, name, transactionOf)))
  assert.equal(new Set(ids.slice(0, 3)).size, 1)
  assert.notEqual(ids[3], ids[0])
})

test('each has its own instant, actor and result', async () => {
  const actors = ['one', 'two'].map((id) => ({ kind: 'merchant', id }) as const)
  const seen = await Promise.all(
    actors.map((actor) => shareTransaction({ ...ctx, actor }, actor.id, async (tx) => tx.actor.id)),
  )
  assert.deepEqual(seen, ['one', 'two'])
})

const failures = {
  'a fault': () => new ApiError('not_found'),
  'a fault that commits': () => new CommittedError('not_found'),
  'a failed statement': undefined,
}

for (const [failure, error] of Object.entries(failures)) {
  test(`${failure} of one is its own: it and the others are done by themselves`, async () => {
    const good = (tx: Tx) => drawNumber(tx, failure)
    const bad = async (tx: Tx) => {
      await drawNumber(tx, `${failure}, bad`)
      if (error) throw error()
      void tx.withCommit(Write.of(tx.db, sql`select 1 / 0`))
    }
    const done = await Promise.allSettled([
      shareTransaction(ctx, 'good 1', good),
      shareTransaction(ctx, 'bad', bad),
      shareTransaction(ctx, 'good 2', good),
    ])
    assert.deepEqual(
      done.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    assert.equal(await countOf(failure), 2n)
    const kept = error?.() instanceof CommittedError ? 1n : undefined
    assert.equal(await countOf(`${failure}, bad`), kept)
  })
}

test('a lock that another transaction holds keeps only the work that needs it waiting', async () => {
  const held = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  await drawNumber(ctx, 'held')
  const holder = ctx.db.runTransaction(async (db) => {
    await drawNumber({ ...ctx, db }, 'held')
    locked.resolve()
    await held.promise
  })
  await locked.promise
  const waiting = shareTransaction(ctx, 'waits', (tx) => drawNumber(tx, 'held'))
  assert.equal(await shareTransaction(ctx, 'free', (tx) => drawNumber(tx, 'free')), 1n)
  held.resolve()
  await holder
  assert.equal(await waiting, 3n)
})

test('of a list with one that fails, those beside it share transactions still', async () => {
  const ids = new Map<string, string>()
  const good = (name: string) => async (tx: Tx) => void ids.set(name, await transactionOf(tx))
  const bad = async () => {
    throw new ApiError('not_found')
  }
  const names = ['1', '2', '3', '4', '5', '6', '7', 'bad']
  await Promise.allSettled(
    names.map((name) => shareTransaction(ctx, name, name === 'bad' ? bad : good(name))),
  )
  assert.deepEqual([...ids.keys()].sort(), names.slice(0, 7))
  // 1 to 4, 5 and 6, 7.
  assert.equal(new Set(ids.values()).size, 3)
})

type Named = { ctx: typeof ctx; name: string }

/** Lists of names. Those with an `x` fail; `served` has each with its time for locks. */
function openLists(error: Error) {
  const served: string[] = []
  const lists = new Lists<Named, string>({ size: 8 }, async (list, lock_ms) => {
    const names = list.map(({ name }) => name).join('')
    served.push(`${names} ${lock_ms}`)
    if (names.includes('x')) throw error
    return list.map(({ name }) => ({ result: name }))
  })
  const serve = (names: string) =>
    Promise.allSettled([...names].map((name) => lists.serve({ ctx, name }, [name])))
  return { served, serve }
}

test('a list is halved until the request that fails is alone, and locks are waited for half as long', async () => {
  const { served, serve } = openLists(new Error('a row has changed'))
  const outcomes = await serve('abcdexgh')
  assert.deepEqual(served, ['abcdexgh 50', 'abcd 25', 'exgh 25', 'ex 12.5', 'gh 12.5'])
  assert.deepEqual(
    outcomes.map((one) => one.status === 'fulfilled' && one.value?.result),
    ['a', 'b', 'c', 'd', undefined, undefined, 'g', 'h'],
  )
})

test('a list whose commit is in doubt is not served again', async () => {
  const { served, serve } = openLists(new CommitInDoubt(new Error('the connection ended')))
  const outcomes = await serve('abx')
  assert.deepEqual(served, ['abx 50'])
  for (const one of outcomes) {
    assert.ok(one.status === 'rejected' && one.reason instanceof CommitInDoubt)
  }
})

test('a list that meets an outage is not halved', async () => {
  const { served, serve } = openLists(new DatabaseUnavailable(new Error('no connection')))
  const outcomes = await serve('abx')
  assert.deepEqual(served, ['abx 50'])
  assert.ok(outcomes.every((one) => one.status === 'fulfilled' && one.value === undefined))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Batches } from './batches.ts'

type Served = PromiseWithResolvers<void> & { items: readonly string[] }

/** Batches of names, each of which ends when the test says so. */
function open(options = { size: 3, at_once: 2, waiting: 5 }) {
  const served: Served[] = []
  const batches = new Batches<string, string>(options, async (items) => {
    const end = Promise.withResolvers<void>()
    served.push({ items, ...end })
    await end.promise
    return items.map((item) => `done ${item}`)
  })
  const offer = (item: string) => batches.add(item, [item.slice(0, 1)])
  const add = async (item: string) => {
    const outcome = offer(item)
    assert.ok(outcome, `${item} has no place`)
    return outcome
  }
  const items = () => served.map((one) => one.items.join(' '))
  return { add, offer, served, items }
}

test('requests of one turn are one batch, up to its size', async () => {
  const { add, served, items } = open()
  const outcomes = ['a', 'b', 'c', 'd'].flatMap((item) => add(item) ?? [])
  await turn()
  assert.deepEqual(items(), ['a b c', 'd'])
  for (const { resolve } of served) resolve()
  assert.deepEqual(await Promise.all(outcomes), ['done a', 'done b', 'done c', 'done d'])
})

test('a request waits for the batch that has one of its names, and keeps its place', async () => {
  const { add, served, items } = open()
  const outcomes = ['a1', 'a2'].flatMap((item) => add(item) ?? [])
  await turn()
  outcomes.push(...['a3', 'b1', 'a4'].flatMap((item) => add(item) ?? []))
  await turn()
  assert.deepEqual(items(), ['a1 a2', 'b1'])
  served[0]?.resolve()
  assert.deepEqual(await Promise.all(outcomes.slice(0, 2)), ['done a1', 'done a2'])
  await turn()
  assert.deepEqual(items(), ['a1 a2', 'b1', 'a3 a4'])
  for (const { resolve } of served) resolve()
  await Promise.all(outcomes)
})

test('a batch that fails rejects its own requests only', async () => {
  const { add, served } = open()
  const first = [add('a1'), add('b1')]
  await turn()
  const next = add('a2')
  served[0]?.reject(new Error('lost'))
  for (const outcome of first) await assert.rejects(async () => outcome, { message: 'lost' })
  await turn()
  served[1]?.resolve()
  assert.equal(await next, 'done a2')
})

test('no more than the limit wait', async () => {
  const { add, offer, served } = open({ size: 1, at_once: 1, waiting: 2 })
  const outcomes = [add('a'), add('b')]
  assert.equal(offer('c'), undefined)
  await turn()
  outcomes.push(add('c'))
  for (const at of [0, 1, 2]) {
    served[at]?.resolve()
    await outcomes[at]
    await turn()
  }
})

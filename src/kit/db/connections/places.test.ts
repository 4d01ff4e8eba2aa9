import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Places, PlacesTaken } from './places.ts'

const LONG = 60_000

test('a lane has at most its limit of places, and the rest is free for others', async () => {
  const places = new Places({ places: 4, wait_ms: LONG, queue: 10 })
  const first = await places.take('busy', 2)
  await places.take('busy', 2)
  const waits = places.take('busy', 2)
  assert.equal(places.waiting(), 1)
  await places.take('other', 2)
  await places.take('third', 2)
  first()
  await waits
  assert.equal(places.waiting(), 0)
})

test('a place that becomes free goes to the lanes in turn, however many wait', async () => {
  const places = new Places({ places: 1, wait_ms: LONG, queue: 100 })
  const given: string[] = []
  let give = await places.take('start', 1)
  const waits = ['busy', 'busy', 'busy', 'quiet', 'late'].map(async (lane) => {
    const leave = await places.take(lane, 1)
    given.push(lane)
    give = leave
  })
  for (let turn = 0; turn < waits.length; turn += 1) {
    give()
    for (let tick = 0; tick < 10 && given.length <= turn; tick += 1) await Promise.resolve()
  }
  assert.deepEqual(given, ['busy', 'quiet', 'late', 'busy', 'busy'])
})

test('a lane at its limit is passed over', async () => {
  const places = new Places({ places: 2, wait_ms: LONG, queue: 10 })
  await places.take('held', 1)
  const leave = await places.take('other', 1)
  const stuck = places.take('held', 1)
  const goes = places.take('next', 1)
  leave()
  await goes
  assert.equal(places.waiting(), 1)
  places.rejectWaiting(new Error('the end'))
  await assert.rejects(stuck, /the end/)
})

test('a place given back twice is one place', async () => {
  const places = new Places({ places: 1, wait_ms: LONG, queue: 10 })
  const leave = await places.take('one', 1)
  leave()
  leave()
  await places.take('two', 1)
  const waits = places.take('three', 1)
  assert.equal(places.waiting(), 1)
  places.rejectWaiting(new Error('the end'))
  await assert.rejects(waits, /the end/)
})

test('a waiter that waits too long, or behind too many, is rejected, and leaves no place behind', async () => {
  const places = new Places({ places: 1, wait_ms: 1, queue: 1 })
  const leave = await places.take('one', 1)
  const waits = places.take('one', 1)
  await assert.rejects(places.take('one', 1), PlacesTaken)
  await assert.rejects(waits, PlacesTaken)
  assert.equal(places.waiting(), 0)
  leave()
  await places.take('two', 1)
})

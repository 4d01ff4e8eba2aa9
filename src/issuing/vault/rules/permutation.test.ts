import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { permute, type Scramble, SIZE_MAX } from './permutation.ts'

const keyed =
  (key: string): Scramble =>
  (round, value) =>
    createHmac('sha256', key).update(`${round}:${value}`).digest().readUIntBE(0, 6)

const orderOf = (size: number, key: string) =>
  Array.from({ length: size }, (_, index) => permute(index, size, keyed(key)))

test('every number of a range of any size is issued exactly once', () => {
  for (const size of [1, 2, 3, 4, 5, 7, 10, 16, 17, 99, 100, 101, 1000]) {
    const seen = new Set(orderOf(size, 'key'))
    assert.equal(seen.size, size, `size ${size}`)
    assert.ok([...seen].every((place) => place >= 0 && place < size))
  }
})

test('no size and no key breaks it (random)', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 300 }), fc.string(), (size, key) => {
      assert.equal(new Set(orderOf(size, key)).size, size)
    }),
    { numRuns: 30 },
  )
})

test('the largest range stays within bounds and without repeat at both of its ends', () => {
  const ends = [0, 1, 2, 3, SIZE_MAX - 3, SIZE_MAX - 2, SIZE_MAX - 1]
  const places = ends.map((index) => permute(index, SIZE_MAX, keyed('key')))
  assert.equal(new Set(places).size, ends.length)
  assert.ok(places.every((place) => Number.isInteger(place) && place >= 0 && place < SIZE_MAX))
})

test('another key gives another order, and neighbours do not stay neighbours', () => {
  assert.notDeepEqual(orderOf(100, 'one'), orderOf(100, 'two'))
  const order = orderOf(1000, 'one')
  const near = order.filter((place, at) => Math.abs(place - (order[at + 1] ?? -9)) === 1)
  assert.ok(near.length < 20, `${near.length} of 1000 are next to the one before`)
})

test('an index outside the range and an invalid size throw', () => {
  for (const [index, size] of [
    [0, 0],
    [5, 5],
    [-1, 5],
    [0.5, 5],
    [0, SIZE_MAX + 1],
  ] as const) {
    assert.throws(() => permute(index, size, keyed('key')), RangeError)
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areTooMany, Tries, withTry } from './tries.ts'

const HOUR = 3_600_000
const start = Date.parse('2026-06-12T10:00:00.000Z')
const at = (hours: number) => new Date(start + hours * HOUR)

test('a try forgets those of more than 24 hours before it', () => {
  assert.deepEqual(withTry([at(0), at(1), at(23)], at(24)), [at(1), at(23), at(24)])
  assert.deepEqual(withTry([], at(0)), [at(0)])
})

test('no more tries are kept than the setting may allow', () => {
  let tries: Date[] = []
  for (let each = 0; each < 150; each += 1) tries = withTry(tries, new Date(start + each))
  assert.equal(tries.length, 100)
  assert.equal(tries.at(-1)?.getTime(), start + 149)
})

test('tries that are spread over more than a day never block', () => {
  let tries: Date[] = []
  for (let each = 0; each < 30; each += 1) {
    tries = withTry(tries, at(3 * each))
    assert.equal(areTooMany(tries, 10, at(3 * each)), false)
  }
})

test('tries block from the one that is too many until 24 hours after the last', () => {
  const tries = Array.from({ length: 3 }, (_, each) => at(each))
  assert.equal(areTooMany(tries.slice(1), 3, at(2)), false)
  assert.equal(areTooMany(tries, 3, at(2)), true)
  assert.equal(areTooMany(tries, 3, new Date(start + 26 * HOUR - 1)), true)
  assert.equal(areTooMany(tries, 3, at(26)), false)
  assert.equal(areTooMany(tries, 0, at(2)), false, 'turned off')
})

test('each message of a batch sees the tries of those before it, and only new ones are written', () => {
  const tries = new Tries([
    { card_id: 'b', tries: [at(0)], version: 3n },
    { card_id: 'a', tries: [], version: 0n },
  ])
  assert.deepEqual(tries.changed, [])
  tries.count('b', at(1))
  tries.count(undefined, at(1))
  assert.deepEqual(tries.of('b'), [at(0), at(1)])
  assert.deepEqual(tries.of('a'), [])
  assert.deepEqual(tries.of('unknown'), [])
  assert.deepEqual(tries.changed, [{ card_id: 'b', tries: [at(0), at(1)], version: 3n }])
})

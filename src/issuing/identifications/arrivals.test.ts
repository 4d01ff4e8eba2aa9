import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openArrivals } from './arrivals.ts'

const BUSY = { code: 'unavailable', retry_after_seconds: 5 }

test('uploads of a tenant at one time have a number of bytes together', () => {
  const arrivals = openArrivals(1000)
  const [one, other] = [arrivals.begin('a'), arrivals.begin('a')]
  one.take(600)
  other.take(400)
  assert.throws(() => one.take(1), BUSY)
  assert.throws(() => other.take(1), BUSY)
  arrivals.begin('b').take(1000)
  one.end()
  one.end()
  other.take(600)
  assert.throws(() => other.take(1), BUSY)
  other.end()
  arrivals.begin('a').take(1000)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Breaker } from './breaker.ts'

function failed(times: number, at = 0): Breaker {
  const breaker = new Breaker()
  for (let failure = 0; failure < times; failure += 1) breaker.fail(at)
  return breaker
}

test('a breaker opens after five failures', () => {
  assert.deepEqual([failed(4).isOpen(0), failed(4).admits(0)], [false, true])
  assert.deepEqual([failed(5).isOpen(0), failed(5).admits(0)], [true, false])
})

test('an open breaker admits one question after ten seconds, and one after each ten more', () => {
  const breaker = failed(5)
  assert.deepEqual([breaker.admits(9_999), breaker.admits(10_000)], [false, true])
  assert.equal(breaker.admits(10_001), false, 'the others wait for what came of the one')
  breaker.fail(11_000)
  assert.deepEqual([breaker.admits(19_999), breaker.admits(20_000)], [false, true])
})

test('failures of questions that were under way do not keep a breaker open', () => {
  const breaker = failed(5)
  breaker.fail(3_000)
  assert.ok(breaker.admits(10_000))
})

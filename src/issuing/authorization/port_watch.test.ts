import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWatch, type Look } from './port_watch.ts'

const quiet: Look = { signed_on: true, withheld: false, overfull: false }

test('silence is asked about twice and then ends the connection', () => {
  const watch = createWatch()
  const looks = [1, 2, 3, 4].map(() => watch.look(quiet))
  assert.deepEqual(looks, ['fine', 'echo', 'echo', 'silent'])
})

test('any sign of life begins the count again', () => {
  const watch = createWatch()
  assert.deepEqual([watch.look(quiet), watch.look(quiet), watch.look(quiet)].at(-1), 'echo')
  watch.heard()
  assert.deepEqual([watch.look(quiet), watch.look(quiet)], ['fine', 'echo'])
})

test('a peer that never signed on is not asked', () => {
  const watch = createWatch()
  assert.equal(watch.look({ ...quiet, signed_on: false }), 'fine')
  assert.equal(watch.look({ ...quiet, signed_on: false }), 'idle')
})

test('what is left unread on purpose is no silence', () => {
  const watch = createWatch()
  const looks = [1, 2, 3].map(() => watch.look({ ...quiet, withheld: true }))
  assert.deepEqual(looks, ['fine', 'fine', 'fine'])
})

test('answers that are not taken for long end the connection', () => {
  const watch = createWatch()
  assert.equal(watch.look({ ...quiet, overfull: true }), 'fine')
  assert.equal(watch.look(quiet), 'echo')
  assert.equal(watch.look({ ...quiet, overfull: true }), 'echo')
  assert.equal(watch.look({ ...quiet, overfull: true }), 'stalled')
})

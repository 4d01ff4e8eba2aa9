/** The pulse beats often while a connection is in use, and seldom otherwise. */

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { BEAT_MS, IDLE_BEAT_MS, PollPause } from './poll_pause.ts'

/** A rest that begins at once, and how long it takes as the clock moves on. */
function begin(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const rest = new PollPause()
  let [passed, isOver] = [0, false]
  const over = rest.take().then(() => {
    isOver = true
  })
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  const goOn = async (ms: number) => {
    await turn()
    for (const end = passed + ms; passed < end; passed += 100) {
      t.mock.timers.tick(100)
      await turn()
      if (isOver) return
    }
  }
  return { rest, over, goOn, isOver: () => isOver }
}

test('a server in use gets a beat after the shortest rest', async (t) => {
  const { rest, goOn, isOver } = begin(t)
  rest.use()
  await goOn(BEAT_MS - 100)
  assert.equal(isOver(), false)
  await goOn(100)
  assert.equal(isOver(), true)
})

test('one that nobody uses gets it after the longest', async (t) => {
  const { goOn, isOver } = begin(t)
  await goOn(IDLE_BEAT_MS - 100)
  assert.equal(isOver(), false)
  await goOn(BEAT_MS + 100)
  assert.equal(isOver(), true)
})

test('what is answered soon brings none', async (t) => {
  const { rest, goOn, isOver } = begin(t)
  for (const at of [0, 500, 900]) {
    await goOn(at)
    rest.use()
    await goOn(200)
    rest.leave()
  }
  assert.equal(isOver(), false)
})

test('who comes later and waits gets it after the shortest rest', async (t) => {
  const { rest, goOn, isOver } = begin(t)
  await goOn(900)
  rest.use()
  await goOn(BEAT_MS - 100)
  assert.equal(isOver(), false)
  await goOn(100)
  assert.equal(isOver(), true)
})

test('one of two that waits is enough', async (t) => {
  const { rest, goOn, isOver } = begin(t)
  rest.use()
  rest.use()
  rest.leave()
  await goOn(BEAT_MS)
  assert.equal(isOver(), true)
})

test('a stop ends it, in use or not, and there is none afterwards', async (t) => {
  const { rest, over, goOn } = begin(t)
  await goOn(800)
  rest.stop()
  await over
  await Promise.all([rest.take(), rest.pause(BEAT_MS)])
})

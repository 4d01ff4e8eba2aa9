import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openWorld } from '#test/support/world.ts'
import { watchClock } from './clock_skew.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

/** A watch over a clock that is ahead by as much as the test says. */
function watched() {
  const own = { ahead_ms: 0 }
  const clock = watchClock(world.db, world.log, () => Date.now() + own.ahead_ms)
  return { own, clock }
}
const lines = (words: string) => world.logged.filter((line) => line.includes(words)).length

describe('a process whose clock goes wrong', () => {
  for (const [where, ahead_ms] of [
    ['ahead', 60_000],
    ['behind', -60_000],
  ] as const) {
    test(`${where} is logged once, and once when it is right again`, async () => {
      const { own, clock } = watched()
      const [began, ended] = [lines('no sweep runs here'), lines('the sweeps go on')]
      await clock.check()
      assert.equal(clock.fault(), undefined)
      own.ahead_ms = ahead_ms
      await clock.check()
      await clock.check()
      assert.match(clock.fault() ?? '', /clock is more than 2 s off the database's/)
      own.ahead_ms = 0
      await clock.check()
      await clock.check()
      assert.equal(clock.fault(), undefined)
      assert.equal(lines('no sweep runs here') - began, 1)
      assert.equal(lines('the sweeps go on') - ended, 1)
    })
  }

  test('by less than two seconds may sweep', async () => {
    const { own, clock } = watched()
    for (const ahead_ms of [1_500, -1_500]) {
      own.ahead_ms = ahead_ms
      await clock.check()
      assert.equal(clock.fault(), undefined)
    }
  })

  test('still knows the database’s time', async () => {
    const { own, clock } = watched()
    own.ahead_ms = 3_600_000
    await clock.check()
    assert.ok(Math.abs(clock.now().getTime() - Date.now()) < 1_000)
  })

  test('learns it while it runs, and not after it has stopped', async () => {
    const { own, clock } = watched()
    await clock.start()
    own.ahead_ms = 60_000
    const end = performance.now() + 20_000
    while (clock.fault() === undefined) {
      assert.ok(performance.now() < end, 'no tenant was looked at')
      await world.ctx()
    }
    await clock.stop()
    own.ahead_ms = 0
    for (let turn = 0; turn < 20; turn++) await world.ctx()
    assert.notEqual(clock.fault(), undefined)
  })
})

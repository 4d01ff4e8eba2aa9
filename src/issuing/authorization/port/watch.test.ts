import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWatch, type Look } from './watch.ts'

const limits = { sign_on: 30, frame_time: 30, stalled: 60, silence: 30 }
const at = (now: number, look: Partial<Look> = {}): Look => ({
  now,
  withheld: false,
  waiting: 0,
  taken: 0,
  ...look,
})

function signedOn() {
  const watch = createWatch(limits, 0)
  watch.signed(true, 0)
  return watch
}

test('silence gets two echoes and then ends the connection', () => {
  const watch = signedOn()
  const looks = [29, 30, 59, 60, 89, 90].map((now) => watch.look(at(now)))
  assert.deepEqual(looks, ['fine', 'echo', 'fine', 'echo', 'fine', 'silent'])
})

test('any byte begins the count of echoes again', () => {
  const watch = signedOn()
  assert.deepEqual([watch.look(at(30)), watch.look(at(60))], ['echo', 'echo'])
  watch.received({ now: 70, ended: true, pending: 0 })
  assert.deepEqual([watch.look(at(99)), watch.look(at(100))], ['fine', 'echo'])
})

test('no byte extends the time to sign on', () => {
  const watch = createWatch(limits, 0)
  for (let now = 1; now < 30; now += 1) {
    watch.received({ now, ended: true, pending: 0 })
    assert.equal(watch.look(at(now)), 'fine')
  }
  assert.equal(watch.look(at(30)), 'unsigned')
})

test('the time to sign on runs also while bytes are left unread', () => {
  assert.equal(createWatch(limits, 0).look(at(30, { withheld: true })), 'unsigned')
})

test('the time to sign on begins again with the first sign-off', () => {
  const watch = signedOn()
  watch.signed(false, 100)
  watch.signed(false, 120)
  watch.received({ now: 129, ended: true, pending: 0 })
  assert.deepEqual([watch.look(at(129)), watch.look(at(130))], ['fine', 'unsigned'])
})

test('a frame has its time from its first byte, whatever comes of it meanwhile', () => {
  const watch = signedOn()
  for (let now = 5; now < 35; now += 1) {
    watch.received({ now, ended: false, pending: now })
    assert.equal(watch.look(at(now)), 'fine')
  }
  assert.equal(watch.look(at(35)), 'slow_frame')
})

test('a frame that ends leaves the next one its own time', () => {
  const watch = signedOn()
  watch.received({ now: 5, ended: false, pending: 3 })
  watch.received({ now: 30, ended: true, pending: 3 })
  assert.deepEqual([watch.look(at(59)), watch.look(at(60))], ['fine', 'slow_frame'])
  watch.received({ now: 61, ended: true, pending: 0 })
  assert.equal(watch.look(at(90)), 'fine')
})

test('what is left unread on purpose is neither silence nor a slow frame', () => {
  const watch = signedOn()
  watch.received({ now: 1, ended: false, pending: 3 })
  const looks = [30, 60, 90].map((now) => watch.look(at(now, { withheld: true })))
  assert.deepEqual(looks, ['fine', 'fine', 'fine'])
  assert.deepEqual([watch.look(at(119)), watch.look(at(120))], ['fine', 'slow_frame'])
})

for (const waiting of [1, 100_000, 600_000, 2_000_000]) {
  test(`${waiting} bytes that are not taken for long end the connection`, () => {
    const watch = signedOn()
    const looks = [1, 2, 30, 60, 61].map((now) =>
      watch.look(at(now, { waiting, taken: 500, withheld: true })),
    )
    assert.deepEqual(looks, ['fine', 'fine', 'fine', 'fine', 'stalled'])
  })
}

test('a peer that takes any bytes is not stalled, nor is one that has taken all', () => {
  const watch = signedOn()
  const look = (now: number, waiting: number, taken: number) =>
    watch.look(at(now, { waiting, taken, withheld: true }))
  assert.deepEqual([look(50, 900, 1), look(100, 900, 2), look(159, 900, 2)], Array(3).fill('fine'))
  assert.equal(look(159, 0, 2), 'fine')
  assert.deepEqual([look(218, 1, 2), look(219, 1, 2)], ['fine', 'stalled'])
})

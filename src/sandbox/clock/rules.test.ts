import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkMove } from './rules.ts'
import type { ClockMove } from './schema.ts'

const REAL = new Date('2026-01-31T10:00:00.000Z')
const DAY = 24 * 60 * 60 * 1000

describe('checkMove', () => {
  const moves: [name: string, offset: number, move: ClockMove, shows: string][] = [
    ['to an instant', 0, { now: '2026-02-01T00:00:00Z' }, '2026-02-01T00:00:00.000Z'],
    ['by a duration', 0, { advance: 'P5D' }, '2026-02-05T10:00:00.000Z'],
    ['by a month, limited to its last day', 0, { advance: 'P1M' }, '2026-02-28T10:00:00.000Z'],
    ['from its present time', DAY, { advance: 'PT1H' }, '2026-02-01T11:00:00.000Z'],
    ['to its present time', DAY, { now: '2026-02-01T10:00:00Z' }, '2026-02-01T10:00:00.000Z'],
    ['with an offset in the text', 0, { now: '2026-02-01T04:00:00+04:00' },
      '2026-02-01T00:00:00.000Z'],
  ] // biome-ignore format: one move a line or two reads best.
  for (const [name, offset, move, shows] of moves) {
    test(`moves ${name}`, () => {
      const result = checkMove(REAL, offset, move)
      assert.ok(result.ok)
      assert.equal(result.value.toISOString(), shows)
    })
  }

  test('never goes back, not even by a millisecond', () => {
    const result = checkMove(REAL, DAY, { now: '2026-02-01T09:59:59.999Z' })
    assert.ok(!result.ok && result.code === 'clock_backwards')
  })

  const unsound: [name: string, move: ClockMove, path: string][] = [
    ['neither', {}, 'now'],
    ['both', { now: '2026-02-01T00:00:00Z', advance: 'P1D' }, 'now'],
    ['a date alone', { now: '2026-02-01' }, 'now'],
    ['a negative duration', { advance: '-P1D' }, 'advance'],
    ['a duration without length', { advance: 'P' }, 'advance'],
    ['too far by duration', { advance: 'P99Y366D' }, 'advance'],
    ['too far by instant', { now: '2126-01-31T10:00:00.001Z' }, 'now'],
  ]
  for (const [name, move, path] of unsound) {
    test(`rejects ${name}`, () => {
      const result = checkMove(REAL, 0, move)
      assert.ok(!result.ok)
      assert.deepEqual(
        result.errors?.map((fault) => fault.path),
        [path],
      )
    })
  }
})

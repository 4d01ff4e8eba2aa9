import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '#lib/result.ts'
import { BoundedLines } from './bounded_lines.ts'
import { createLog } from './log.ts'

function open() {
  const written: { level: string; left_out?: number; err?: object; reason?: string }[] = []
  const log = createLog('debug', { write: (line: string) => written.push(JSON.parse(line)) })
  const clock = { now: 0 }
  return { lines: new BoundedLines(log, () => clock.now), clock, written }
}

test('of one name ten lines are written in ten seconds, and the next one counts the others', () => {
  const { lines, clock, written } = open()
  const write = (times: number, name = 'one') => {
    for (let at = 0; at < times; at += 1) lines.write('warn', name, {}, name)
  }
  write(1_000)
  assert.equal(written.length, 10)
  write(3, 'other')
  assert.equal(written.length, 13)
  clock.now = 9_999
  write(1)
  assert.equal(written.length, 13)
  clock.now = 10_000
  write(2)
  assert.deepEqual(
    written.slice(13).map(({ left_out }) => left_out),
    [991, undefined],
  )
})

test('an error that is thrown on purpose is a warning without a stack, others have theirs', () => {
  const { lines, written } = open()
  lines.writeFailure(new ApiError('unavailable', { detail: 'Too many.' }), {}, 'unavailable')
  lines.writeFailure(new TypeError('no function'), {}, 'internal')
  assert.deepEqual(
    written.map(({ level, reason, err }) => [level, reason, err !== undefined]),
    [
      ['warn', 'unavailable: Too many.', false],
      ['error', undefined, true],
    ],
  )
})

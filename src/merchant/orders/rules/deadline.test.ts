import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deadlineOf, firstStage, stageAfter } from './deadline.ts'

const created = new Date('2026-03-01T10:00:00.000Z')

test('an order is reminded of 24 and 2 hours before its deadline, which comes last', () => {
  const deadline = deadlineOf(created, 5)
  assert.equal(deadline.toISOString(), '2026-03-06T10:00:00.000Z')
  assert.deepEqual(firstStage(created, deadline), {
    reminders: 0,
    due: new Date('2026-03-05T10:00:00.000Z'),
  })
  assert.deepEqual(stageAfter(1, deadline).due, new Date('2026-03-06T08:00:00.000Z'))
  assert.deepEqual(stageAfter(2, deadline).due, deadline)
})

test('a window of one day has no reminder at its very beginning', () => {
  const deadline = deadlineOf(created, 1)
  assert.deepEqual(firstStage(created, deadline), {
    reminders: 1,
    due: new Date('2026-03-02T08:00:00.000Z'),
  })
})

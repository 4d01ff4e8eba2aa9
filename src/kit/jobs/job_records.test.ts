import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '#lib/result.ts'
import { JobRecords } from './job_records.ts'

const NOW = new Date('2026-03-01T12:00:00Z')
const JOB = { name: 'planted', kind: 'SWEEP', every_ms: 1_000 } as const

/** The records of one job, with a clock that the test moves. */
function open() {
  let passed = 0
  const records = new JobRecords(() => passed)
  records.add(JOB)
  const read = () => records.read(NOW)[0] ?? assert.fail()
  const pass = (ms: number) => {
    passed += ms
  }
  const run = (error?: unknown, ms = 0) =>
    records
      .run(JOB.name, async () => {
        pass(ms)
        if (error !== undefined) throw error
      })
      .catch(() => {})
  return { records, read, pass, run }
}

test('a job waits for its first run, and is OK after it, with its end and its time', async () => {
  const { read, pass, run } = open()
  assert.deepEqual(read(), { ...JOB, status: 'WAITING', failures: 0 })
  await run(undefined, 40)
  pass(500)
  const last_run = new Date(NOW.getTime() - 500)
  assert.deepEqual(read(), { ...JOB, status: 'OK', last_run, took_ms: 40, failures: 0 })
})

test('a run that has not ended for a minute longer than the interval is overdue', async () => {
  const { read, pass, run } = open()
  pass(61_000)
  assert.equal(read().status, 'WAITING')
  pass(1)
  assert.equal(read().status, 'OVERDUE')
  await run()
  assert.equal(read().status, 'OK')
})

test('a job is failing until a run succeeds, and for a minute after its last failure', async () => {
  const { read, pass, run } = open()
  await run(new Error('planted'))
  pass(60_500)
  assert.equal(read().status, 'FAILING')
  await run()
  assert.equal(read().status, 'OK')
  await run(new Error('planted'))
  await run()
  assert.equal(read().status, 'FAILING')
  pass(59_999)
  await run()
  assert.equal(read().status, 'FAILING')
  pass(1)
  assert.equal(read().status, 'OK')
  assert.equal(read().failures, 2)
})

test('a part of a run that fails makes the run a failure', async () => {
  const { records, read, pass } = open()
  await records.run(JOB.name, async () => records.fail(JOB.name, new Error('of a tenant')))
  pass(60_500)
  assert.equal(read().status, 'FAILING')
})

test('the sentence of a failure has no words of the error', async () => {
  const coded = (code: string) => Object.assign(new Error('secret'), { code })
  for (const [error, sentence] of [
    [new TypeError('secret'), 'It failed with TypeError; the log has the details.'],
    [coded('23505'), 'The database rejected a statement with 23505.'],
    [coded('ECONNRESET'), 'It failed with Error; the log has the details.'],
    [new ApiError('not_found', { detail: 'secret' }), 'It was rejected with not_found.'],
    ['secret', 'It failed with an unknown error; the log has the details.'],
  ] as const) {
    const { read, run } = open()
    await run(error)
    assert.equal(read().last_error, sentence)
  }
})

test('a measure has the time since the last run that met no failure, or since the start', async () => {
  const { records, pass, run } = open()
  const since = () => records.measure().map(({ since_success_ms }) => since_success_ms)
  pass(700)
  assert.deepEqual(since(), [700])
  await run(undefined, 40)
  pass(500)
  assert.deepEqual(records.measure(), [{ ...JOB, since_success_ms: 500, took_ms: 40 }])
  await run(new Error('planted'), 100)
  assert.deepEqual(since(), [600])
})

test('rounds that end well while turns of a minute fail are no success', async () => {
  const { records, pass, run } = open()
  const since = () => records.measure()[0]?.since_success_ms
  await run()
  for (let round = 0; round < 3; round += 1) {
    pass(30_000)
    records.fail(JOB.name, new Error('planted'))
    await run()
  }
  assert.equal(since(), 90_000)
  pass(60_000)
  assert.equal(since(), 60_000)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { healthOf, statusOf } from './rules.ts'

const NOW = new Date('2026-03-01T12:00:00Z')
const ago = (ms: number) => new Date(NOW.getTime() - ms)
const process = (roles: string[], ms: number) => ({ roles, seen: ago(ms) })
const everything = ['api', 'network', 'worker']

test('a process is UP for 15 s, STALE for 60 s, then DOWN', () => {
  for (const [ms, status] of [
    [0, 'UP'],
    [15_000, 'UP'],
    [15_001, 'STALE'],
    [60_000, 'STALE'],
    [60_001, 'DOWN'],
  ] as const) {
    assert.equal(statusOf(ago(ms), NOW), status, `${ms} ms`)
  }
})

test('one process with every role makes every part UP', () => {
  const { status, parts } = healthOf([process(everything, 4_000)], NOW)
  assert.equal(status, 'OK')
  assert.deepEqual(
    parts.map(({ part, status, processes }) => [part, status, processes]),
    ['API', 'NETWORK', 'WORKER', 'DATABASE'].map((part) => [part, 'UP', 1]),
  )
})

test('a part has the status of the process that was seen last, and counts those not DOWN', () => {
  const processes = [
    process(['api'], 1_000),
    process(['api', 'network'], 20_000),
    process(['worker'], 61_000),
  ]
  const { status, parts } = healthOf(processes, NOW)
  assert.equal(status, 'DEGRADED')
  assert.deepEqual(parts, [
    { part: 'API', status: 'UP', processes: 2, seen: ago(1_000) },
    { part: 'NETWORK', status: 'STALE', processes: 1, seen: ago(20_000) },
    { part: 'WORKER', status: 'DOWN', processes: 0, seen: ago(61_000) },
    { part: 'DATABASE', status: 'UP', processes: 1, seen: NOW },
  ])
})

test('while a node of the database is away the database is STALE, and heartbeats are not judged', () => {
  const { status, parts } = healthOf([process(everything, 90_000)], NOW, true)
  assert.equal(status, 'DEGRADED')
  assert.deepEqual(
    parts.map(({ part, status }) => [part, status]),
    [
      ['API', 'UP'],
      ['NETWORK', 'UP'],
      ['WORKER', 'UP'],
      ['DATABASE', 'STALE'],
    ],
  )
})

test('a part of which there is no process is DOWN, and nothing was seen of it', () => {
  const { status, parts } = healthOf([], NOW)
  assert.equal(status, 'DEGRADED')
  assert.deepEqual(parts[0], { part: 'API', status: 'DOWN', processes: 0 })
})

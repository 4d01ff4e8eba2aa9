import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Lateness } from './lateness.ts'

/** A round at `now` that finds these tenants. */
function round(lateness: Lateness, now: number, found: string[]): void {
  lateness.begin(now)
  lateness.find(found, now)
  lateness.end()
}

test('a tenant that every round finds is late since the first of them', () => {
  const lateness = new Lateness()
  for (const now of [5_000, 6_000, 65_000]) round(lateness, now, ['a', 'b'])
  assert.deepEqual(lateness.read(65_000), { tenants: 2, seconds: 60 })
})

test('a turn that leaves nothing ends it, and work that becomes due later begins anew', () => {
  const lateness = new Lateness()
  round(lateness, 0, ['a', 'b'])
  lateness.serve('a')
  assert.deepEqual(lateness.read(1_000), { tenants: 1, seconds: 1 })
  lateness.serve('b')
  assert.deepEqual(lateness.read(2_000), { tenants: 0, seconds: 0 })
  round(lateness, 3_000, ['a'])
  assert.deepEqual(lateness.read(4_000), { tenants: 1, seconds: 1 })
})

test('a tenant that rounds no longer find is not late: another process has served it', () => {
  const lateness = new Lateness()
  round(lateness, 0, ['a', 'b'])
  round(lateness, 2_000, ['b'])
  assert.deepEqual(lateness.read(2_000), { tenants: 1, seconds: 2 })
})

test('a round between two looks, which sees named tenants only, forgets no other', () => {
  const lateness = new Lateness()
  round(lateness, 0, ['a', 'b'])
  round(lateness, 900, ['b'])
  assert.deepEqual(lateness.read(1_000), { tenants: 2, seconds: 1 })
})

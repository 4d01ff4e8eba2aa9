import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OverdueTenants } from './overdue.ts'

/** A round at `now` that finds these tenants. */
function round(overdue: OverdueTenants, now: number, found: string[]): void {
  overdue.begin(now)
  overdue.find(found, now)
  overdue.end()
}

test('a tenant that every round finds is late since the first of them', () => {
  const overdue = new OverdueTenants()
  for (const now of [5_000, 6_000, 65_000]) round(overdue, now, ['a', 'b'])
  assert.deepEqual(overdue.read(65_000), { tenants: 2, seconds: 60 })
})

test('a turn that leaves nothing ends it, and work that becomes due later begins anew', () => {
  const overdue = new OverdueTenants()
  round(overdue, 0, ['a', 'b'])
  overdue.serve('a')
  assert.deepEqual(overdue.read(1_000), { tenants: 1, seconds: 1 })
  overdue.serve('b')
  assert.deepEqual(overdue.read(2_000), { tenants: 0, seconds: 0 })
  round(overdue, 3_000, ['a'])
  assert.deepEqual(overdue.read(4_000), { tenants: 1, seconds: 1 })
})

test('a tenant that rounds no longer find is not late: another process has served it', () => {
  const overdue = new OverdueTenants()
  round(overdue, 0, ['a', 'b'])
  round(overdue, 2_000, ['b'])
  assert.deepEqual(overdue.read(2_000), { tenants: 1, seconds: 2 })
})

test('a round between two looks, which sees named tenants only, forgets no other', () => {
  const overdue = new OverdueTenants()
  round(overdue, 0, ['a', 'b'])
  round(overdue, 900, ['b'])
  assert.deepEqual(overdue.read(1_000), { tenants: 2, seconds: 1 })
})

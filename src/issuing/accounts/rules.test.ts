import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ruleOnAccountStatus, ruleOnMovement } from './rules.ts'
import type { AccountStatus } from './schema.ts'

const statuses: AccountStatus[] = ['ACTIVE', 'INACTIVE', 'SUSPENDED']

for (const status of statuses) {
  const expected = status === 'ACTIVE' ? 'allowed' : 'account_not_active'
  test(`money moves on an account that is ${status}: ${expected}`, () => {
    const ruling = ruleOnMovement({ id: 'a', status })
    assert.equal(ruling.allowed ? 'allowed' : ruling.refusal, expected)
  })

  for (const wanted of statuses) {
    const moved = status === wanted ? 'account_status_move_refused' : wanted
    test(`${status} to ${wanted}: ${moved}`, () => {
      const ruling = ruleOnAccountStatus({ id: 'a', status }, wanted)
      assert.equal(ruling.allowed ? ruling.value : ruling.refusal, moved)
    })
  }
}

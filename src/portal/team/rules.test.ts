import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsOfRole, leavesNoOwner } from './rules.ts'

test('a team has only the roles of its kind', () => {
  for (const [role, tenant_id, isRight] of [
    ['viewer', 'a tenant', true],
    ['operator_support', 'a tenant', false],
    ['viewer', null, false],
    ['operator_support', null, true],
  ] as const) {
    assert.equal(faultsOfRole(role, tenant_id).length === 0, isRight, `${role} ${tenant_id}`)
  }
})

test('only the last owner cannot be removed or get another role', () => {
  assert.equal(leavesNoOwner(['ann'], 'ann'), true)
  assert.equal(leavesNoOwner(['ann'], 'ann', 'developer'), true)
  assert.equal(leavesNoOwner(['ann'], 'ann', 'owner'), false)
  assert.equal(leavesNoOwner(['ann'], 'bob'), false)
  assert.equal(leavesNoOwner(['ann', 'bob'], 'ann'), false)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namingReached } from './reached.ts'

test('each table that is compared with the tenant names those that are reached', () => {
  assert.equal(
    namingReached(
      'u.tenant_id = t.tenant_id and (s.tenant_id = t.tenant_id or t.tenant_id = $1)',
      2,
    ),
    'u.tenant_id = t.tenant_id and u.tenant_id = any ($2::uuid[]) and ' +
      '(s.tenant_id = t.tenant_id and s.tenant_id = any ($2::uuid[]) or t.tenant_id = $1)',
  )
})

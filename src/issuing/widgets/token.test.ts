import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { digestOf, newToken, tenantIn } from './token.ts'

test('a token names its tenant, and two of them share nothing else', () => {
  const tenant_id = newId()
  const [one, other] = [newToken(tenant_id), newToken(tenant_id)]
  assert.equal(tenantIn(one), tenant_id)
  assert.notEqual(one.slice(36), other.slice(36))
  assert.notDeepEqual(digestOf(one), digestOf(other))
})

test('text that is no token, or a token with a changed character, names no tenant', () => {
  const token = newToken(newId())
  const changed = token.slice(0, 50) + (token[50] === 'a' ? 'b' : 'a') + token.slice(51)
  for (const text of ['', 'bw_', token.slice(1), `${token}0`, changed, token.toUpperCase()]) {
    assert.equal(tenantIn(text), undefined, text)
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { AuditedRequest } from './request.ts'

test('a record names what the last run of a transaction answered, not those before it', () => {
  const [tenant_id, named, first, second] = [newId(), newId(), newId(), newId()]
  const audited = new AuditedRequest({
    operation: 'createCard',
    request_id: newId(),
    address: '192.0.2.1',
    tenant_id,
    actor: { kind: 'client', id: newId() },
    now: new Date(0),
    digest: Buffer.alloc(32),
    members: [],
    named: [named],
    status: 200,
  })
  audited.answered(first)
  audited.answered(second)
  assert.deepEqual(audited.entry()?.object_ids, [named, second])
})

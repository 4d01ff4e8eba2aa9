/** Rows that are inserted from arrays come from the anchor of their tenant: it must be there. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_TENANT } from '#kit/http/callers/callers.ts'
import { keeper } from '#test/support/keeper.ts'
import { signUp } from '#test/support/portal/browser.ts'
import { openWorld } from '#test/support/world.ts'

const keep = keeper()
const world = keep(await openWorld())

const idsOf = async () => {
  const tenants = await world.db.selectFrom('tenants').select('id').execute()
  const anchors = await world.db.selectFrom('tenant_anchors').select('tenant_id').execute()
  return {
    tenants: tenants.map(({ id }) => id).sort(),
    anchors: anchors.map(({ tenant_id }) => tenant_id).sort(),
  }
}

const makeTenant = (body: object) =>
  world.request('POST', '/v1/operator/tenants', body, { key: world.operator_key })

test('every way to make a tenant makes its anchor, and what fails makes none', async () => {
  const before = await idsOf()
  const made = await makeTenant({ name: 'One' })
  assert.equal(made.status, 200, made.text)
  const taken = await makeTenant({ id: made.body.id, name: 'Two' })
  assert.equal(taken.status, 409, taken.text)
  await signUp(world)
  const { tenants, anchors } = await idsOf()
  assert.equal(tenants.length, before.tenants.length + 2)
  assert.deepEqual(anchors, [NO_TENANT, ...tenants].sort())
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { NO_TENANT } from '#kit/http/callers/callers.ts'
import { openWorld } from '#test/support/world.ts'
import { createTenant, ensureOperatorKey, readSettings } from './tenants.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

test('the operator gets a key at the first start only, also when processes start at once', async () => {
  await world.db.deleteFrom('api_keys').where('tenant_id', 'is', null).execute()
  const ctx = { ...(await world.ctx()), db: world.db }
  const keys = await Promise.all(Array.from({ length: 8 }, () => ensureOperatorKey(ctx)))
  const made = keys.filter((key) => key !== undefined)
  assert.equal(made.length, 1)

  const [key = ''] = made
  const reply = await world.request('GET', '/v1/operator/tenants', undefined, { key })
  assert.equal(reply.status, 200)
  assert.equal(await ensureOperatorKey(ctx), undefined)
})

test('settings are read with their defaults, for the operator too', async () => {
  const ctx = { ...(await world.ctx()), db: world.db }
  const { tenant } = await createTenant(ctx, { name: 'Read', settings: { hold_days: 2 } })
  const settings = await readSettings({ ...ctx, tenant_id: tenant.id })
  assert.equal(settings.hold_days, 2)
  assert.equal(settings.clearing_hold_days, 30)
  assert.equal((await readSettings({ ...ctx, tenant_id: NO_TENANT })).hold_days, 7)
})

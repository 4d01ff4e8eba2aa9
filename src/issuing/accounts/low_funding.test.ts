import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keeper } from '#test/support/keeper.ts'
import { openWorld, type TestTenant } from '#test/support/world.ts'

const keep = keeper()
const world = keep(await openWorld())
const operator = { key: world.operator_key }

const fund = ({ id }: TestTenant, currency: string, amount: number) =>
  world.request('POST', `/v1/operator/tenants/${id}/funding`, { currency, amount }, operator)
const list = (query = '') =>
  world.request('GET', `/v1/operator/funding${query}`, undefined, operator)

type Low = { tenant_id: string; currency: string; available: number }
const shown = (data: Low[]) => data.map((one) => [one.tenant_id, one.currency, one.available])

test('accounts with less than the bound in major units of their currency are listed', async () => {
  const [poor, rich] = [await world.otherTenant(), await world.otherTenant()]
  await fund(poor, 'AED', 999.99)
  await fund(poor, 'JPY', 1_000)
  await fund(poor, 'BHD', 0.5)
  await fund(rich, 'AED', 1_000)
  const { status, body, text } = await list()
  assert.equal(status, 200, text)
  assert.deepEqual(shown(body.data), [
    [poor.id, 'AED', 999.99],
    [poor.id, 'BHD', 0.5],
  ])
  assert.equal(body.data[0].tenant_name, `tenant ${poor.id}`)
  assert.deepEqual(shown((await list('?below=0.5')).body.data), [])
  assert.equal((await list('?below=1000.01')).body.data.length, 4)
})

test('it is for the operator, and a bound is a number that is not negative', async () => {
  assert.equal((await world.request('GET', '/v1/operator/funding')).status, 403)
  assert.equal((await list('?below=-1')).status, 400)
  assert.equal((await list('?below=many')).status, 400)
})

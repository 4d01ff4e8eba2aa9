/** `apply` beside what others do to the same tenant, before it and at the same time. */

import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { keeper } from '#test/support/keeper.ts'
import { ask } from '../../apps/cli/commands/programme.ts'
import { fileOf } from './files.ts'
import { openProxy } from './proxy.ts'
import { openPlatform } from './support.ts'

const keep = keeper()
const { url, world, run, runAs } = await openPlatform()
keep(world)

const namesOf = async (path: string, key: string): Promise<string[]> => {
  const { body } = await world.request('GET', `/v1/${path}`, undefined, { key })
  return body.data.map(({ name, description }: Record<string, string>) => name ?? description)
}

test('apply does nothing where the platform has changed while it asked', async () => {
  const path = fileOf('version: 1\nallowed_mccs: { Asked: { mccs: ["5411"] }, B: { mccs: [] } }\n')
  const asked = async () => {
    await world.request('POST', '/v1/allowedmccs', { name: 'Asked', mccs: ['5812'] })
    return 'yes'
  }
  const { code, errors } = await run(['apply', path], { ask: asked })
  assert.equal(code, 1)
  assert.match(errors, /^the platform has changed since this was planned: nothing is done\n/)
  assert.deepEqual(await namesOf('allowedmccs', world.tenant.api_key), ['Asked'])
  const again = await run(['apply', path], { ask: async () => 'yes' })
  assert.match(again.out, /mccs: 5812 → 5411\n[\s\S]*applied$/)
})

test('two that apply one file at one time, by different keys, make each thing once', async () => {
  const tenant = await world.otherTenant()
  const made = await world.request(
    ...(['POST', `/v1/operator/tenants/${tenant.id}/keys`] as const),
    { permissions: ['read', 'write'] },
    { key: world.operator_key },
  )
  const other = { ...tenant, api_key: String(made.body.key) }
  const path = fileOf(`version: 1
allowed_mccs: { Groceries: { mccs: ["5411"] } }
velocity_limits: { Daily: { type: CUMULATIVE, currency: AED, max_amount: 1, period: DAILY } }
card_products: { Once: { currency: AED, bin: "79345678", velocity_limits: [Daily] } }
`)
  const proxy = keep(await openProxy(url))
  const throughProxy = { env: { BEZANT_URL: proxy.url } }
  assert.equal((await runAs(other, ['plan', path], throughProxy)).code, 2)
  proxy.freeze()
  assert.equal((await runAs(tenant, ['apply', path, '--yes'])).code, 0)
  const late = await runAs(other, ['apply', path, '--yes'], throughProxy)
  assert.equal(late.code, 0, late.errors)
  for (const kind of ['allowedmccs', 'velocitylimits', 'cardproducts']) {
    assert.equal((await namesOf(kind, tenant.api_key)).length, 1, kind)
  }
  assert.equal((await runAs(other, ['plan', path])).out, 'no difference')
})

test('what has refused a file is asked again once its reason is gone', async () => {
  const tenant = await world.otherTenant()
  const key = { key: tenant.api_key }
  const ids: string[] = []
  for (let at = 0; at < 50; at += 1) {
    const body = { endpoint: `http://127.0.0.1:9/${at}`, events: ['TRANSACTION'] }
    ids.push((await world.request('POST', '/v1/webhooks', body, key)).body.id)
  }
  const path = fileOf(
    'version: 1\nwebhooks: { "http://127.0.0.1:9/a": { events: [TRANSACTION] } }\n',
  )
  for (let tries = 0; tries < 2; tries += 1) {
    const refused = await runAs(tenant, ['apply', path, '--yes'])
    assert.equal(refused.code, 1)
    assert.match(refused.errors, /POST \/v1\/webhooks: .+\(409, /)
  }
  await world.request('DELETE', `/v1/webhooks/${ids[0]}`, undefined, key)
  const { code, errors } = await runAs(tenant, ['apply', path, '--yes'])
  assert.equal(code, 0, errors)
})

test('the end of the input and Ctrl-C are no answer to the question of apply', async () => {
  const answers: [typed: string, answer: string][] = [
    ['yes\n', 'yes'],
    ['\u0003', ''],
    ['', ''],
  ]
  for (const [typed, answer] of answers) {
    const input = new PassThrough()
    const asked = ask('Apply this? ', { input, output: new PassThrough(), terminal: true })
    input.end(typed)
    assert.equal(await asked, answer)
  }
})

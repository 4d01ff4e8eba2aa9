/** The actions of members are in the audit log of their tenant (D-143). */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import {
  createChallenge,
  memberWith,
  openBrowser,
  PASSWORD,
  signUp,
} from '#test/support/portal/browser.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

type Shown = {
  operation: string
  status: number
  actor: { kind: string; id: string }
  address: string
  members: string[]
  object_ids: string[]
}

async function recordsOf(tenant_id: string | undefined, actor_id: string): Promise<Shown[]> {
  const query = new URLSearchParams({ actor_id, ...(tenant_id !== undefined && { tenant_id }) })
  const path = `/v1/operator/audit?${query}`
  const { body } = await world.request('GET', path, undefined, { key: world.operator_key })
  return body.data.toReversed()
}
const brief = ({ operation, status, actor }: Shown) => [operation, status, actor.kind]

describe('the audit log', () => {
  test('has the registration, each change, keys and the sign-out under the member', async () => {
    const { member, tenant, browser } = await signUp(world)
    const user = await browser.ask('POST', '/v1/users', { first_name: 'Omar', last_name: 'Aziz' })
    const sent = { name: 'Shop', permissions: ['read'] }
    const key = await browser.ask('POST', '/portal/v1/keys', sent)
    await browser.ask('DELETE', `/portal/v1/keys/${key.body.id}`)
    await browser.ask('DELETE', '/portal/v1/session')
    const records = await recordsOf(tenant.id, member.id)
    assert.deepEqual(records.map(brief), [
      ['createRegistration', 201, 'member'],
      ['createUser', 200, 'member'],
      ['createKey', 201, 'member'],
      ['revokeKey', 204, 'member'],
      ['signOut', 204, 'member'],
    ])
    assert.ok(records[0]?.object_ids.includes(tenant.id))
    assert.ok(records[1]?.object_ids.includes(user.body.id))
    assert.deepEqual(records[0]?.members, ['email', 'password', 'organization'])
  })

  test('has each sign-in and each failure, with where it came from', async () => {
    const { id, email } = await memberWith(world, 'viewer', world.tenant.id)
    const browser = openBrowser(world, '198.51.100.20')
    await browser.ask('POST', '/portal/v1/sessions', { email, password: 'wrong' })
    await browser.ask('POST', '/portal/v1/sessions', { email, password: PASSWORD })
    const records = await recordsOf(world.tenant.id, id)
    assert.deepEqual(records.map(brief), [
      ['signIn', 201, 'member'],
      ['signIn', 401, 'member'],
      ['signIn', 201, 'member'],
    ])
    assert.deepEqual(
      records.slice(1).map(({ address }) => address),
      ['198.51.100.20', '198.51.100.20'],
    )
  })

  test('has both steps of a sign-in with a second factor, and wrong codes', async () => {
    const member = await memberWith(world, 'viewer', world.tenant.id)
    const { challenge, code } = await createChallenge(world, member)
    const verify = (given: string) =>
      openBrowser(world).ask('POST', '/portal/v1/sessions:verify', { challenge, code: given })
    await verify('000000')
    await verify(code)
    const records = await recordsOf(world.tenant.id, member.id)
    assert.deepEqual(records.slice(1).map(brief), [
      ['signIn', 202, 'member'],
      ['verifySignIn', 401, 'member'],
      ['verifySignIn', 201, 'member'],
    ])
  })

  test('has failures of unknown addresses under no tenant, and never the address', async () => {
    const email = `${randomUUID()}@bank.example`
    await openBrowser(world).ask('POST', '/portal/v1/sessions', { email, password: 'wrong' })
    const records = await recordsOf(undefined, 'unknown')
    assert.deepEqual(records.map(brief).at(-1), ['signIn', 401, 'member'])
    assert.ok(!JSON.stringify(records).includes(email))
  })

  test('has changes of the operator’s team under the tenant that they are about', async () => {
    const { id, browser } = await memberWith(world, 'operator_owner', null)
    const { body } = await browser.ask('POST', '/v1/operator/tenants', { name: 'New Bank' })
    const settings = `/v1/operator/tenants/${body.id}/settings`
    await browser.ask('PUT', settings, { pci_compliant: true })
    assert.deepEqual((await recordsOf(body.id, id)).map(brief), [
      ['createTenant', 200, 'member'],
      ['updateSettingsAsOperator', 200, 'member'],
    ])
  })
})

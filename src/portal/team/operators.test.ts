import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keeper } from '#test/support/keeper.ts'
import { memberWith, openBrowser, PASSWORD, someEmail } from '#test/support/portal/browser.ts'
import { tokenIn } from '#test/support/portal/members.ts'
import { type Answer, openWorld } from '#test/support/world.ts'

const keep = keeper()
const world = keep(await openWorld())
const PATH = '/portal/v1/operators:invite'

const invite = (email: string, key: string | null = world.operator_key) =>
  world.request('POST', PATH, { email }, { key })

test('the operator’s key invites the first owner, whose link opens the team', async () => {
  const email = someEmail()
  const { status, body } = await invite(email.toUpperCase())
  assert.equal(status, 201)
  assert.deepEqual([body.email, body.role], [email, 'operator_owner'])
  assert.ok(body.link.startsWith(`${world.config.public_url}/console/invitation?token=`))
  const browser = openBrowser(world)
  const accepted = await browser.ask('POST', '/portal/v1/invitations:accept', {
    token: tokenIn(body.link),
    password: PASSWORD,
  })
  assert.equal(accepted.status, 201, accepted.text)
  const { body: session } = await browser.ask('GET', '/portal/v1/session')
  assert.deepEqual(
    [session.role, session.tenant, session.tenant_header],
    ['operator_owner', undefined, 'x-bezant-tenant'],
  )
  assert.equal((await browser.ask('GET', '/v1/operator/tenants')).status, 200)
})

test('no mail is sent, and the list of invitations has no link', async () => {
  const email = someEmail()
  await invite(email)
  const { browser } = await memberWith(world, 'operator_owner', null)
  const { body, text } = await browser.ask('GET', '/portal/v1/invitations')
  assert.ok(body.data.some((one: { email: string }) => one.email === email))
  assert.ok(!text.includes('token='))
  const mails = `/v1/operator/mails?to=${encodeURIComponent(email)}`
  const { body: kept } = await world.request('GET', mails, undefined, { key: world.operator_key })
  assert.deepEqual(kept.data, [])
})

test('an address that has a member is taken, and a wrong one is named', async () => {
  const { email } = await memberWith(world, 'viewer', world.tenant.id)
  const taken = await invite(email)
  assert.deepEqual([taken.status, taken.body.code], [409, 'email_taken'])
  const wrong = await invite('nobody')
  assert.deepEqual([wrong.status, wrong.body.errors[0].path], [400, 'email'])
})

test('only the operator’s key and owners of its team invite', async () => {
  const statusOf = async (asked: Promise<Answer>) => (await asked).status
  assert.equal(await statusOf(invite(someEmail(), world.tenant.api_key)), 403)
  assert.equal(await statusOf(invite(someEmail(), 'wrong')), 401)
  assert.equal(await statusOf(invite(someEmail(), null)), 401)
  for (const [role, tenant_id, status] of [
    ['operator_owner', null, 201],
    ['operator_support', null, 403],
    ['operator_compliance', null, 403],
    ['owner', world.tenant.id, 403],
  ] as const) {
    const { browser } = await memberWith(world, role, tenant_id)
    const asked = browser.ask('POST', PATH, { email: someEmail() })
    assert.equal(await statusOf(asked), status, role)
  }
})

test('the key opens nothing else of the portal', async () => {
  const options = { key: world.operator_key }
  for (const path of ['session', 'members', 'keys']) {
    const { status } = await world.request('GET', `/portal/v1/${path}`, undefined, options)
    assert.equal(status, 401, path)
  }
})

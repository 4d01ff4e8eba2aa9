import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keeper } from '#test/support/keeper.ts'
import { browse, insertPerson } from '#test/support/portal/members.ts'
import { openWorld } from '#test/support/world.ts'

const keep = keeper()
const world = keep(await openWorld())
const MEMBERS = '/portal/v1/members'

/** A team of its own: an owner and members of these roles. */
async function openTeam(...roles: string[]) {
  const { id: tenant_id } = await world.otherTenant()
  const owner = await insertPerson(world, { tenant_id })
  const others = await Promise.all(roles.map((role) => insertPerson(world, { tenant_id, role })))
  return { tenant_id, owner, others, call: await browse(world, owner) }
}

test('the members of the team are listed in pages, and of no other team', async () => {
  const { owner, others, call } = await openTeam('viewer', 'finance')
  await openTeam('viewer')
  const first = await call('GET', `${MEMBERS}?limit=2`)
  assert.equal(first.status, 200)
  const second = await call('GET', `${MEMBERS}?limit=2&after=${first.body.after}`)
  const all = [...first.body.data, ...second.body.data]
  assert.deepEqual(all.map(({ id }) => id).sort(), [owner, ...others].map(({ id }) => id).sort())
  const { email, role, second_factor } = all.find(({ id }) => id === owner.id)
  assert.deepEqual([email, role, second_factor], [owner.email, 'owner', false])
})

test('a change of role ends every session of the member, and of no other', async () => {
  const { others, call } = await openTeam('viewer')
  const [viewer = assert.fail()] = others
  const theirs = [await browse(world, viewer), await browse(world, viewer)]
  const same = await call('PUT', `${MEMBERS}/${viewer.id}`, { role: 'viewer' })
  assert.equal(same.status, 200)
  assert.equal((await theirs[0]?.('GET', '/portal/v1/session'))?.status, 200, 'no change')

  const changed = await call('PUT', `${MEMBERS}/${viewer.id}`, { role: 'finance' })
  assert.deepEqual([changed.status, changed.body.role], [200, 'finance'])
  for (const one of theirs) assert.equal((await one('GET', '/portal/v1/session')).status, 401)
  assert.equal((await call('GET', '/portal/v1/session')).status, 200)
})

test('a removed member has no session any more, and the address is free', async () => {
  const { others, call } = await openTeam('viewer')
  const [viewer = assert.fail()] = others
  const theirs = await browse(world, viewer)
  assert.equal((await call('DELETE', `${MEMBERS}/${viewer.id}`)).status, 200)
  assert.equal((await theirs('GET', '/portal/v1/session')).status, 401)
  assert.equal((await call('DELETE', `${MEMBERS}/${viewer.id}`)).status, 404)
  const invited = { email: viewer.email, role: 'viewer' }
  assert.equal((await call('POST', '/portal/v1/invitations', invited)).status, 201)
})

test('the last owner can neither be removed nor lose the role', async () => {
  const { owner, others, call } = await openTeam('developer')
  const [developer = assert.fail()] = others
  for (const attempt of [
    call('PUT', `${MEMBERS}/${owner.id}`, { role: 'viewer' }),
    call('DELETE', `${MEMBERS}/${owner.id}`),
  ]) {
    const { status, body } = await attempt
    assert.deepEqual([status, body.code], [409, 'last_owner'])
  }
  await call('PUT', `${MEMBERS}/${developer.id}`, { role: 'owner' })
  assert.equal((await call('DELETE', `${MEMBERS}/${owner.id}`)).status, 200)
})

test('of two owners who leave at one time one stays', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { owner, others, tenant_id } = await openTeam('owner')
    const [other = assert.fail()] = others
    const [one, two] = [await browse(world, owner), await browse(world, other)]
    const answers = await Promise.all([
      one('DELETE', `${MEMBERS}/${owner.id}`),
      two('PUT', `${MEMBERS}/${other.id}`, { role: 'viewer' }),
    ])
    const statuses = answers.map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 409).length, 1, statuses.join())
    const owners = await world.db
      .selectFrom('memberships')
      .select('id')
      .where('tenant_id', '=', tenant_id)
      .where('role', '=', 'owner')
      .execute()
    assert.equal(owners.length, 1)
  }
})

test('a member of another team is not found', async () => {
  const [{ call }, { others }] = [await openTeam(), await openTeam('viewer')]
  const [viewer = assert.fail()] = others
  const path = `${MEMBERS}/${viewer.id}`
  assert.equal((await call('PUT', path, { role: 'finance' })).status, 404)
  assert.equal((await call('DELETE', path)).status, 404)
})

test('a role of the operator’s team is none of a tenant, and the other way round', async () => {
  const { others, call } = await openTeam('viewer')
  const [viewer = assert.fail()] = others
  const wrong = await call('PUT', `${MEMBERS}/${viewer.id}`, { role: 'operator_owner' })
  assert.deepEqual([wrong.status, wrong.body.errors[0].path], [400, 'role'])
  assert.equal((await call('PUT', `${MEMBERS}/${viewer.id}`, { role: 'king' })).status, 400)

  const chief = await insertPerson(world, { tenant_id: null, role: 'operator_owner' })
  const support = await insertPerson(world, { tenant_id: null, role: 'operator_support' })
  const theirs = await browse(world, chief)
  const path = `${MEMBERS}/${support.id}`
  assert.equal((await theirs('PUT', path, { role: 'viewer' })).status, 400)
  assert.equal((await theirs('PUT', path, { role: 'operator_compliance' })).status, 200)
  const listed = await theirs('GET', MEMBERS)
  assert.deepEqual(
    listed.body.data.map(({ id }: { id: string }) => id).sort(),
    [chief.id, support.id].sort(),
  )
  assert.equal((await theirs('DELETE', `${MEMBERS}/${chief.id}`)).body.code, 'last_owner')
})

test('a member without the permission changes nobody', async () => {
  const { owner, others } = await openTeam('developer')
  const call = await browse(world, others[0] ?? assert.fail())
  assert.equal((await call('GET', MEMBERS)).status, 200)
  for (const answer of [
    await call('PUT', `${MEMBERS}/${owner.id}`, { role: 'viewer' }),
    await call('DELETE', `${MEMBERS}/${owner.id}`),
    await call('POST', '/portal/v1/invitations', { email: 'x@y.example', role: 'owner' }),
  ]) {
    assert.deepEqual([answer.status, answer.body.code], [403, 'permission_missing'])
  }
})

/** The story of a leaver's API keys: their owner and their end (D-1002). */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keeper } from '#test/support/keeper.ts'
import { signUp } from '#test/support/portal/browser.ts'
import { browse, insertPerson } from '#test/support/portal/members.ts'
import { openSecondProcess } from '#test/support/portal/second_process.ts'
import { until } from '#test/support/services/receiver.ts'
import { openWorld } from '#test/support/world.ts'

const keep = keeper()
const world = keep(await openWorld())
const second = keep(await openSecondProcess(world))
const [MEMBERS, KEYS] = ['/portal/v1/members', '/portal/v1/keys'] as const

type Key = { id: string; api_key: string }

/** An owner, and a member of the role with a key of each of these permissions. */
async function openTeam(role: string, ...permissions: string[][]) {
  const { id: tenant_id } = await world.otherTenant()
  const owner = await browse(world, await insertPerson(world, { tenant_id }))
  const member = await insertPerson(world, { tenant_id, role })
  const call = await browse(world, member)
  const keys: Key[] = []
  for (const one of permissions) {
    const { status, body } = await call('POST', KEYS, { name: one.join(), permissions: one })
    assert.equal(status, 201)
    keys.push(body)
  }
  return { tenant_id, owner, member, call, keys }
}

const statusWith = async (key: Key | undefined, at: Pick<typeof world, 'request'> = world) =>
  (await at.request('GET', '/v1/cards', undefined, { key: key?.api_key ?? '' })).status
const idsOf = (keys: { id: string }[] | undefined) => (keys ?? []).map(({ id }) => id).sort()

test('a key says who made it: in the answer, in the lists, and after the member has left', async () => {
  const { tenant_id, owner, member, keys } = await openTeam('developer', ['read'])
  const made = { created_by: member.id, created_by_email: member.email }
  const whose = ({ created_by, created_by_email }: typeof made) => ({
    created_by,
    created_by_email,
  })
  assert.deepEqual(whose((keys[0] ?? assert.fail()) as unknown as typeof made), made)
  const ofOperator = await world.request(
    'POST',
    `/v1/operator/tenants/${tenant_id}/keys`,
    { permissions: ['read'] },
    { key: world.operator_key },
  )
  assert.deepEqual([ofOperator.status, ofOperator.body.created_by], [200, 'operator'])
  await owner('DELETE', `${MEMBERS}/${member.id}`, { revoke_keys: false })
  const path = `/v1/operator/tenants/${tenant_id}/keys`
  for (const { body } of [
    await owner('GET', KEYS),
    await world.request('GET', path, undefined, { key: world.operator_key }),
  ]) {
    const [newest, before] = body.data
    assert.equal(newest.created_by, 'operator')
    assert.equal(newest.created_by_email, undefined)
    assert.deepEqual(whose(before), made)
  }
  const found = await owner('GET', `${KEYS}?created_by=${member.id}`)
  assert.deepEqual(idsOf(found.body.data), idsOf(keys))
})

test('the first key of a registration is that of the person who signed up', async () => {
  const { browser, member, email } = await signUp(world)
  const [key] = (await browser.ask('GET', KEYS)).body.data
  assert.deepEqual([key.created_by, key.created_by_email], [member.id, email])
})

test('the keys of a member who is removed work no longer, at no process', async () => {
  const { owner, member, keys } = await openTeam('developer', ['read'], ['read', 'write'])
  const others = await openTeam('developer', ['read'])
  for (const key of keys) {
    assert.deepEqual([await statusWith(key), await statusWith(key, second)], [200, 200])
  }
  const { status, body } = await owner('DELETE', `${MEMBERS}/${member.id}`)
  assert.equal(status, 200)
  assert.deepEqual(idsOf(body.revoked_keys), idsOf(keys))
  assert.deepEqual(body.kept_keys, [])
  assert.ok(body.revoked_keys.every((key: { exceeds_role: boolean }) => key.exceeds_role))
  for (const key of keys) {
    assert.equal(await statusWith(key), 401)
    await until('the other process refuses it', async () => (await statusWith(key, second)) === 401)
  }
  assert.equal(await statusWith(others.keys[0]), 200, 'a key of another member')
  assert.deepEqual((await owner('GET', `${KEYS}?created_by=${member.id}`)).body.data, [])
})

test('they are kept where the owner says so, and named', async () => {
  const { owner, member, keys } = await openTeam('developer', ['read'])
  const body = { revoke_keys: false }
  const removed = await owner('DELETE', `${MEMBERS}/${member.id}`, body)
  assert.deepEqual(removed.body.revoked_keys, [])
  assert.deepEqual(idsOf(removed.body.kept_keys), idsOf(keys))
  assert.equal(await statusWith(keys[0]), 200)
})

test('the keys of a member who is demoted are revoked, or kept and named as too much', async () => {
  const revoked = await openTeam('developer', ['read'], ['read', 'write'])
  const path = `${MEMBERS}/${revoked.member.id}`
  const demoted = await revoked.owner('PUT', path, { role: 'viewer' })
  assert.deepEqual([demoted.status, demoted.body.role], [200, 'viewer'])
  assert.deepEqual(idsOf(demoted.body.revoked_keys), idsOf(revoked.keys))
  for (const key of revoked.keys) assert.equal(await statusWith(key), 401)

  const kept = await openTeam('owner', ['read', 'cards:reveal'], ['read'])
  const body = { role: 'developer', revoke_keys: false }
  const answer = await kept.owner('PUT', `${MEMBERS}/${kept.member.id}`, body)
  assert.deepEqual(idsOf(answer.body.kept_keys), idsOf(kept.keys))
  assert.ok(answer.body.kept_keys.every((key: { exceeds_role: boolean }) => key.exceeds_role))
  for (const key of kept.keys) assert.equal(await statusWith(key), 200)
})

test('keys that the new role could have made stay, as after a promotion', async () => {
  const { owner, member, keys } = await openTeam('developer', ['read', 'write'])
  for (const role of ['owner', 'developer']) {
    const { body } = await owner('PUT', `${MEMBERS}/${member.id}`, { role })
    assert.deepEqual([body.revoked_keys, idsOf(body.kept_keys)], [[], idsOf(keys)])
    assert.deepEqual(
      body.kept_keys.map((key: { exceeds_role: boolean }) => key.exceeds_role),
      [false],
    )
  }
  const gone = { role: 'developer', revoke_keys: true }
  const { body } = await owner('PUT', `${MEMBERS}/${member.id}`, gone)
  assert.deepEqual(idsOf(body.revoked_keys), idsOf(keys))
})

test('the keys that a removal revokes are in its audit record', async () => {
  const { tenant_id, owner, member, keys } = await openTeam('developer', ['read'])
  await owner('DELETE', `${MEMBERS}/${member.id}`)
  const path = `/v1/operator/audit?tenant_id=${tenant_id}&object_id=${keys[0]?.id}`
  const { body } = await world.request('GET', path, undefined, { key: world.operator_key })
  const operations = body.data.map(({ operation }: { operation: string }) => operation)
  assert.ok(operations.includes('deleteMember'), operations.join())
})

test('a failed removal revokes nothing', async () => {
  const { owner, tenant_id } = await openTeam('viewer')
  const { body: session } = await owner('GET', '/portal/v1/session')
  const body = { name: 'Shop', permissions: ['read'] }
  const { body: key } = await owner('POST', KEYS, body)
  const { status } = await owner('DELETE', `${MEMBERS}/${session.member.id}`)
  assert.equal(status, 409, tenant_id)
  assert.equal(await statusWith(key), 200)
})

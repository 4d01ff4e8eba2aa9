/** The expiry job on the tenant's clock (D-24). */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { DatabaseUnavailable } from '#kit/db/database.ts'
import { FIRST_ID } from '#kit/jobs/due_tenants.ts'
import { closeGate } from '#test/support/gate.ts'
import { people } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { documentExpiry } from './expiry.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

const tenantWith = async (days_prior_expiration: number, more: object = {}) => {
  const expired_idv_policy = { days_prior_expiration, ...more }
  return people(world, await world.otherTenant({ expired_idv_policy }))
}
/** A user whose document ends in five days, after the first look of a policy of ten. */
async function warned() {
  const they = await tenantWith(10)
  const { id } = await they.create()
  await they.addIdentification(id, { expiration_date: they.inDays(5) })
  await they.runDueJobs()
  return { they, id }
}
const DAY = 86_400_000

describe('who is warned', () => {
  test('by the newest of passport, national id and visa alone', async () => {
    const they = await tenantWith(10)
    const other = await they.create()
    await they.addIdentification(other.id, { type: 'VISA', expiration_date: they.inDays(5) })
    await they.addIdentification(other.id, { type: 'ADDITIONAL' })
    const early = await they.create()
    await they.addIdentification(early.id, { expiration_date: they.inDays(5) })
    await they.addIdentification(early.id, { expiration_date: they.inDays(900) })
    await they.runDueJobs()
    assert.equal(await they.state(other.id), 'ACTIVE/A6')
    assert.equal(await they.state(early.id), 'ACTIVE/A0')
  })

  test('not a document without an end, of another kind, or one that ends later', async () => {
    const they = await tenantWith(10)
    const { id } = await they.create()
    await they.addIdentification(id)
    const other = await they.create()
    const ended = { expiration_date: they.inDays(1) }
    await they.addIdentification(other.id, { type: 'BANK_STATEMENT', ...ended })
    const later = await they.create()
    await they.addIdentification(later.id, { expiration_date: they.inDays(11) })
    await they.runDueJobs()
    for (const user of [id, other.id, later.id]) assert.equal(await they.state(user), 'ACTIVE/A0')
  })

  test('only in an applicable status, individuals alone, and in no tenant without a policy', async () => {
    const they = await tenantWith(10)
    const ended = { expiration_date: they.inDays(1) }
    const suspended = await they.create()
    await they.addIdentification(suspended.id, ended)
    await they.change(suspended.id, 'SUSPENDED', 'S0')
    const business = await they.createBusiness()
    await they.addIdentification(business.id, ended)
    await they.review(business.id, 'approve')
    await they.runDueJobs()
    assert.equal(await they.state(suspended.id), 'SUSPENDED/S0')
    assert.equal(await they.state(business.id), 'ACTIVE/A0')

    const none = await tenantWith(10, { applicable_user_status: [] })
    const without = people(world, await world.otherTenant({}))
    for (const tenant of [none, without]) {
      const { id } = await tenant.create()
      await tenant.addIdentification(id, ended)
      await tenant.advance('P30D')
      assert.equal(await tenant.state(id), 'ACTIVE/A0')
    }
  })

  test('once, however often the clock is moved; again for the next document after a renewal', async () => {
    const { they, id } = await warned()
    for (let day = 0; day < 5; day++) await they.advance('P1D')
    assert.equal((await they.events(id, 'USER_DOCUMENT_ALERT')).length, 1)

    await they.change(id, 'ACTIVE', 'B2E')
    await they.report(id, { result: 'CLEAR' })
    await they.advance('P1D')
    assert.equal(await they.state(id), 'ACTIVE/A7')

    await they.addIdentification(id, { expiration_date: they.inDays(60) })
    await they.advance('P60D')
    assert.equal(await they.state(id), 'ACTIVE/A6')
    assert.equal((await they.events(id, 'USER_DOCUMENT_ALERT')).length, 2)
  })

  test('again when a suspension of the user was lifted and the document is still old', async () => {
    const { they, id } = await warned()
    await they.change(id, 'SUSPENDED', 'S0')
    await they.change(id, 'ACTIVE', 'A0')
    await they.advance('P1D')
    assert.equal(await they.state(id), 'ACTIVE/A6')
  })

  test('not again when a suspension was lifted after the verification was renewed', async () => {
    const { they, id } = await warned()
    await they.change(id, 'ACTIVE', 'B2E')
    await they.report(id, { result: 'CLEAR' })
    assert.equal(await they.state(id), 'ACTIVE/A7')
    await they.change(id, 'SUSPENDED', 'S0')
    await they.change(id, 'ACTIVE', 'A0')
    await they.advance('P1D')
    assert.equal(await they.state(id), 'ACTIVE/A0')
    assert.equal((await they.events(id, 'USER_DOCUMENT_ALERT')).length, 1)

    await they.addIdentification(id, { expiration_date: they.inDays(5) })
    await they.advance('P1D')
    assert.equal(await they.state(id), 'ACTIVE/A6')
  })
})

test('the daily look: a tenant is due at first and then after midnight of its own clock', async () => {
  const they = await tenantWith(10)
  const due = () => documentExpiry.dueTenants(world.db, FIRST_ID, 1000)
  assert.ok((await due()).includes(they.tenant.id))
  await world.sweeper.runDueJobs(they.tenant.id)
  assert.ok(!(await due()).includes(they.tenant.id))
  const moved = { clock_offset_ms: BigInt(DAY) }
  await world.db.updateTable('tenants').set(moved).where('id', '=', they.tenant.id).execute()
  assert.ok((await due()).includes(they.tenant.id))
})

test('a user that is locked delays the warning of no other', async () => {
  const they = await tenantWith(10)
  const users = [await they.create(), await they.create(), await they.create()]
  for (const { id } of users) await they.addIdentification(id, { expiration_date: they.inDays(5) })
  const states = () => Promise.all(users.map(({ id }) => they.state(id)))
  const ctx = await world.ctx(they.tenant.id)
  const locked = { tenant_id: they.tenant.id, id: users[1].id }
  const gate = await closeGate(world.url, locked, { table: 'users', key: 'id' })
  await assert.rejects(documentExpiry.run(ctx), DatabaseUnavailable)
  assert.deepEqual(await states(), ['ACTIVE/A6', 'ACTIVE/A0', 'ACTIVE/A6'])
  await gate.open()
  await documentExpiry.run(ctx)
  assert.deepEqual(await states(), ['ACTIVE/A6', 'ACTIVE/A6', 'ACTIVE/A6'])
})

test('more users than a portion holds are all warned', async () => {
  const they = await tenantWith(10)
  for (let at = 0; at < 120; at++) {
    const { id } = await they.create()
    await they.addIdentification(id, { expiration_date: they.inDays(5) })
  }
  await they.runDueJobs()
  const rows = await world.db
    .selectFrom('users')
    .select('status_reason_code')
    .where('tenant_id', '=', they.tenant.id)
    .execute()
  assert.equal(rows.filter(({ status_reason_code }) => status_reason_code === 'A6').length, 120)
})

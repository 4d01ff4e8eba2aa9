import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { sql } from 'kysely'
import { transact } from '#kit/context.ts'
import { getSecondFactors } from '#portal/second_factors/second_factors.ts'
import { keeper } from '#test/support/keeper.ts'
import { Authenticator } from '#test/support/portal/authenticator.ts'
import { insertPerson } from '#test/support/portal/members.ts'
import { openWorld } from '#test/support/world.ts'
import {
  confirmPasskey,
  listPasskeys,
  personOfPasskey,
  removePasskey,
  startPasskey,
  startSignIn,
} from './passkeys.ts'

const ORIGIN = 'https://cards.example'
const site = { public_url: ORIGIN, operator_name: 'Bank' }
const keep = keeper()
const world = keep(await openWorld())
const ctx = await world.ctx()

const signIn = (credential: AuthenticationResponseJSON) =>
  transact(ctx, (tx) => personOfPasskey(tx, credential, site))

async function withPasskey() {
  const { id } = await insertPerson(world)
  const authenticator = new Authenticator(ORIGIN)
  const credential = authenticator.register(await startPasskey(ctx, id, site))
  const row = await confirmPasskey(ctx, id, { name: 'Laptop', credential }, site)
  return { id, authenticator, row }
}

test('a passkey that was confirmed is listed, is a second factor, and signs in', async () => {
  const { id, authenticator, row } = await withPasskey()
  assert.deepEqual(await listPasskeys(ctx, id), [row])
  assert.deepEqual([row.name, row.last_used], ['Laptop', null])
  assert.equal((await getSecondFactors(ctx, id)).passkeys, 1)
  assert.equal(await signIn(authenticator.signIn(await startSignIn(ctx, site))), id)
  const [used] = await listPasskeys(ctx, id)
  assert.equal(used?.counter, 1n)
  assert.ok(used?.last_used)
})

test('an authenticator is asked to make no second passkey of a person', async () => {
  const { id, row } = await withPasskey()
  const { excludeCredentials = [] } = await startPasskey(ctx, id, site)
  assert.deepEqual(
    excludeCredentials.map((one) => one.id),
    [row.id],
  )
})

test('a response signs in once, also at processes that get it at one time', async () => {
  const { id, authenticator } = await withPasskey()
  const response = authenticator.signIn(await startSignIn(ctx, site))
  const people = await Promise.all(Array.from({ length: 8 }, () => signIn(response)))
  assert.deepEqual(
    people.filter((one) => one !== undefined),
    [id],
  )
  assert.equal(await signIn(response), undefined)
})

test('one that counts nothing signs in once with each response, too', async () => {
  const { id, authenticator } = await withPasskey()
  const options = await startSignIn(ctx, site)
  const response = authenticator.signIn(options, { counter: 0 })
  assert.equal(await signIn(response), id)
  assert.equal(await signIn(response), undefined)
  assert.equal(await signIn(authenticator.signIn(options, { counter: 0 })), undefined)
})

test('a response registers once', async () => {
  const { id } = await insertPerson(world)
  const authenticator = new Authenticator(ORIGIN)
  const options = await startPasskey(ctx, id, site)
  const confirm = (credential: ReturnType<Authenticator['register']>) =>
    confirmPasskey(ctx, id, { name: 'Laptop', credential }, site)
  const credential = authenticator.register(options)
  const settled = await Promise.allSettled([confirm(credential), confirm(credential)])
  assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, 1)
  await assert.rejects(confirm(authenticator.register(options)), { code: 'passkey_invalid' })
})

test('a person has at most 20 passkeys', async () => {
  const { id } = await withPasskey()
  await sql`
    insert into passkeys (id, person_id, public_key, counter, transports, name, created)
    select 'x' || n, ${id}::uuid, '', 0, '{}', 'x', now()
    from generate_series(1, 19) n`.execute(world.db)
  const credential = new Authenticator(ORIGIN).register(await startPasskey(ctx, id, site))
  const further = confirmPasskey(ctx, id, { name: 'Phone', credential }, site)
  await assert.rejects(further, { code: 'passkey_invalid' })
})

test('one that was removed, or is of another person, does not sign in', async () => {
  const [ann, bob] = [await withPasskey(), await withPasskey()]
  await assert.rejects(removePasskey(ctx, bob.id, ann.row.id), { code: 'not_found' })
  await removePasskey(ctx, ann.id, ann.row.id)
  assert.equal((await getSecondFactors(ctx, ann.id)).passkeys, 0)
  assert.equal(await signIn(ann.authenticator.signIn(await startSignIn(ctx, site))), undefined)
  assert.equal(await signIn(bob.authenticator.signIn(await startSignIn(ctx, site))), bob.id)
})

test('asking for a challenge writes nothing', async () => {
  const { id } = await insertPerson(world)
  const rows = () => world.db.selectFrom('portal_tokens').selectAll().execute()
  const before = (await rows()).length
  await startSignIn(ctx, site)
  await startPasskey(ctx, id, site)
  assert.equal((await rows()).length, before)
})

test('a public URL with an address for a host has no passkeys', async () => {
  const address = { ...site, public_url: 'http://192.0.2.1:8080' }
  await assert.rejects(startSignIn(ctx, address), { code: 'not_configured' })
})

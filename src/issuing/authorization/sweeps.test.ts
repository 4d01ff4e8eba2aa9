import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventsOf } from '#events/outbox.ts'
import { auditLedger } from '#issuing/ledger/ledger.ts'
import { FIRST_ID } from '#kit/jobs/due_tenants.ts'
import { addDays } from '#lib/time.ts'
import { about, purchase } from '#test/support/desk.ts'
import { closeGate } from '#test/support/gate.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { until } from '#test/support/services/receiver.ts'
import { openWorld, type TestTenant } from '#test/support/world.ts'
import { unansweredOf } from './decide/state/unanswered.ts'
import { insertUnanswered } from './engine/store/unanswered.ts'
import { holdExpiry, reverseUnanswered } from './sweeps.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

/** Each test moves the clock of a tenant of its own. */
const openTenant = async (settings: object = {}) =>
  openIssuer(world, await world.otherTenant(settings))
const advance = (tenant: TestTenant, duration: string) =>
  world.request('PUT', '/v1/simulate/clock', { advance: duration }, { key: tenant.api_key })

test('a hold ends at once when the clock of the tenant passes its end', async () => {
  const issuer = await openTenant()
  const { call, tenant, account } = issuer
  const { card_id, account_id } = await issuer.card(100)
  const money = { card_id, amount: 30, currency: 'AED' }
  const { body: held } = await call('POST', '/v1/simulate/authorizations', money)
  await advance(tenant, 'P6D')
  assert.deepEqual(await account(account_id), { balance: 100, held: 30, available: 70 })
  const moved = await advance(tenant, 'P2D')
  assert.equal(moved.status, 200)
  const { body } = await call('GET', `/v1/transactions/${held.id}`)
  assert.equal(body.status, 'EXPIRED')
  assert.equal('hold_expires' in body, false)
  assert.deepEqual(await account(account_id), { balance: 100, held: 0, available: 100 })
  const ctx = await world.ctx(tenant.id)
  assert.deepEqual(await eventsOf(ctx, held.id), ['TRANSACTION', 'EXPIRED_AUTH'])

  // The feed lists an event once every transaction that began before its own is over.
  const reported = await until('the feed lists it', async () => {
    const feed = await call('GET', '/v1/events?limit=200')
    const found = feed.body.data.filter((one: { event: string }) => one.event === 'EXPIRED_AUTH')
    return found.length > 0 && found
  })
  assert.deepEqual(reported[0].card_transaction, body)

  const late = await call('POST', `/v1/simulate/authorizations/${held.id}:clear`)
  assert.partialDeepStrictEqual(late.body, { status: 'SETTLED', cleared_amount: 30 })
  assert.deepEqual(await auditLedger(world.db), [])
})

test('what is left after a clearing ends thirty days later, as the tenant has it', async () => {
  const issuer = await openTenant({ clearing_hold_days: 10 })
  const { call, tenant, account } = issuer
  const { card_id, account_id } = await issuer.card(100)
  const money = { card_id, amount: 30, currency: 'AED' }
  const { body: held } = await call('POST', '/v1/simulate/authorizations', money)
  await call('POST', `/v1/simulate/authorizations/${held.id}:clear`, { amount: 10 })
  await advance(tenant, 'P9D')
  assert.equal((await account(account_id)).held, 20)
  await advance(tenant, 'P1D')
  assert.deepEqual(await account(account_id), { balance: 90, held: 0, available: 90 })
  const { body } = await call('GET', `/v1/transactions/${held.id}`)
  assert.equal(body.status, 'SETTLED')
  assert.deepEqual(
    body.events.map(({ type }: { type: string }) => type),
    ['AUTHORIZED', 'CLEARED', 'RELEASED'],
  )
  assert.deepEqual(
    await eventsOf(await world.ctx(tenant.id), held.id),
    Array(3).fill('TRANSACTION'),
  )
})

test('the clock of one tenant ends no hold of another', async () => {
  const [one, other] = [await openTenant(), await openTenant()]
  const card = await other.card(100)
  const money = { card_id: card.card_id, amount: 30, currency: 'AED' }
  await other.call('POST', '/v1/simulate/authorizations', money)
  await advance(one.tenant, 'P8D')
  const due = await holdExpiry.dueTenants(world.db, FIRST_ID, 100)
  assert.equal(due.includes(other.tenant.id), false)
  assert.equal((await other.account(card.account_id)).held, 30)
})

test('more holds than one portion are all ended before the clock answers', async () => {
  const issuer = await openTenant()
  const card = await issuer.card(1_000)
  const { id } = issuer.tenant
  await Promise.all(
    Array.from({ length: 410 }, () => world.engine.submit(id, { request: purchase(card, 100n) })),
  )
  assert.equal((await issuer.account(card.account_id)).held, 410)
  await advance(issuer.tenant, 'P8D')
  assert.equal((await issuer.account(card.account_id)).held, 0)
  const { body } = await issuer.call('GET', '/v1/transactions?status=PENDING')
  assert.deepEqual(body.data, [])
  assert.deepEqual(await auditLedger(world.db), [])
})

test('a hold that is cleared while the sweep runs ends once, one way or the other', async () => {
  const issuer = await openTenant()
  const { id } = issuer.tenant
  const card = await issuer.card(1_000)
  const sales = Array.from({ length: 20 }, () => purchase(card, 1_000n))
  for (const request of sales) await world.engine.submit(id, { request })
  const ctx = await world.ctx(id)
  const later = { ...ctx, now: addDays(ctx.now, 8) }
  const clear = (first: (typeof sales)[number]) =>
    world.engine.submit(id, { request: about(first, { message_type: '0220' }) })
  const [, ...cleared] = await Promise.all([holdExpiry.run(later), ...sales.map(clear)])
  assert.ok(cleared.every(({ status_code }) => status_code === '0000'))
  assert.deepEqual(await issuer.account(card.account_id), { balance: 800, held: 0, available: 800 })
  assert.deepEqual(await auditLedger(world.db), [])
})

test('a locked account delays the end of its own holds, and of no other', async () => {
  const issuer = await openTenant()
  const { tenant } = issuer
  const cards = [await issuer.card(100), await issuer.card(100), await issuer.card(100)]
  for (const card of cards) {
    await world.engine.submit(tenant.id, { request: purchase(card, 1_000n) })
  }
  const heldOf = async (account_id: string) => (await issuer.account(account_id)).held
  const held = () => Promise.all(cards.map(({ account_id }) => heldOf(account_id)))
  const ctx = await world.ctx(tenant.id)
  const later = { ...ctx, now: addDays(ctx.now, 8) }
  const locked = { tenant_id: tenant.id, id: cards[1]?.account_id ?? '' }
  const gate = await closeGate(world.url, locked)
  assert.deepEqual(await holdExpiry.run(later), { more: false })
  assert.deepEqual(await held(), [0, 10, 0])
  await gate.open()
  await holdExpiry.run(later)
  assert.deepEqual(await held(), [0, 0, 0])
  assert.deepEqual(await auditLedger(world.db), [])
})

test('an approval whose answer was lost is kept where a repeat was answered before', async () => {
  const { tenant, card: openCard, account } = await openTenant()
  const card = await openCard(100)
  const request = purchase(card, 1_000n)
  const submit = (message: typeof request) => world.engine.submit(tenant.id, { request: message })
  const one = unansweredOf(request, await submit(request))
  assert.ok(one)
  const ctx = await world.ctx(tenant.id)
  await insertUnanswered(ctx, [one])
  const repeat = await submit(request)
  assert.partialDeepStrictEqual(repeat, { approved: true, repeated: true, answer_number: 2 })
  await reverseUnanswered(world.engine).run(ctx)
  assert.deepEqual(await account(card.account_id), { balance: 100, held: 10, available: 90 })

  // The second answer is lost too.
  const other = unansweredOf(request, repeat)
  assert.ok(other)
  await insertUnanswered(ctx, [one, other])
  await reverseUnanswered(world.engine).run(ctx)
  assert.deepEqual(await account(card.account_id), { balance: 100, held: 0, available: 100 })
  assert.partialDeepStrictEqual(await submit(request), { status_code: '1894', approved: false })
  const left = await world.db.selectFrom('unanswered_approvals').selectAll().execute()
  assert.deepEqual(left, [])
})

test('an approval whose answer was lost is reversed by its row, once', async () => {
  const { tenant, card: openCard, account } = await openTenant()
  const card = await openCard(100)
  const request = purchase(card, 1_000n)
  const submit = (message: typeof request) => world.engine.submit(tenant.id, { request: message })
  const answer = await submit(request)
  const one = unansweredOf(request, answer)
  assert.ok(one)
  const ctx = await world.ctx(tenant.id)
  await insertUnanswered(ctx, [one])
  await insertUnanswered(ctx, [one])

  const sweep = reverseUnanswered(world.engine)
  assert.ok((await sweep.dueTenants(world.db, FIRST_ID, 100)).includes(tenant.id))
  await sweep.run(ctx)
  assert.deepEqual(await account(card.account_id), { balance: 100, held: 0, available: 100 })
  const left = await world.db.selectFrom('unanswered_approvals').selectAll().execute()
  assert.deepEqual(left, [])
  assert.partialDeepStrictEqual(await submit(request), { status_code: '1894', approved: false })
  assert.deepEqual(await eventsOf(ctx, answer.transaction_id), ['TRANSACTION', 'TRANSACTION'])
  assert.deepEqual(await auditLedger(world.db), [])
})

/** The job of bulk issuances beside the locks of other transactions (D-935). */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { DatabaseUnavailable, openDatabase } from '#kit/db/database.ts'
import { USUAL_ROLE } from '#kit/db/security/program_role.ts'
import { assertFundingFree, closeGate } from '#test/support/gate.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { openWorld } from '#test/support/world.ts'
import { workOnOne } from './job.ts'
import { bulkIssuance } from './sweeps.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const { call, card } = await openIssuer(world)

/** A lock that is not let go is waited for so long, and no place of this many. */
const WAIT_MS = 250
const CONNECTIONS = 12

const tenant_id = world.tenant.id
const range = { table: 'vault.ranges', key: 'card_product_id' }

/** A request for cards of a product of its own. */
async function requested() {
  const { card_id } = await card(0, {})
  const { card_product_id } = (await call('GET', `/v1/cards/${card_id}`)).body
  const request = { card_product_id, number_of_cards: 2, currency: 'AED', amount: 10 }
  const { status, body } = await call('POST', '/v1/bulkissuances', request)
  assert.equal(status, 200)
  return { id: body.id, card_product_id }
}
const statusOf = async ({ id }: { id: string }) =>
  (await call('GET', `/v1/bulkissuances/${id}`)).body.status

test('a job that waits for the numbers of its product does not hold the funding', async () => {
  const bulk = await requested()
  const gate = await closeGate(world.url, { tenant_id, id: bulk.card_product_id }, range)
  const working = workOnOne(await world.ctx())
  await gate.untilBlocked()
  await assertFundingFree(world)
  await gate.open()
  assert.equal(await working, true)
  assert.equal(await statusOf(bulk), 'PROCESSING')
  await bulkIssuance.run(await world.ctx())
  assert.equal(await statusOf(bulk), 'COMPLETED')
})

test('a request that fails is tried again later, and holds up no other', async (t) => {
  const { db, close } = openDatabase(world.url, CONNECTIONS, { role: USUAL_ROLE, wait_ms: WAIT_MS })
  t.after(close)
  const locked = await requested()
  const other = await requested()
  const gate = await closeGate(world.url, { tenant_id, id: locked.card_product_id }, range)
  const ctx = await world.ctx()
  const impatient = { ...ctx, db: db.forTenant(tenant_id) }
  await assert.rejects(bulkIssuance.run(impatient), DatabaseUnavailable)
  while ((await bulkIssuance.run(ctx)).more);
  assert.deepEqual([await statusOf(locked), await statusOf(other)], ['SUBMITTED', 'COMPLETED'])
  await gate.open()
  const later = { ...ctx, now: new Date(ctx.now.getTime() + 60_000) }
  while ((await bulkIssuance.run(later)).more);
  assert.equal(await statusOf(locked), 'COMPLETED')
})

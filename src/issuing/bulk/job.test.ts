/** The job of bulk issuances beside what other transactions have locked (D-935). */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { transact } from '#kit/context.ts'
import { closeGate } from '#test/support/gate.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { openWorld } from '#test/support/world.ts'
import { workOnOne } from './job.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const { call, card } = await openIssuer(world)

test('a job that waits for the numbers of its product does not hold the funding', async () => {
  const tenant_id = world.tenant.id
  const { card_product_id } = (await call('GET', `/v1/cards/${(await card()).card_id}`)).body
  const request = { card_product_id, number_of_cards: 2, currency: 'AED', amount: 10 }
  const { body: bulk } = await call('POST', '/v1/bulkissuances', request)
  const range = { table: 'vault.ranges', key: 'card_product_id' }
  const gate = await closeGate(world.url, { tenant_id, id: card_product_id }, range)
  const working = transact(await world.ctx(), workOnOne)
  await gate.untilBlocked()
  const funding = await world.db
    .selectFrom('accounts')
    .select('id')
    .where('tenant_id', '=', tenant_id)
    .where('kind', '=', 'FUNDING')
    .forNoKeyUpdate()
    .skipLocked()
    .execute()
  assert.equal(funding.length, 1)
  await gate.open()
  assert.equal(await working, true)
  assert.equal((await call('GET', `/v1/bulkissuances/${bulk.id}`)).body.status, 'PROCESSING')
})

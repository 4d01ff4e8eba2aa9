/** Doctor finds what an endpoint of a merchant has that is not of that merchant (D-750). */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { foundAfter, inOrder } from '#test/support/inspection/planted.ts'
import { emitOf, openMerchant } from '#test/support/network/merchants.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const [merchant, other] = [await openMerchant(world), await openMerchant(world)]
const endpoint = { url: 'http://127.0.0.1:9/', events: ['ORDER_CAPTURED'] }
const { webhook_id } = await merchant.ask('POST', '/webhooks', endpoint)
await emitOf(await world.ctx(), merchant.id)
await merchant.ask('POST', `/webhooks/${webhook_id}:ping`)
const [, { delivery_id }] = (await merchant.ask('GET', `/webhooks/${webhook_id}/deliveries`)).data

test('a test event and an event of the merchant are no finding', async () => {
  assert.deepEqual(await foundAfter(world), [])
})

for (const [name, table, of] of [
  ['a delivery of an event of another merchant', 'events', sql`event = 'ORDER_CAPTURED'`],
  ['a delivery that names another merchant', 'deliveries', sql`id = ${delivery_id}`],
] as const) {
  test(`${name} is found`, async () => {
    const found = await foundAfter(
      world,
      () => sql`
        update ${sql.table(table)} set merchant_id = ${other.id}
        where tenant_id = ${world.tenant.id} and ${of}`,
    )
    assert.deepEqual(inOrder(found), [`I6 delivery ${delivery_id}`])
    assert.equal(found[0]?.tenant_id, world.tenant.id)
  })
}

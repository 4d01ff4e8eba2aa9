/** `bezant doctor` on orders of cards. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { auditAll } from '#src/audit/audits.ts'
import { cardholder } from '#test/support/cardholder.ts'
import { foundAfter, type Statement } from '#test/support/inspection/planted.ts'
import { keeper } from '#test/support/keeper.ts'
import { openWorld } from '#test/support/world.ts'

const keep = keeper()
const world = keep(await openWorld())
const they = await cardholder(world, world.tenant, { production: { pin_mailer: true } })
const { id } = await they.issue({ card_type: 'PHYSICAL' })
const shipped = (await they.issue({ card_type: 'PHYSICAL' })).id
for (const one of [id, shipped]) await they.simulate(one, 'emboss')
await they.simulate(shipped, 'ship', { delivery_partner: 'Falcon' })
const byHand = (await they.issue({ card_type: 'PHYSICAL' })).id
await they.operate('PUT', `cards/${byHand}/fulfillment`, { fulfillment_status: 'ORDERED' })
const { card_order_id: batch } = await they.read(id)

test('cards that were ordered in files or by hand leave nothing to find', async () => {
  assert.deepEqual(await auditAll(world.db), [])
})

const faults: [name: string, expected: string, plant: Statement][] = [
  [
    'a card that is ORDERED without a batch',
    `I4 card ${id}: is ORDERED without a batch of the bureau`,
    () => sql`update cards set card_order_id = null where id = ${id}`,
  ],
  [
    'a card of a batch that does not exist',
    `I4 card ${id}: is in a batch that does not exist`,
    () => sql`update cards set card_order_id = ${id} where id = ${id}`,
  ],
  [
    'a card that is ORDERED in a batch that was not sent',
    `I4 card ${id}: is ORDERED, and its batch ${batch} is PREPARING`,
    () => sql`update card_orders set state = 'PREPARING', sent = null where id = ${batch}`,
  ],
  [
    'a batch without a record',
    `I4 batch ${batch}: has 0 records and states 1`,
    () => sql`delete from card_order_records where card_order_id = ${batch}`,
  ],
  [
    'a batch whose digest differs',
    `I4 batch ${batch}: has a digest that is not of what it froze`,
    () => sql`update card_orders set digest = ${'0'.repeat(64)} where id = ${batch}`,
  ],
  [
    'a record that differs from what was frozen',
    `I4 batch ${batch}: has a digest that is not of what it froze`,
    () => sql`update card_order_records set frozen = frozen || '{"name": "EVE"}'
      where card_order_id = ${batch}`,
  ],
]
for (const [name, expected, plant] of faults) {
  test(`${name} is found`, async () => {
    const found = (await foundAfter(world, plant)).map(
      ({ invariant, subject, detail }) => `${invariant} ${subject}: ${detail}`,
    )
    assert.ok(
      found.some((line) => line.startsWith(expected)),
      found.join('\n'),
    )
  })
}

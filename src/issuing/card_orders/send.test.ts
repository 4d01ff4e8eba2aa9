/** A batch that is SENT while its cards are not ORDERED yet. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAdapters } from '#adapters/adapter.ts'
import { registry } from '#adapters/registry.ts'
import { createLog } from '#kit/log.ts'
import { cardholder } from '#test/support/cardholder.ts'
import { keeper } from '#test/support/keeper.ts'
import { onServer } from '#test/support/processes/server.ts'
import { openBureau } from '#test/support/services/bureau.ts'
import { openWorld } from '#test/support/world.ts'
import { collecting } from './collect.ts'
import type { Bureau } from './provider.ts'
import { handingOver } from './send.ts'

const DAY = 24 * 3600_000
const MINUTE = 60_000
const keep = keeper()
const place = keep(openBureau())
const world = keep(await openWorld())
const [configured] = readAdapters(registry, place.env, { live: true, faults: [] })
const bureau = configured?.open().bureau
assert.ok(bureau)
const log = createLog('silent')

/** The file is handed over, and then the connection cannot be closed. */
const closingBadly: Bureau = {
  ...bureau,
  open: async () => ({
    ...(await bureau.open()),
    [Symbol.asyncDispose]: () => Promise.reject(new Error('the connection cannot be closed')),
  }),
}

const alterCards = (change: string) =>
  onServer(world.url, (client) => client.query(`alter table cards ${change}`))

test('whatever fails behind the file, its cards are ORDERED within minutes', async () => {
  const they = await cardholder(world, await world.otherTenant())
  const { id } = await they.issue({ card_type: 'PHYSICAL' })
  const ctx = await they.ctx()
  const at = (ms: number) => ({ ...ctx, now: new Date(ctx.now.getTime() + 2 * DAY + ms) })
  const found = async () => {
    const { body } = await they.ask('GET', 'cardorders')
    return [body.data[0].state, (await they.read(id)).fulfillment_status]
  }
  await collecting(bureau).run(at(0))
  await handingOver({ bureau: closingBadly, log }).run(at(0))
  assert.deepEqual(await found(), ['SENT', 'CREATED'])
  await alterCards(`add constraint none_ordered check (fulfillment_status <> 'ORDERED') not valid`)
  await handingOver({ bureau, log }).run(at(1))
  assert.deepEqual(await found(), ['SENT', 'CREATED'])
  await alterCards('drop constraint none_ordered')
  await handingOver({ bureau, log }).run(at(5 * MINUTE))
  assert.deepEqual(await found(), ['SENT', 'ORDERED'])
})

/** How much of a security module a batch takes: others ask it, too, and wait for a second. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAdapters } from '#adapters/adapter.ts'
import { registry } from '#adapters/registry.ts'
import type { Context } from '#kit/context.ts'
import { cardholder } from '#test/support/cardholder.ts'
import { keeper } from '#test/support/keeper.ts'
import { openBureau } from '#test/support/services/bureau.ts'
import { openWorld } from '#test/support/world.ts'
import { collecting } from './collect.ts'
import { handingOver } from './send.ts'

const CARDS = 40
const DAY = 24 * 3600_000

const keep = keeper()
const place = keep(openBureau())
const world = keep(await openWorld())
const { log } = world
const [configured] = readAdapters(registry, place.env, { live: true, faults: [] })
const bureau = configured?.open().bureau

test('a batch asks for the values of a few cards at a time, however many it has', async () => {
  assert.ok(bureau)
  const they = await cardholder(world, world.tenant, { production: { pin_mailer: true } })
  const bulk = { card_product_id: they.product.id, number_of_cards: CARDS, status: 'SUBMITTED' }
  assert.equal((await they.ask('POST', 'bulkissuances', bulk)).status, 200)
  await they.runDueJobs()
  const today = await they.ctx()
  const ctx = { ...today, now: new Date(today.now.getTime() + 2 * DAY) }
  while ((await collecting(bureau).run(ctx)).more);

  const { custody } = ctx
  const asked = { most: 0, now: 0, ever: 0 }
  async function counted<Value>(ask: () => Promise<Value>): Promise<Value> {
    asked.now += 1
    asked.ever += 1
    asked.most = Math.max(asked.most, asked.now)
    // A module answers later.
    await new Promise((resolve) => setImmediate(resolve))
    return ask().finally(() => {
      asked.now -= 1
    })
  }
  const counting: Context['custody'] = {
    ...custody,
    cvv: (data) => counted(() => custody.cvv(data)),
    randomPin: (...wanted) => counted(() => custody.randomPin(...wanted)),
  }
  while ((await handingOver({ bureau, log }).run({ ...ctx, custody: counting })).more);
  assert.equal(place.records().length, CARDS)
  // A PIN, the CVV, the iCVV and the CVV2.
  assert.equal(asked.ever, 4 * CARDS)
  assert.ok(asked.most <= 24, `${asked.most} commands are under way`)
})

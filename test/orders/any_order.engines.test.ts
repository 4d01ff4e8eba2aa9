/** The same over a database: by one process, and by two that take turns (D-950). */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { Engine } from '#issuing/authorization/authorization.ts'
import { chances } from '#test/support/chances.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { openSecondEngine } from '#test/support/processes/second_engine.ts'
import { openWorld } from '#test/support/world.ts'
import { someOrders } from './orders.ts'
import { OPENING, stories } from './stories.ts'

/** Of so many sets one is tried. */
const STRIDE = process.env['TEST_DEEP'] !== undefined ? 11 : 127
const SEED = 20_261_128

const world = await openWorld()
const second = openSecondEngine(world)
const first = new Engine(world.services)
after(async () => {
  await first.drain()
  await second.engine.drain()
  await second.close()
  await world[Symbol.asyncDispose]()
})
const issuer = await openIssuer(world)

for (const [count, engines] of [
  ['one process', [first]],
  ['two processes', [first, second.engine]],
] as const) {
  test(`the messages of a payment end alike in any order at ${count}`, async () => {
    const chance = chances(SEED)
    const wrong: string[] = []
    const names = stories({ card_id: '' }, 'AED').map(({ name }) => name)
    for (const name of names.filter((_, at) => at % STRIDE === 0)) {
      const card = await issuer.card(Number(OPENING) / 100)
      const story = stories(card, 'AED').find((one) => one.name === name)
      assert.ok(story)
      const [order = []] = someOrders(story.sent, 1, chance)
      for (const [at, { message }] of order.entries()) {
        const engine = engines[at % engines.length] ?? first
        await engine.submit(issuer.tenant.id, { request: message })
      }
      const { rows } = await sql<{ balance: bigint; held: bigint }>`
        select balance, held from accounts where id = ${card.account_id}`.execute(world.db)
      const [account] = rows
      assert.ok(account)
      const end = `${account.held} held, ${OPENING - account.balance} posted`
      if (end === `${story.held} held, ${story.posted} posted`) continue
      const sequence = order.map((one) => one.name).join(' | ')
      wrong.push(`${name}: ${sequence}: ${end} for ${story.held} and ${story.posted}`)
    }
    assert.deepEqual(wrong, [])
  })
}

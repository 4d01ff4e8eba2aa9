/** The same over a database: by one process, and by two that take turns (D-950). */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { Engine } from '#issuing/authorization/authorization.ts'
import { availableOf } from '#issuing/limits/available.ts'
import { chances } from '#test/support/chances.ts'
import { type MadeCard, openIssuer } from '#test/support/issuer.ts'
import { linkLimit } from '#test/support/limits.ts'
import { openSecondEngine } from '#test/support/processes/second_engine.ts'
import { openWorld } from '#test/support/world.ts'
import { someOrders } from './orders.ts'
import { OPENING, type Status, shown, stories } from './stories.ts'

/** One set of so many is tried. */
const STRIDE = process.env['TEST_DEEP'] !== undefined ? 11 : 311
const SEED = 20_261_128
/** More than any payment counts. */
const LIMIT_MINOR = 100_000_000n

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

/** Minor units; the counted amount is the card's limit less its remainder. */
async function endOf({ account_id, card_id }: MadeCard, limit_id: string) {
  const { rows } = await sql<{ balance: bigint; held: bigint; status: Status }>`
    select a.balance, a.held, (
      select case when bool_or(t.status = 'PENDING') then 'PENDING'
        when bool_or(t.status = 'SETTLED') then 'SETTLED' else 'VOIDED' end
      from transactions t where t.tenant_id = a.tenant_id and t.account_id = a.id) as status
    from accounts a where a.id = ${account_id}`.execute(world.db)
  const [account] = rows
  assert.ok(account)
  const { available_amount } = await availableOf(
    await world.ctx(issuer.tenant.id),
    limit_id,
    card_id,
  )
  const counted = LIMIT_MINOR - BigInt(Math.round(Number(available_amount) * 100))
  return { held: account.held, posted: OPENING - account.balance, counted, status: account.status }
}

for (const [count, engines] of [
  ['one process', [first]],
  ['two processes', [first, second.engine]],
] as const) {
  test(`the messages of a payment end alike in any order at ${count}`, async () => {
    const chance = chances(SEED)
    const wrong: string[] = []
    const names = stories({ card_id: '' }, 'AED').map(({ name }) => name)
    const limits = { type: 'CUMULATIVE', period: 'LIFETIME', max_amount: Number(LIMIT_MINOR) / 100 }
    for (const name of names.filter((_, at) => at % STRIDE === 0)) {
      const card = await issuer.card(Number(OPENING) / 100)
      const limit_id = await linkLimit(issuer, 'velocitylimits', `cards/${card.card_id}`, limits)
      const story = stories(card, 'AED').find((one) => one.name === name)
      assert.ok(story)
      const [order = []] = someOrders(story.sent, 1, chance)
      for (const [at, { message }] of order.entries()) {
        const engine = engines[at % engines.length] ?? first
        await engine.submit(issuer.tenant.id, { request: message })
      }
      const got = await endOf(card, limit_id)
      const counted = story.counted ?? got.counted
      if (shown(got) === shown({ ...story, counted })) continue
      const sequence = order.map((one) => one.name).join(' | ')
      wrong.push(`${name}: ${sequence}: ${shown(got)} for ${shown({ ...story, counted })}`)
    }
    assert.deepEqual(wrong, [])
  })
}

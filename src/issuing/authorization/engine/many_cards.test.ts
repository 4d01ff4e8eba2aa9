/** What limits count of the cards of an account that has more of them than its row names (D-943). */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { auditLimits } from '#issuing/limits/limits.ts'
import { ofTenant } from '#kit/audit.ts'
import { about, purchase } from '#test/support/desk.ts'
import { type Issuer, openIssuer } from '#test/support/issuer.ts'
import { linkLimit } from '#test/support/limits.ts'
import { openSecondEngine } from '#test/support/processes/second_engine.ts'
import { openWorld } from '#test/support/world.ts'

const CARDS = 11
/** The chains of cards that the row of an account names. */
const IN_ROW = 8
const PER_CARD = { type: 'PER_TRANSACTION', max_amount: 10, frequency: 3, period: 'LIFETIME' }

const world = await openWorld()
const second = openSecondEngine(world)
const engines = [world.engine, second.engine] as const
after(async () => {
  await second.close()
  await world[Symbol.asyncDispose]()
})

/** An account with cards of which each may pay three times. */
async function openCards() {
  const issuer = await openIssuer(world, await world.otherTenant())
  const first = await issuer.card(1_000)
  const cards = [first]
  while (cards.length < CARDS) cards.push(await issuer.cardOn(first))
  const { card_product_id } = (await issuer.call('GET', `/v1/cards/${first.card_id}`)).body
  const path = `cardproducts/${card_product_id}`
  const limit_id = await linkLimit(issuer, 'velocitylimits', path, PER_CARD)
  const submit = async (request: ReturnType<typeof purchase>, at = 0) =>
    (await engines[at % 2 === 0 ? 0 : 1].submit(issuer.tenant.id, { request })).status_code
  return { issuer, account_id: first.account_id, cards, limit_id, submit }
}

async function placesOf({ tenant }: Issuer, account_id: string) {
  const { rows } = await sql<{ in_row: number; apart: number }>`
    select json_array_length(counters) as in_row, (
      select count(*)::int from chain_counters
      where tenant_id = ${tenant.id} and account_id = ${account_id}) as apart
    from accounts where tenant_id = ${tenant.id} and id = ${account_id}`.execute(world.db)
  return rows[0]
}

test('of each card as many payments pass as its limit permits, at two processes', async () => {
  const { issuer, account_id, cards, submit } = await openCards()
  const answers = await Promise.all(
    cards.flatMap((card, at) =>
      Array.from({ length: 6 }, async (_, nth) => ({
        ...{ card, code: await submit(purchase(card, 100n), at + nth) },
      })),
    ),
  )
  for (const card of cards) {
    const codes = answers.filter((one) => one.card === card).map(({ code }) => code)
    assert.deepEqual(codes.sort(), ['0000', '0000', '0000', '1898', '1898', '1898'])
  }
  assert.deepEqual(await placesOf(issuer, account_id), { in_row: IN_ROW, apart: CARDS - IN_ROW })
  assert.deepEqual(await auditLimits(world.db, ofTenant(issuer.tenant.id)), [])
})

test('what is reversed or ends is given back where it was counted', async () => {
  const { issuer, cards, limit_id, submit } = await openCards()
  for (const card of cards.slice(0, -1)) await submit(purchase(card, 100n))
  const card = cards.at(-1)
  const left = async () => {
    const path = `/v1/velocitylimits/${limit_id}:available?card_id=${card?.card_id}`
    return (await issuer.call('GET', path)).body.available_frequency
  }
  const first = purchase(card, 100n)
  assert.equal(await submit(first), '0000')
  assert.equal(await submit(purchase(card, 100n)), '0000')
  assert.equal(await left(), 1)
  assert.equal(await submit(about(first, { message_type: '0400' }), 1), '0000')
  assert.equal(await left(), 2)
  const clock = await issuer.call('PUT', '/v1/simulate/clock', { advance: 'P8D' })
  assert.equal(clock.status, 200, clock.text)
  assert.equal(await left(), 3)
  assert.deepEqual(await auditLimits(world.db, ofTenant(issuer.tenant.id)), [])
})

test('doctor finds what a card has counted and is lost', async () => {
  const { issuer, account_id, cards, submit } = await openCards()
  for (const card of cards) await submit(purchase(card, 100n))
  await sql`delete from chain_counters where tenant_id = ${issuer.tenant.id}`.execute(world.db)
  const found = await auditLimits(world.db, ofTenant(issuer.tenant.id))
  assert.equal(found.length, CARDS - IN_ROW)
  assert.ok(found.every(({ subject }) => subject === `counters of ${account_id}`))
})

/**
 * The counts of limits for the cards of an account that has more of them than its row names
 * (D-943).
 */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { auditLimits } from '#issuing/limits/limits.ts'
import { ofTenant } from '#kit/audit.ts'
import { about, purchase } from '#test/support/desk.ts'
import { watchStatements } from '#test/support/inspection/statements.ts'
import { type Issuer, openIssuer } from '#test/support/issuer.ts'
import { limitedCards } from '#test/support/limits.ts'
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
  const { cards, account_id, limit_id } = await limitedCards(issuer, CARDS, PER_CARD)
  const submit = async (request: ReturnType<typeof purchase>, at = 0) =>
    (await engines[at % 2 === 0 ? 0 : 1].submit(issuer.tenant.id, { request })).status_code
  return { issuer, account_id, cards, limit_id, submit }
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
        card,
        code: await submit(purchase(card, 100n), at + nth),
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

test('a card that the row of its account names needs no other row, however many there are', async () => {
  const { cards, submit } = await openCards()
  for (const card of cards) await submit(purchase(card, 100n))
  using statements = watchStatements(world.url)
  const sentBy = async (card: (typeof cards)[number] | undefined) => {
    statements.take()
    assert.equal(await submit(purchase(card, 100n)), '0000')
    const { texts, ...sent } = statements.take()
    return { ...sent, apart: texts.filter((text) => text.includes('chain_counters')).length }
  }
  const named = await sentBy(cards[0])
  assert.equal(named.apart, 0)
  assert.deepEqual(await sentBy(cards[IN_ROW - 1]), named)
  const { statements: usual, round_trips } = named
  // It is read behind the card, and written beside the rest.
  const more = { statements: usual + 2, round_trips: round_trips + 1, apart: 2 }
  assert.deepEqual(await sentBy(cards[IN_ROW]), more)
})

test('what a card has counted beside the row is known to a preview, and where none has limits', async () => {
  const { issuer, cards, submit } = await openCards()
  for (const card of cards) await submit(purchase(card, 100n))
  const card = cards.at(-1)
  const preview = async () => {
    const body = { card_id: card?.card_id, amount: 1, currency: 'AED' }
    const path = '/v1/simulate/authorizations?what_if=true'
    return (await issuer.call('POST', path, body)).body.status_code
  }
  const last = purchase(card, 100n)
  for (const request of [purchase(card, 100n), last]) {
    assert.equal(await preview(), '0000')
    assert.equal(await submit(request), '0000')
  }
  assert.equal(await preview(), '1898')
  // The batch behind it reads no counters with the cards.
  const unlimited = await issuer.card(10, {})
  assert.equal(await submit(purchase(unlimited, 100n)), '0000')
  assert.equal(await submit(purchase(card, 100n)), '1898')
  assert.equal(await submit(purchase(unlimited, 100n)), '0000')
  assert.equal(await submit(about(last, { message_type: '0400' })), '0000')
  assert.equal(await preview(), '0000')
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

test('doctor finds what a card has counted where no decision reads it', async () => {
  const { issuer, account_id, cards, submit } = await openCards()
  for (const card of cards) await submit(purchase(card, 100n))
  const tenant_id = issuer.tenant.id
  const isOf = sql`tenant_id = ${tenant_id} and id = ${account_id}`
  const last = { chain: cards.at(-1)?.card_id, first: cards[0]?.card_id }
  const found = async () => {
    const findings = await auditLimits(world.db, ofTenant(tenant_id))
    return findings.map(({ detail }) => detail).filter((detail) => detail.includes('not read'))
  }
  assert.deepEqual(await found(), [])
  // Doctor's advice for a chain that has counted nothing leaves it named.
  await sql`update accounts set version = version + 1,
    counters = regexp_replace(counters::text, '{[^}]*}', '{}')::json where ${isOf}`.execute(
    world.db,
  )
  assert.deepEqual(await found(), [])
  await sql`update accounts set version = version + 1, counters = (
    select json_agg(g) from json_array_elements(counters) g where g ->> 0 <> ${last.first})
    where ${isOf}`.execute(world.db)
  const apart = await found()
  assert.equal(apart.length, CARDS - IN_ROW)
  assert.ok(apart.every((detail) => detail.endsWith(`the account names ${IN_ROW - 1} chains`)))
  await sql`update accounts set version = version + 1, counters = (
    select json_agg(g) from json_array_elements(counters) g)::jsonb
      || jsonb_build_array(jsonb_build_array(${last.chain}::text, '{}'::jsonb))
    where ${isOf}`.execute(world.db)
  assert.deepEqual(await found(), [
    `what the chain of cards ${last.chain} has counted is in a row that is not read: the account names the chain`,
  ])
})

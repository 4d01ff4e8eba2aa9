/**
 * Messages of the cards of one account at two processes, by chance, while cards are replaced, holds
 * end, the account is locked and changed, and answers to COMMIT are lost. The counters of cards
 * equal their transactions, in the row of the account and beside it (D-943).
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { auditLimits } from '#issuing/limits/limits.ts'
import { ofTenant } from '#kit/audit.ts'
import { openDatabase } from '#kit/db/database.ts'
import { chances, SEED } from '#test/support/chances.ts'
import { urlOfTenant } from '#test/support/cluster/nodes.ts'
import { about, purchase, type TestMessage } from '#test/support/desk.ts'
import { type MadeCard, openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { limitedCards, linkLimit } from '#test/support/limits.ts'
import { AT_ONCE } from '#test/support/processes/second_engine.ts'
import { openProxy } from '#test/support/services/proxy.ts'
import { openWorld } from '#test/support/world.ts'
import { Engine } from '../authorization.ts'

const WAVES = process.env['TEST_DEEP'] ? 200 : 3
const MESSAGES = 24
const CARDS = 12

const keep = keeper()
const world = keep(await openWorld())
const issuer = await openIssuer(world)
const proxy = keep(await openProxy(await urlOfTenant(world.url, world.tenant.id)))
const far = keep(openDatabase(proxy.url, 3))
const patient = { answer_ms: 60_000 }
const engines = [
  new Engine(world.services, patient),
  new Engine({ ...world.services, db: far.batches }, { ...AT_ONCE, ...patient }),
] as const
keep({ close: () => Promise.all(engines.map((engine) => engine.drain())) })

const tenant_id = world.tenant.id
const chance = chances(SEED)
const pick = <Value>(values: readonly [Value, ...Value[]]) =>
  values[Math.floor(chance() * values.length)] ?? values[0]
const call = async (...given: Parameters<typeof issuer.call>) => {
  const answer = await issuer.call(...given)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const ADVICE = { message_type: '0120', advised_approval: { approved: true } } as const

function laterOf(first: TestMessage, amount: bigint): TestMessage {
  return pick([
    () => first,
    () => about(first, { message_type: '0100', amount }),
    () => about(first, { message_type: '0220', amount }),
    () => about(first, { message_type: '0220', amount, processing_code: '200000' }),
    () => about(first, { message_type: '0400', reverse_amount: amount }),
    () => about(first, { message_type: '0420' }),
  ])()
}

/** The card that takes the place of one that is lost is of the same chain. */
async function replaced({ card_id, ...owners }: MadeCard): Promise<MadeCard> {
  const lost = { status: 'TERMINATED', status_reason_code: 'T1' }
  const { card_product_id } = await call('PUT', `/v1/cards/${card_id}:statuschange`, lost)
  const issued = { card_product_id, card_type: 'VIRTUAL', reference_card_id: card_id }
  const { id } = await call('POST', '/v1/cards', { ...issued, user_id: owners.user_id })
  return { card_id: id, ...owners }
}

/** Another session holds the account until it is let go. */
async function lock(account_id: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: world.url })
  await client.connect()
  await client.query('begin')
  await client.query('select from accounts where tenant_id = $1 and id = $2 for update', [
    tenant_id,
    account_id,
  ])
  return () => client.end()
}

test(`after ${WAVES} waves of messages each card has counted what its transactions have`, async (t) => {
  t.diagnostic(`SEED=${SEED}`)
  const limit = { type: 'CUMULATIVE', max_amount: 60, period: 'LIFETIME' }
  const { cards, account_id } = await limitedCards(issuer, CARDS, limit)
  const free = await issuer.card(100)
  const all = { type: 'PER_TRANSACTION', max_amount: 50, frequency: 300, period: 'DAILY' }
  await linkLimit(issuer, 'velocitylimits', `accounts/${account_id}`, all)
  const begun: TestMessage[] = []
  const messageOf = (): TestMessage => {
    const amount = BigInt(1 + Math.floor(chance() * 12)) * 100n
    const [known, ...others] = begun.slice(-2 * MESSAGES)
    if (known && chance() < 0.5) return laterOf(pick([known, ...others]), amount)
    const card = cards[Math.floor(chance() * CARDS)]
    const fields = pick([{}, {}, { message_type: '0200' } as const, ADVICE])
    const first = purchase(card, amount, fields)
    begun.push(first)
    return first
  }
  for (let wave = 0; wave < WAVES; wave += 1) {
    const at = Math.floor(chance() * CARDS)
    const card = cards[at]
    if (card && wave % 3 === 1) cards[at] = await replaced(card)
    if (wave % 4 === 2) await call('PUT', '/v1/simulate/clock', { advance: 'P8D' })
    if (wave % 3 === 0) void proxy.lose(pick(['answer lost', 'never sent']))
    const letGo = wave % 4 === 3 ? await lock(account_id) : undefined
    const answers = Array.from({ length: MESSAGES }, () =>
      pick(engines).submit(tenant_id, { request: messageOf() }),
    )
    if (letGo) {
      // The others are under way, or wait for the lock.
      for (const engine of engines)
        await engine.submit(tenant_id, { request: purchase(free, 100n) })
      await letGo()
    }
    await sql`update accounts set version = version + 1
      where tenant_id = ${tenant_id} and id = ${account_id}`.execute(world.db)
    await Promise.all(answers)
  }
  const { rows } = await sql`select from chain_counters
    where tenant_id = ${tenant_id} and account_id = ${account_id}`.execute(world.db)
  assert.ok(rows.length > 0)
  assert.deepEqual(await auditLimits(world.db, ofTenant(tenant_id)), [])
})

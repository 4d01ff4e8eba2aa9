/**
 * Batches that follow each other over cards of one account, whose row is full of chains of cards
 * behind the first of them (D-943): each counts on the counts of those before it.
 */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { auditLimits } from '#issuing/limits/limits.ts'
import { ofTenant } from '#kit/audit.ts'
import { openDatabase } from '#kit/db/database.ts'
import { urlOfTenant } from '#test/support/cluster/nodes.ts'
import { about, purchase, type TestMessage } from '#test/support/desk.ts'
import { type MadeCard, openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { limitedCards } from '#test/support/limits.ts'
import { AT_ONCE } from '#test/support/processes/second_engine.ts'
import { openProxy, type Stalled } from '#test/support/services/proxy.ts'
import { until } from '#test/support/services/receiver.ts'
import { openWorld } from '#test/support/world.ts'
import { Engine } from '../authorization.ts'

const keep = keeper()
const world = keep(await openWorld())
const issuer = await openIssuer(world)
const proxy = keep(await openProxy(await urlOfTenant(world.url, world.tenant.id)))
const far = keep(openDatabase(proxy.url, 1))
const engine = new Engine({ ...world.services, db: far.batches }, { ...AT_ONCE, answer_ms: 60_000 })
keep({ close: () => engine.drain() })

const tenant_id = world.tenant.id
/** The chains of cards that the row of an account names. */
const IN_ROW = 8
const CARDS = 11
/** 30.00 on each card. */
const PER_CARD = { type: 'CUMULATIVE', max_amount: 30, period: 'LIFETIME' }

const codeOf = async (request: TestMessage, by = engine) =>
  (await by.submit(tenant_id, { request })).status_code
const pay = (card: MadeCard | undefined, amount: bigint) => purchase(card, amount)

/** Sends a batch of each of these, of which none has come to the server. */
async function sendBatches(batches: readonly (readonly TestMessage[])[]) {
  const stalling = proxy.stall('begin')
  const codes: Promise<string>[][] = []
  let line: Stalled | undefined
  for (const [at, batch] of batches.entries()) {
    codes.push(batch.map((message) => codeOf(message)))
    line ??= await stalling
    const { commits } = line
    await until(`batch ${at + 1} is sent`, () => commits() === at + 1)
  }
  assert.ok(line)
  return { line, codes: () => Promise.all(codes.map((of) => Promise.all(of))) }
}

/** An account whose row names seven chains, and its cards that have counted nothing yet. */
async function openCards() {
  const { cards, account_id } = await limitedCards(issuer, CARDS, PER_CARD)
  for (const card of cards.slice(0, IN_ROW - 1))
    assert.equal(await codeOf(pay(card, 1_000n), world.engine), '0000')
  return { cards, account_id, rest: cards.slice(IN_ROW - 1) }
}

/** The place of the cards' counters: in the row of the account, or apart. */
async function placesOf(account_id: string) {
  const { rows } = await sql<{ in_row: string[]; apart: string[] }>`
    select array(select g ->> 0 from json_array_elements(counters) g) as in_row,
      array(select chain_id::text from chain_counters
        where tenant_id = ${tenant_id} and account_id = ${account_id} order by chain_id) as apart
    from accounts where tenant_id = ${tenant_id} and id = ${account_id}`.execute(world.db)
  return rows[0]
}

/**
 * The first batch fills the row, the second has the first chain beside it, and the third has both
 * and one more.
 */
async function sendThree({ rest }: Awaited<ReturnType<typeof openCards>>) {
  const [eighth, ninth, tenth] = rest
  const raised = pay(ninth, 1_500n)
  return sendBatches([
    [pay(eighth, 2_000n)],
    [raised, pay(eighth, 500n)],
    [
      pay(ninth, 1_600n),
      about(raised, { message_type: '0400', reverse_amount: 500n }),
      pay(ninth, 2_000n),
      pay(eighth, 600n),
      pay(eighth, 500n),
      pay(tenth, 3_000n),
      pay(tenth, 100n),
    ],
  ])
}
const CODES = [['0000'], ['0000', '0000'], ['1897', '0000', '0000', '1897', '0000', '0000', '1897']]

async function assertCounted({ account_id, cards, rest }: Awaited<ReturnType<typeof openCards>>) {
  const places = await placesOf(account_id)
  const idsOf = (some: readonly MadeCard[]) => some.map(({ card_id }) => card_id).sort()
  assert.deepEqual(places?.in_row.toSorted(), idsOf(cards.slice(0, IN_ROW)))
  assert.deepEqual(places?.apart, idsOf(rest.slice(1, 3)))
  const left = rest.map((card) => codeOf(pay(card, 100n), world.engine))
  assert.deepEqual(await Promise.all(left), ['1897', '1897', '1897', '0000'])
  assert.deepEqual(await auditLimits(world.db, ofTenant(tenant_id)), [])
}

describe('three batches of cards for which the row of their account has no room', () => {
  test('count each on those before it', async () => {
    const opened = await openCards()
    const { line, codes } = await sendThree(opened)
    line.pass()
    assert.deepEqual(await codes(), CODES)
    await assertCounted(opened)
  })

  for (const behind of [0, 1, 2]) {
    test(`count once where the account changes behind ${behind} of them`, async () => {
      const opened = await openCards()
      const { line, codes } = await sendThree(opened)
      line.pass(behind)
      await sql`update accounts set version = version + 1
        where tenant_id = ${tenant_id} and id = ${opened.account_id}`.execute(world.db)
      line.pass()
      assert.deepEqual(await codes(), CODES)
      await assertCounted(opened)
    })

    test(`count once where the connection is lost behind ${behind} of them`, async () => {
      const opened = await openCards()
      const { line, codes } = await sendThree(opened)
      await line.loseAfter(behind)
      assert.deepEqual(await codes(), CODES)
      await assertCounted(opened)
    })
  }

  test('count on what another process has counted there meanwhile', async () => {
    const opened = await openCards()
    const [eighth, ninth, tenth] = opened.rest
    const { line, codes } = await sendThree(opened)
    // It finds the row with room for one, and fills it with another chain.
    assert.equal(await codeOf(pay(tenth, 2_000n), world.engine), '0000')
    assert.equal(await codeOf(pay(ninth, 1_000n), world.engine), '0000')
    line.pass()
    assert.deepEqual(await codes(), [
      ['0000'],
      ['0000', '0000'],
      ['1897', '0000', '1897', '1897', '0000', '1897', '0000'],
    ])
    const places = await placesOf(opened.account_id)
    assert.ok(places?.in_row.includes(tenth?.card_id ?? ''))
    assert.deepEqual(places?.apart, [eighth?.card_id, ninth?.card_id].toSorted())
    assert.deepEqual(await auditLimits(world.db, ofTenant(tenant_id)), [])
  })
})

/** Batches that follow each other: when the first fails, those behind it are decided again. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { auditLedger } from '#issuing/ledger/ledger.ts'
import { auditLimits } from '#issuing/limits/limits.ts'
import { ofTenant } from '#kit/audit.ts'
import { openDatabase } from '#kit/db/database.ts'
import { urlOfTenant } from '#test/support/cluster/nodes.ts'
import { purchase, type TestMessage } from '#test/support/desk.ts'
import { type MadeCard, openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { linkLimit } from '#test/support/limits.ts'
import { AT_ONCE } from '#test/support/processes/second_engine.ts'
import { openProxy, type Stalled } from '#test/support/services/proxy.ts'
import { until } from '#test/support/services/receiver.ts'
import { openWorld } from '#test/support/world.ts'
import { Engine, OutcomeUnknown } from '../authorization.ts'

const keep = keeper()
const world = keep(await openWorld())
const issuer = await openIssuer(world)
const proxy = keep(await openProxy(await urlOfTenant(world.url, world.tenant.id)))
const far = keep(openDatabase(proxy.url, 1))
const engine = new Engine({ ...world.services, db: far.batches }, { ...AT_ONCE, answer_ms: 60_000 })
keep({ close: () => engine.drain() })

const tenant_id = world.tenant.id
const ask = (request: TestMessage, by = engine) => by.submit(tenant_id, { request })
const TEN = 1_000n
const BATCHES = 3

/** Purchases of 10.00 in three batches that are sent, of which none has come to the server. */
async function sendThree(
  card: MadeCard,
  at: 'begin' | 'commit' = 'begin',
  first: TestMessage[] = [],
) {
  const stalling = proxy.stall(at)
  const messages = [
    ...first,
    ...Array.from({ length: 12 - first.length }, () => purchase(card, TEN)),
  ]
  const answers: ReturnType<typeof ask>[] = []
  let line: Stalled | undefined
  for (let batch = 0; batch < BATCHES; batch += 1) {
    answers.push(...messages.slice(4 * batch, 4 * batch + 4).map((one) => ask(one)))
    line ??= await stalling
    const { commits } = line
    await until(`batch ${batch + 1} is sent`, () => commits() === batch + 1)
  }
  assert.ok(line)
  return { line, messages, answers }
}

const rowsOf = async ({ card_id }: MadeCard) => {
  const { rows } = await sql<{ rrn: string; status: string }>`
    select rrn, status from transactions where card_id = ${card_id} order by id`.execute(world.db)
  return rows
}

/** The first ten of twelve requests for 100.00 are approved: in this order, each once. */
async function assertInOrder(
  card: MadeCard,
  { messages, answers }: Pick<Awaited<ReturnType<typeof sendThree>>, 'messages' | 'answers'>,
): Promise<void> {
  const approved = (await Promise.all(answers)).map((answer) => answer.approved)
  assert.deepEqual(
    approved,
    messages.map((_, at) => at < 10),
  )
  assert.deepEqual(
    (await rowsOf(card)).map(({ rrn }) => rrn),
    messages.map(({ rrn }) => rrn),
  )
  assert.deepEqual(await issuer.account(card.account_id), {
    balance: 100,
    held: 100,
    available: 0,
  })
  const again = await Promise.all(messages.map((message) => ask(message)))
  assert.deepEqual(
    again.map((answer) => answer.approved),
    approved,
  )
  assert.ok(again.every(({ repeated }) => repeated))
  assert.deepEqual(await auditLedger(world.db), [])
}

describe('three batches of a card that follow each other are decided in order, each once,', () => {
  test('where none fails', async () => {
    const card = await issuer.card(100)
    const sent = await sendThree(card)
    sent.line.pass()
    await assertInOrder(card, sent)
  })

  test('where another session has changed the account', async () => {
    const card = await issuer.card(100)
    const sent = await sendThree(card)
    await sql`update accounts set version = version + 1 where id = ${card.account_id}`.execute(
      world.db,
    )
    sent.line.pass()
    await assertInOrder(card, sent)
  })

  test('where another session has locked the account', async () => {
    const [card, free] = [await issuer.card(100), await issuer.card(100)]
    const sent = await sendThree(card)
    const stranger = new pg.Client({ connectionString: world.url })
    await stranger.connect()
    await stranger.query('begin')
    await stranger.query('select from accounts where tenant_id = $1 and id = $2 for update', [
      tenant_id,
      card.account_id,
    ])
    sent.line.pass()
    // Others are decided while it is locked.
    for (let at = 0; at < 3; at += 1) assert.ok((await ask(purchase(free, TEN))).approved)
    await stranger.query('rollback')
    await stranger.end()
    await assertInOrder(card, sent)
  })

  for (const transactions of [0, 1, 2, 3]) {
    test(`where the connection is lost after ${transactions} of them`, async () => {
      const card = await issuer.card(100)
      const sent = await sendThree(card)
      await sent.line.loseAfter(transactions)
      await assertInOrder(card, sent)
    })
  }

  for (const fate of ['answer lost', 'never sent'] as const) {
    for (const nth of [1, 2, 3]) {
      test(`where of COMMIT ${nth} this happens: ${fate}`, async () => {
        const card = await issuer.card(100)
        void proxy.lose(fate, nth)
        const messages = Array.from({ length: 12 }, () => purchase(card, TEN))
        const answers: ReturnType<typeof ask>[] = []
        for (const message of messages) {
          answers.push(ask(message))
          await new Promise((resolve) => setImmediate(resolve))
        }
        await assertInOrder(card, { messages, answers })
      })
    }
  }
})

test('what a batch counts is known behind it where the account was changed before it', async () => {
  const card = await issuer.card(100)
  const limited = await issuer.cardOn(card)
  const limit = { type: 'CUMULATIVE', max_amount: 15, period: 'LIFETIME' }
  await linkLimit(issuer, 'velocitylimits', `cards/${limited.card_id}`, limit)
  const stalling = proxy.stall('begin')
  const uncounted = ask(purchase(card, TEN))
  const line = await stalling
  await until('the first is sent', () => line.commits() === 1)
  const counted = ask(purchase(limited, TEN))
  await until('the second is sent', () => line.commits() === 2)
  line.pass(1)
  await uncounted
  const beyond = ask(purchase(limited, TEN))
  await until('the third is sent', () => line.commits() === 2)
  line.pass()
  const codes = (await Promise.all([counted, beyond])).map(({ status_code }) => status_code)
  assert.deepEqual(codes, ['0000', '1897'])
  assert.deepEqual(await auditLimits(world.db, ofTenant(tenant_id)), [])
})

test('a message that the database rejects fails alone, those behind it do not', async () => {
  const card = await issuer.card(100)
  // No column takes such an amount.
  const poison = purchase(card, 10n ** 19n)
  const { line, answers, messages } = await sendThree(card, 'begin', [poison])
  line.pass()
  const [failed, ...rest] = await Promise.allSettled(answers)
  assert.equal(failed?.status, 'rejected')
  const approved = rest.map((one) => one.status === 'fulfilled' && one.value.approved)
  assert.deepEqual(
    approved,
    rest.map((_, at) => at < 10),
  )
  assert.deepEqual(
    (await rowsOf(card)).map(({ rrn }) => rrn),
    messages.slice(1).map(({ rrn }) => rrn),
  )
})

test('a batch behind one in doubt that never came to the server is decided at once', async () => {
  const [card, other] = [await issuer.card(100), await issuer.card(100)]
  const stalling = proxy.stall('commit')
  const impatient = new Engine(
    { ...world.services, db: far.batches },
    { ...AT_ONCE, answer_ms: 1_000 },
  )
  const rejected = assert.rejects(ask(purchase(card, TEN), impatient), OutcomeUnknown)
  const line = await stalling
  const behind = ask(purchase(other, TEN), impatient)
  await until('it is sent', () => line.commits() === 2)
  const stranded = line.strand()
  // The first is in doubt all the while.
  assert.ok((await behind).approved)
  await rejected
  stranded.end()
  await impatient.drain()
  assert.equal((await issuer.account(card.account_id)).held, 0)
  assert.equal((await issuer.account(other.account_id)).held, 10)
})

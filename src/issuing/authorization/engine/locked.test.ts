/** Rows that another session has locked (D-303). */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { auditLedger } from '#issuing/ledger/ledger.ts'
import { openDatabase } from '#kit/db/database.ts'
import { USUAL_ROLE } from '#kit/db/security/program_role.ts'
import { newId } from '#lib/id.ts'
import { lockWaitsAt, onEachNode } from '#test/support/cluster/nodes.ts'
import { about, purchase, type TestMessage } from '#test/support/desk.ts'
import { type Issuer, type MadeCard, openIssuer } from '#test/support/issuer.ts'
import { linkLimit } from '#test/support/limits.ts'
import { openWorld } from '#test/support/world.ts'
import { AccountBusy, Engine } from '../authorization.ts'
import { engineContext } from './context.ts'
import { runUnderLocks } from './locking.ts'
import { CardQueue, Pending } from './pending.ts'
import { Products } from './store/products.ts'

const world = await openWorld()
const [first, second, third] = [
  await openIssuer(world),
  await openIssuer(world, await world.otherTenant()),
  await openIssuer(world, await world.otherTenant()),
]
after(() => world[Symbol.asyncDispose]())

const ask = (issuer: Issuer, request: TestMessage, by: Engine = world.engine) =>
  by.submit(issuer.tenant.id, { request })
const soon = () => performance.now() + 1_500

/** Another session that holds what `statement` locks, until it is let go. */
async function hold(statement: string, values: unknown[]): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: world.url })
  await client.connect()
  await client.query('begin')
  await client.query(statement, values)
  return async () => {
    await client.query('rollback')
    await client.end()
  }
}
const holdAccount = (of: Issuer, { account_id }: MadeCard) =>
  hold('select from accounts where tenant_id = $1 and id = $2 for update', [
    of.tenant.id,
    account_id,
  ])

describe('a locked account', () => {
  test('in each of two tenants delays no other card of theirs and no third tenant', async () => {
    const locked = [await first.card(100), await second.card(100)] as const
    const free = await Promise.all([first, second, third].map((issuer) => issuer.card(1_000)))
    const release = await Promise.all([
      holdAccount(first, locked[0]),
      holdAccount(second, locked[1]),
    ])
    const decided: string[] = []
    const waiting = [first, second].map((issuer, at) => {
      const answer = ask(issuer, purchase(locked[at], 100n))
      return answer.finally(() => decided.push('locked'))
    })
    const others = [first, second, third].flatMap((issuer, at) =>
      Array.from({ length: 140 }, () => ask(issuer, purchase(free[at], 100n))),
    )
    const answers = await Promise.all(others)
    assert.ok(answers.every(({ status_code }) => status_code === '0000'))
    // The others have their answers while the locks are held.
    assert.deepEqual(decided, [])
    for (const letGo of release) await letGo()
    for (const answer of await Promise.all(waiting)) assert.equal(answer.status_code, '0000')
    assert.deepEqual(await auditLedger(world.db), [])
  })

  test('declines a request that is late (1889) without touching it; an advice waits', async () => {
    const card = await first.card(100)
    const letGo = await holdAccount(first, card)
    const request = purchase(card, 1_000n, { deadline: soon() })
    const advised_approval = { approved: true }
    const advice = ask(first, purchase(card, 500n, { message_type: '0120', advised_approval }))
    const late = await ask(first, request)
    assert.partialDeepStrictEqual(late, { status_code: '1889', approved: false })
    await letGo()
    assert.ok((await advice).approved)
    assert.equal((await ask(first, request)).status_code, '1889', 'a repeat is answered alike')
    assert.deepEqual(await first.account(card.account_id), { balance: 100, held: 5, available: 95 })
  })

  test('is given up in the end: a message that cannot be declined is rejected and kept nothing', async (t) => {
    const card = await first.card(100)
    const held = purchase(card, 1_000n)
    await ask(first, held)
    // The batches of the program, which wait for no lock as long as requests of tests do.
    const { batches, close } = openDatabase(world.url, 1, { role: USUAL_ROLE })
    t.after(close)
    const services = { ...world.services, db: batches }
    const brief = new Engine(services, { answer_ms: 50, advice_ms: 50 })
    const letGo = await holdAccount(first, card)
    for (const message_type of ['0400', '0420'] as const) {
      await assert.rejects(ask(first, about(held, { message_type }), brief), AccountBusy)
    }
    await letGo()
    assert.equal((await first.account(card.account_id)).held, 10)
  })

  test('keeps the messages of its card in their order', async () => {
    const card = await first.card(100)
    const letGo = await holdAccount(first, card)
    const messages = Array.from({ length: 5 }, () => purchase(card, 1_000n))
    const answers = messages.flatMap((message) => [
      ask(first, message),
      ask(first, about(message, { message_type: '0420' })),
    ])
    const after = ask(first, purchase(card, 10_000n))
    await letGo()
    for (const { status_code } of await Promise.all(answers)) assert.equal(status_code, '0000')
    assert.equal((await after).status_code, '0000', 'all before it were reversed first')
  })
})

/** How often a session waited for a lock, whenever the test looked while `work` was under way. */
async function lockWaitsDuring(work: Promise<unknown>): Promise<number> {
  let isOver = false
  const ended = work.finally(() => {
    isOver = true
  })
  const waits = await onEachNode(world.url, async (client) => {
    let found = 0
    while (!isOver) found += await lockWaitsAt(client)
    return found
  })
  await ended
  return waits.reduce((sum, found) => sum + found, 0)
}

test('a locked account is waited for once; later batches neither need it nor wait for it', async () => {
  const [locked, free] = [await first.card(100), await first.card(10_000)]
  const letGo = await holdAccount(first, locked)
  let isDecided = false
  const waiting = ask(first, purchase(locked, 100n)).finally(() => {
    isDecided = true
  })
  const others = () =>
    Promise.all(Array.from({ length: 40 }, () => ask(first, purchase(free, 100n))))
  assert.ok((await others()).every(({ approved }) => approved))
  const later = async () => {
    for (let round = 0; round < 10; round += 1) {
      assert.ok((await others()).every(({ approved }) => approved))
    }
  }
  assert.equal(await lockWaitsDuring(later()), 0)
  assert.equal(isDecided, false)
  await letGo()
  assert.ok((await waiting).approved)
})

test('a locked account with limits leaves those decided with it under locks alone', async () => {
  const [busy, free] = [await first.card(100), await first.card(100)]
  const limit = { type: 'CUMULATIVE', max_amount: 50, period: 'DAILY' }
  for (const { card_id } of [busy, free])
    await linkLimit(first, 'velocitylimits', `cards/${card_id}`, limit)
  const letGo = await holdAccount(first, busy)
  const jobs = [busy, free].map(
    (card) => new Pending({ request: purchase(card, 100n) }, new CardQueue('')),
  )
  const ctx = engineContext(world.services, first.tenant.id)
  const { answers } = await runUnderLocks(ctx, new Products(), jobs).done.finally(letGo)
  assert.deepEqual(
    answers.map((answer) => answer?.status_code),
    [undefined, '0000'],
  )
})

describe('what another session writes', () => {
  test('under the duplicate key of a message is waited for by that message alone', async () => {
    const [busy, free] = [await first.card(100), await first.card(1_000)]
    const message = purchase(busy, 100n)
    const letGo = await hold(
      `insert into transactions (tenant_id, id, message_key, transaction_type, status, status_code,
         amount, currency, sequence, created, details)
       values ($1, $2, $3, 'PURCHASE', 'DECLINED', '1000', 100, 'AED', 1, now(), '{}')`,
      [first.tenant.id, newId(), message.duplicate_key],
    )
    let isDecided = false
    const waiting = ask(first, message).finally(() => {
      isDecided = true
    })
    const others = Array.from({ length: 8 }, () => ask(first, purchase(free, 100n)))
    const answers = await Promise.all(others)
    assert.ok(answers.every(({ approved }) => approved))
    assert.equal(isDecided, false)
    await letGo()
    assert.ok((await waiting).approved)
    assert.equal((await first.account(busy.account_id)).held, 1)
  })
})

/**
 * The program is killed at random moments under many clients, and in the middle of a request of
 * each kind: nothing that was answered is lost, nothing is done twice, no key stays in use.
 */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as pass } from 'node:timers/promises'
import { sql } from 'kysely'
import { chances, SEED } from '#test/support/chances.ts'
import { lockWaitsIn } from '#test/support/cluster/nodes.ts'
import { auditCrowd } from '#test/support/crowd/audit.ts'
import { authorize, captureOrder, loadFunds } from '#test/support/crowd/client.ts'
import { gatherCrowd, makeOrders } from '#test/support/crowd/stock.ts'
import { assertSound, faultsOfLog, untilQuiet } from '#test/support/inspection/oracle.ts'
import { openKillable } from '#test/support/processes/killable.ts'
import { openReceiver, until } from '#test/support/services/receiver.ts'
import { PATIENCE_MS } from '#test/support/time/patience.ts'

const deep = process.env['TEST_DEEP'] === '1'
const KILLS = deep ? 50 : 3
const CLIENTS = 64
/** Between a start and the next kill. */
const [SHORTEST_MS, LONGEST_MS] = [800, 1_500]
/** The time in which a key has its answer after the program is back. */
const SETTLES_MS = deep ? 5_000 : 30_000
const POLL_MS = 10

const platform = await openKillable()
after(() => platform.close())
const crowd = await gatherCrowd(platform, { cards: 8, own_cards: 16, orders: deep ? 200 : 30 })

const [card] = crowd.stock.cards
/** An order that the crowd leaves alone, paid with that card. */
const kept = crowd.stock.orders.pop()
assert.ok(card && kept)
const inParts = await orderInParts()
const money = { currency: 'AED', amount: 1 }

/** Another one, which is captured in parts. */
async function orderInParts(): Promise<string> {
  const { merchant, operator_key: apikey } = platform.sandbox
  const { data } = await crowd.made('GET', '/v1/operator/merchants', { apikey })
  const { id } = data.find(({ name }: { name: string }) => name === merchant.name)
  const body = { partial_captures: true }
  await crowd.made('PUT', `/v1/operator/merchants/${id}`, { apikey, body })
  await makeOrders(crowd, 1)
  const reference = crowd.stock.orders.pop()
  assert.ok(reference)
  return reference
}

/** Loads wait for the account's row; the engine does not, but for a table that it writes. */
const locks = {
  account: (id: string) => sql`select from accounts
    where tenant_id = ${platform.sandbox.tenant.id} and id = ${id} for update`,
  transactions: () => sql`lock table transactions in share mode`,
}

/** Holds a lock meanwhile, so that every session that needs it waits. */
function whileLocked<Result>(
  what: keyof typeof locks,
  id: string,
  act: () => Promise<Result>,
): Promise<Result> {
  return platform.db.runTransaction(async (db) => {
    await locks[what](id).execute(db)
    return act()
  })
}

async function untilBlocked(): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  for (;;) {
    if ((await lockWaitsIn(platform.url)) > 0) return
    assert.ok(performance.now() < end, 'nothing waits for the row')
    await pass(POLL_MS)
  }
}

describe(`killed ${KILLS} times under ${CLIENTS} clients (SEED=${SEED})`, () => {
  test('everything that was answered is in the database once', async (t) => {
    const chance = chances(SEED)
    const work = crowd.work(CLIENTS, (client) => chances(SEED + client + 1))
    const starts: number[] = []
    for (let kill = 0; kill < KILLS; kill++) {
      // The moment of a kill is the one thing here that is to be a matter of time.
      await pass(SHORTEST_MS + chance() * (LONGEST_MS - SHORTEST_MS))
      await platform.kill()
      starts.push(await platform.start())
    }
    await work.stop()
    await untilQuiet(platform.db)

    const sorted = starts.toSorted((one, other) => one - other).map(Math.round)
    const median = sorted[Math.floor(sorted.length / 2)]
    t.diagnostic(
      `${crowd.requests} requests, ${crowd.cut} times cut; from the start of the process to ` +
        `its first answer ${median} ms (median), ${sorted.at(-1)} ms (longest)`,
    )
    assert.ok(crowd.cut >= KILLS, 'the kills have cut nothing')
    assert.deepEqual(await auditCrowd(platform.db, crowd), [])
    await assertSound(platform.db)
  })

  const load = () => loadFunds(crowd, card.account_id, money)
  const capture = () => captureOrder(crowd, kept)
  const part = () => captureOrder(crowd, inParts, { total: '3.00' })
  const last = () => captureOrder(crowd, inParts, { total: '4.00', final: true })
  const pay = () => authorize(crowd, card.id, money)
  for (const [name, lock, ask] of [
    ['a load, which is one transaction', 'account', load],
    ['an authorization, which the engine decides', 'transactions', pay],
    ['a capture, which waits for the issuer', 'transactions', capture],
    ['the first of two parts of an order', 'transactions', part],
    ['the second, after which the rest is released', 'transactions', last],
  ] as const) {
    test(`killed in the middle of ${name}: its key has its answer in time`, async () => {
      const { answered } = await whileLocked(lock, card.account_id, async () => {
        const answered = ask()
        await untilBlocked()
        await platform.kill()
        return { answered }
      })
      await platform.start()
      const since = performance.now()
      const result = await answered
      const took = performance.now() - since
      assert.ok(took < SETTLES_MS, `it took ${took} ms`)
      assert.notEqual(result, false, 'the capture failed')
    })
  }

  test('killed while its responder is asked: the repeat is asked about again', async () => {
    const receiver = await openReceiver()
    receiver.answer(() => {})
    const set = (responder: object | null) =>
      crowd.made('PUT', '/v1/tenantsettings', { body: { responder } })
    await set({ url: receiver.url, timeout_ms: 3_000 })
    const paid = pay()
    await until('a question', () => receiver.received.length > 0)
    await platform.kill()
    receiver.answer((response) => response.end('{"approved":true}'))
    await platform.start()
    assert.equal((await paid).status, 'PENDING')
    assert.equal(receiver.received.length, 2)
    await set(null)
    await receiver.close()
  })

  test('these too are in the books once', async () => {
    await untilQuiet(platform.db)
    assert.deepEqual(await auditCrowd(platform.db, crowd), [])
    await assertSound(platform.db)
  })

  test('control: an effect without an answer is found, and one that is lost', async () => {
    const [first] = crowd.answered.filter(({ kind }) => kind === 'load')
    assert.ok(first)
    const { acknowledged, stock } = crowd
    for (const answered of [
      crowd.answered.filter((one) => one !== first),
      [...crowd.answered, { ...first, key: 'lost' }],
    ]) {
      assert.equal((await auditCrowd(platform.db, { acknowledged, stock, answered })).length, 1)
    }
  })

  test('it ends well, and none of its processes met an error that it did not expect', async () => {
    await platform.stop()
    assert.deepEqual(faultsOfLog(platform.lines()), [])
  })
})

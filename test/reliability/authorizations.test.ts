/** An account is never spent twice, however many ask for its money at once. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Engine } from '#issuing/authorization/authorization.ts'
import { auditLedger } from '#issuing/ledger/ledger.ts'
import { openDatabase } from '#kit/db/database.ts'
import { newId } from '#lib/id.ts'
import { chances, SEED } from '#test/support/chances.ts'
import { urlOfTenant } from '#test/support/cluster/nodes.ts'
import { about, purchase, type TestMessage } from '#test/support/desk.ts'
import { assertSound } from '#test/support/inspection/oracle.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { openSecondEngine } from '#test/support/processes/second_engine.ts'
import { openProxy } from '#test/support/services/proxy.ts'
import { openWorld } from '#test/support/world.ts'

const ROUNDS = process.env['TEST_DEEP'] ? 500 : 6
const RACERS = 64
const TEN = 1_000n

const keep = keeper()
const world = keep(await openWorld())
const issuer = await openIssuer(world)
const second = keep(openSecondEngine(world))
const engines = [world.engine, second.engine] as const

const ask = (request: TestMessage, at: number) =>
  engines[at % 2 === 0 ? 0 : 1].submit(world.tenant.id, { request })

test(`${RACERS} ask for 10.00 of 100.00 in two processes: ten get it, ${ROUNDS} times`, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const first = await issuer.card(100)
    const cards = [first, await issuer.cardOn(first)] as const
    const answers = await Promise.all(
      Array.from({ length: RACERS }, (_, at) =>
        ask(purchase(cards[at % 3 === 0 ? 1 : 0], TEN), at),
      ),
    )
    const approved = answers.filter((answer) => answer.approved)
    assert.equal(approved.length, 10)
    assert.deepEqual(
      new Set(answers.map(({ status_code }) => status_code)),
      new Set(['0000', '1016']),
    )
    assert.deepEqual(await issuer.account(first.account_id), {
      balance: 100,
      held: 100,
      available: 0,
    })
  }
  assert.deepEqual(await auditLedger(world.db), [])
})

test(`the same while a hold is cleared in part and another reversed, ${ROUNDS} times`, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const card = await issuer.card(100)
    const [cleared, reversed] = [purchase(card, 5n * TEN), purchase(card, 3n * TEN)]
    for (const held of [cleared, reversed]) assert.ok((await ask(held, 0)).approved)
    // 20.00 are free, 30.00 come free on the way, and clearing what is held frees nothing.
    const requests = Array.from({ length: RACERS }, () => purchase(card, TEN))
    const clearing = about(cleared, { message_type: '0220', amount: 2n * TEN })
    const reversal = about(reversed, { message_type: '0420' })
    const all = [
      ...requests.slice(0, 20),
      clearing,
      ...requests.slice(20, 40),
      reversal,
      ...requests.slice(40),
    ]
    const answers = await Promise.all(all.map(ask))
    const bought = answers.filter((answer, at) => {
      return answer.approved && all[at]?.message_type === '0100'
    })
    assert.ok(bought.length >= 2 && bought.length <= 5, `${bought.length} were approved`)

    const { balance, held, available } = await issuer.account(card.account_id)
    assert.deepEqual([balance, held], [80, 30 + 10 * bought.length])
    assert.equal(available, 50 - 10 * bought.length)
    const rest = await Promise.all(
      requests.slice(0, 8).map((_, at) => ask(purchase(card, TEN), at)),
    )
    const more = rest.filter((answer) => answer.approved).length
    assert.equal(bought.length + more, 5, 'what came free is spent once, all of it')
    assert.equal((await issuer.account(card.account_id)).available, 0)
  }
  assert.deepEqual(await auditLedger(world.db), [])
})

test(`a message sent to both processes at once makes one transaction, ${ROUNDS} times`, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const card = await issuer.card(100)
    const stranger = { card_id: newId() }
    const messages = Array.from({ length: 8 }, (_, at) => purchase(at === 0 ? stranger : card, TEN))
    const pairs = await Promise.all(
      messages.map((one) => Promise.all(engines.map((_, at) => ask(one, at)))),
    )
    for (const [at, [one, other]] of pairs.entries()) {
      assert.equal(one?.transaction_id, other?.transaction_id)
      assert.equal(one?.status_code, other?.status_code)
      assert.notEqual(one?.repeated, other?.repeated, `message ${at} was decided once`)
    }
    assert.equal((await issuer.account(card.account_id)).held, 70)
  }
  assert.deepEqual(await auditLedger(world.db), [])
})

/** One that is killed: nothing of it gets through any more, and it hears nothing. */
async function openMortal() {
  const proxy = await openProxy(await urlOfTenant(world.url, world.tenant.id))
  const { batches, close } = openDatabase(proxy.url, 4)
  const engine = new Engine({ ...world.services, db: batches }, { drain_ms: 0 })
  return {
    engine,
    async kill() {
      const drained = engine.drain()
      proxy.cut()
      await drained
      await close()
      await proxy.close()
    },
  }
}

test(`one of two processes is killed among ${RACERS} requests, ${ROUNDS} times`, async () => {
  const chance = chances(SEED)
  for (let round = 0; round < ROUNDS; round++) {
    const card = await issuer.card(100)
    const mortal = await openMortal()
    const messages = Array.from({ length: RACERS }, () => purchase(card, TEN))
    let answered = 0
    const first = messages.map((request, at) =>
      (at % 2 === 0 ? world.engine : mortal.engine)
        .submit(world.tenant.id, { request })
        .finally(() => (answered += 1)),
    )
    const settled = Promise.allSettled(first)
    for (const least = Math.floor(chance() * RACERS); answered < least; ) await turn()
    await mortal.kill()
    const heard = await settled
    // The network sends what got no answer again, and the living process answers all of it.
    const answers = await Promise.all(messages.map((request) => ask(request, 0)))
    for (const [at, one] of heard.entries()) {
      if (one.status === 'rejected') continue
      assert.equal(answers[at]?.transaction_id, one.value.transaction_id)
      assert.equal(answers[at]?.approved, one.value.approved)
    }
    assert.equal(answers.filter(({ approved }) => approved).length, 10)
    assert.equal(new Set(answers.map((one) => one.transaction_id)).size, RACERS)
    assert.deepEqual(await issuer.account(card.account_id), {
      balance: 100,
      held: 100,
      available: 0,
    })
  }
  await assertSound(world.db)
})

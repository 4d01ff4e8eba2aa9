/** Random messages to two processes, with random failures: the sums and the answers are exact. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { sql } from 'kysely'
import { Engine } from '#issuing/authorization/authorization.ts'
import { auditLedger } from '#issuing/ledger/ledger.ts'
import { openDatabase } from '#kit/db/database.ts'
import { SEED } from '#test/support/chances.ts'
import { urlOfTenant } from '#test/support/cluster/nodes.ts'
import { about, purchase, type TestMessage } from '#test/support/desk.ts'
import { assertSound } from '#test/support/inspection/oracle.ts'
import { type MadeCard, openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { AT_ONCE } from '#test/support/processes/second_engine.ts'
import { type Fate, openProxy } from '#test/support/services/proxy.ts'
import { openWorld } from '#test/support/world.ts'

const RUNS = process.env['TEST_DEEP'] ? 300 : 12
const STEPS_MAX = 40
const TURNS_MAX = 50
/** Major units; less than all purchases ask for together. */
const FUNDS = 100
const CARDS = 3

const keep = keeper()
const world = keep(await openWorld())
const issuer = await openIssuer(world)
const proxy = keep(await openProxy(await urlOfTenant(world.url, world.tenant.id)))
const far = keep(openDatabase(proxy.url, 4))
/** It loses COMMITs; the other does not. */
const unlucky = new Engine(
  { ...world.services, db: far.batches },
  { ...AT_ONCE, answer_ms: 60_000 },
)
keep({ close: () => unlucky.drain() })

const fates = ['answer lost', 'never sent'] as const satisfies readonly Fate[]
const card = fc.nat({ max: CARDS - 1 })
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('buy'), card, amount: fc.integer({ min: 1, max: 30 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('reverse'), nth: fc.nat(STEPS_MAX) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('repeat'), nth: fc.nat(STEPS_MAX) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('raise'), card }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('lose'), fate: fc.constantFrom(...fates) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait'), turns: fc.nat(TURNS_MAX) }) },
) as fc.Arbitrary<Step>
type Step =
  | { do: 'buy'; card: number; amount: number }
  | { do: 'reverse' | 'repeat'; nth: number }
  | { do: 'raise'; card: number }
  | { do: 'lose'; fate: Fate }
  | { do: 'wait'; turns: number }

const submit = (by: Engine, request: TestMessage) => by.submit(world.tenant.id, { request })
type Asked = { message: TestMessage; answer: ReturnType<typeof submit> }

async function play(steps: readonly Step[], cards: readonly MadeCard[]) {
  const bought: Asked[] = []
  const others: Asked[] = []
  let sent = 0
  const ask = (message: TestMessage): Asked => {
    sent += 1
    return { message, answer: submit(sent % 2 === 0 ? world.engine : unlucky, message) }
  }
  for (const one of steps) {
    const named = 'nth' in one ? bought[one.nth % Math.max(bought.length, 1)] : undefined
    if (one.do === 'buy') bought.push(ask(purchase(cards[one.card], BigInt(one.amount) * 100n)))
    else if (one.do === 'reverse' && named) {
      others.push(ask(about(named.message, { message_type: '0420' })))
    } else if (one.do === 'repeat' && named) others.push(ask(named.message))
    else if (one.do === 'lose') void proxy.lose(one.fate)
    else if (one.do === 'raise') {
      await sql`update accounts set version = version + 1
        where id = ${cards[one.card]?.account_id}`.execute(world.db)
    } else if (one.do === 'wait') for (let left = one.turns; left > 0; left -= 1) await turn()
  }
  await Promise.all([...bought, ...others].map(({ answer }) => answer))
  return { bought, sent: [...bought, ...others] }
}

test('each message makes one transaction, and what is held is what is approved', async () => {
  const property = fc.asyncProperty(fc.array(step, { maxLength: STEPS_MAX }), async (steps) => {
    const first = await issuer.card(FUNDS)
    const cards = [first, await issuer.cardOn(first), await issuer.card(FUNDS)]
    const { bought, sent } = await play(steps, cards)
    const { rows } = await sql<{ rrn: string; held: bigint; message_key: string }>`
      select rrn, held, message_key from transactions
      where card_id = any (${cards.map(({ card_id }) => card_id)}::uuid[])
        and message_key like '0100|%'`.execute(world.db)
    assert.deepEqual(
      rows.map((row) => row.message_key).toSorted(),
      bought.map(({ message }) => message.duplicate_key).toSorted(),
    )
    for (const { account_id } of [cards[0], cards[2]].flatMap((one) => one ?? [])) {
      const { held, available } = await issuer.account(account_id)
      assert.ok(available >= 0 && held + available === FUNDS)
    }
    // Every answer that was given is the one that a repeat gets, but for what was reversed.
    const reversed = new Set(
      sent.flatMap(({ message }) => (message.message_type === '0420' ? (message.rrn ?? []) : [])),
    )
    for (const { message, answer } of bought) {
      if (reversed.has(message.rrn ?? '')) continue
      const again = await submit(world.engine, message)
      const { transaction_id, status_code, amount } = await answer
      assert.partialDeepStrictEqual(again, { transaction_id, status_code, amount, repeated: true })
      const row = rows.find(({ rrn }) => rrn === message.rrn)
      assert.equal(row?.held, amount)
    }
    assert.deepEqual(await auditLedger(world.db), [])
  })
  await fc.assert(property, { seed: SEED, numRuns: RUNS, endOnFailure: true })
  await assertSound(world.db)
})

/**
 * Messages of one payment that arrive at two processes at one moment: each looks for the writes of
 * the other, and one of them sees it (D-528, D-531). Deep: 2,000 races of each kind.
 */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as pass } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { chances, SEED } from '#test/support/chances.ts'
import { about, purchase, type TestMessage } from '#test/support/desk.ts'
import { assertSound } from '#test/support/inspection/oracle.ts'
import { type MadeCard, openIssuer } from '#test/support/issuer.ts'
import { openSecondEngine } from '#test/support/processes/second_engine.ts'
import { openWorld } from '#test/support/world.ts'
import type { Engine } from '../authorization.ts'
import { openReversals, whenUnsent } from '../port/reversals.ts'

const ROUNDS = process.env['TEST_DEEP'] === '1' ? 2_000 : 60
/** Races at one time, each on a card of its own. */
const AT_ONCE = 4
const OPENING = 10_000
const chance = chances(SEED)

const world = await openWorld()
const second = openSecondEngine(world)
after(async () => {
  await second.close()
  await world[Symbol.asyncDispose]()
})
const issuer = await openIssuer(world)
const engines = [world.engine, second.engine] as const
const tenant_id = world.tenant.id
const submit = (engine: Engine, request: TestMessage) => engine.submit(tenant_id, { request })
const stateOf = async ({ account_id }: MadeCard) => {
  const { balance, held } = await issuer.account(account_id)
  return { balance, held }
}

/**
 * Runs the races, a few at one time, each lane on a card of its own. `race` answers whether the
 * account is as it should be.
 */
async function races(race: (card: MadeCard, round: number) => Promise<boolean>): Promise<void> {
  const rounds = Array.from({ length: ROUNDS }, (_, round) => round).values()
  const wrong: number[] = []
  const lane = async () => {
    const card = await issuer.card(OPENING)
    for (const round of rounds) if (!(await race(card, round))) wrong.push(round)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  assert.equal(wrong.length, 0, `${wrong.length} of ${ROUNDS} went wrong`)
  await assertSound(world.db)
}

const kinds: readonly (readonly [what: string, fields: Partial<TestMessage>])[] = [
  ['0100', {}],
  ['0200', { message_type: '0200' }],
  ['0120', { message_type: '0120', advised_approval: { approved: true } }],
  ['0220', { message_type: '0220' }],
  ['refund (0200)', { message_type: '0200', processing_code: '200000' }],
  ['refund (0220)', { message_type: '0220', processing_code: '200000' }],
]

describe('a message and its reversal that arrive at two processes at one moment leave nothing:', () => {
  for (const [what, fields] of kinds) {
    test(what, async () => {
      await races(async (card, round) => {
        const first = purchase(card, 100n, fields)
        const before = await stateOf(card)
        const by = round % 2
        await Promise.all([
          submit(engines[by === 0 ? 0 : 1], first),
          pass(2 * chance()).then(() =>
            submit(engines[by === 0 ? 1 : 0], about(first, { message_type: '0420' })),
          ),
        ])
        return isDeepStrictEqual(await stateOf(card), before)
      })
    })
  }

  test('a completion of a hold', async () => {
    await races(async (card) => {
      const first = purchase(card, 100n)
      await submit(world.engine, first)
      const before = await stateOf(card)
      const completion = about(first, { message_type: '0220' })
      await Promise.all([
        submit(world.engine, completion),
        submit(second.engine, about(completion, { message_type: '0420' })),
      ])
      const after = await stateOf(card)
      await submit(world.engine, about(first, { message_type: '0420' }))
      return isDeepStrictEqual(after, before)
    })
  })
})

test('of two requests of a payment at one moment one alone has what was presented before', async () => {
  await races(async (card) => {
    const presentment = purchase(card, 100n, { message_type: '0220' })
    await submit(world.engine, presentment)
    const before = await stateOf(card)
    const requests = [0, 1].map(() => about(presentment, { message_type: '0100' }))
    await Promise.all(requests.map((request, at) => submit(engines[at === 0 ? 0 : 1], request)))
    return (await stateOf(card)).held === before.held + 1
  })
})

test('a message that arrives at two processes at one moment is decided once', async () => {
  await races(async (card, round) => {
    const first = purchase(card, 100_000_000n)
    await submit(world.engine, first)
    const before = await stateOf(card)
    const advice = about(first, {
      message_type: '0120',
      amount: 100n,
      advised_approval: { approved: true, approval_code: '778899' },
    })
    // It completes the declined request (9115), or the network's approval if the advice is known.
    const completion = about(first, { message_type: '0220', amount: 100n })
    const [one, other] = round % 2 === 0 ? engines : engines.toReversed()
    const [, answer, again] = await Promise.all([
      submit(one ?? assert.fail(), advice),
      submit(one ?? assert.fail(), completion),
      pass(3 * chance()).then(() => submit(other ?? assert.fail(), completion)),
    ])
    const { balance } = await stateOf(card)
    return answer.status_code === again.status_code && before.balance - balance <= 1
  })
})

test('a request that is declined at one process as its advice comes to another has one answer', async () => {
  await races(async (card, round) => {
    const request = purchase(card, 100_000_000n)
    const advice = about(request, {
      message_type: '0120',
      advised_approval: { approved: true, approval_code: '778899' },
    })
    const [one, other] = round % 2 === 0 ? engines : engines.toReversed()
    const [, answer, again] = await Promise.all([
      submit(one ?? assert.fail(), advice),
      submit(one ?? assert.fail(), request),
      pass(3 * chance()).then(() => submit(other ?? assert.fail(), request)),
    ])
    return answer.status_code === again.status_code
  })
})

describe('an approval whose first answer cannot be sent is there if and only if a repeat got it:', () => {
  const network = {
    submit: world.engine.submit.bind(world.engine),
    tenantOfPan: async () => tenant_id,
  }
  const reversals = openReversals(network, world.log)
  for (const message_type of ['0100', '0200'] as const) {
    test(message_type, async () => {
      const counts = { kept: 0, taken_back: 0 }
      await races(async (card, round) => {
        const before = await stateOf(card)
        const request = purchase(card, 100n, { message_type })
        const answer = await submit(world.engine, request)
        const takenBack = async () => {
          await pass(3 * chance())
          whenUnsent(reversals, { tenant_id, request, answer })?.()
          await reversals.settle(10_000)
        }
        const [again] = await Promise.all([
          pass(3 * chance()).then(() => submit(engines[round % 2 === 0 ? 0 : 1], request)),
          takenBack(),
        ])
        const after = await stateOf(card)
        const taken = before.balance - before.held - (after.balance - after.held)
        counts[again.approved ? 'kept' : 'taken_back'] += 1
        if (again.approved) await submit(world.engine, about(request, { message_type: '0420' }))
        return taken === (again.approved ? 1 : 0)
      })
      assert.ok(counts.kept > 0 && counts.taken_back > 0, JSON.stringify(counts))
    })
  }
})

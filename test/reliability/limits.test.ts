/** Limits are exact under concurrency: never one over, from two processes at once (D-42). */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { purchase } from '#test/support/desk.ts'
import { type Issuer, openIssuer } from '#test/support/issuer.ts'
import { linkLimit } from '#test/support/limits.ts'
import { openSecondEngine } from '#test/support/processes/second_engine.ts'
import { openWorld } from '#test/support/world.ts'

const ROUNDS = process.env['TEST_DEEP'] ? 200 : 2
const RACERS = 64

const world = await openWorld()
const second = openSecondEngine(world)
const engines = [world.engine, second.engine] as const
after(async () => {
  await second.close()
  await world[Symbol.asyncDispose]()
})

/** Two cards of one user on two accounts, each with 1,000.00. */
async function pairOfCards(issuer: Issuer) {
  const first = await issuer.card(1_000)
  const { card_product_id } = (await issuer.call('GET', `/v1/cards/${first.card_id}`)).body
  const issued = { user_id: first.user_id, card_product_id, card_type: 'VIRTUAL' }
  const { id: card_id, account_id } = (await issuer.call('POST', '/v1/cards', issued)).body
  const money = { currency: 'AED', amount: 1_000 }
  await issuer.call('POST', `/v1/accounts/${account_id}:loadfunds`, money)
  return [first, { card_id, account_id, user_id: first.user_id }] as const
}

type Case = {
  name: string
  owner: 'users' | 'accounts'
  kind: 'velocitylimits' | 'balancelimits'
  limit: object
  code: string
}
const cases: readonly Case[] = [
  {
    name: 'a sum of 100.00 over a user’s accounts',
    owner: 'users',
    kind: 'velocitylimits',
    code: '1897',
    limit: { type: 'CUMULATIVE', max_amount: 100, period: 'LIFETIME' },
  },
  {
    name: 'ten transactions over the cards of an account',
    owner: 'accounts',
    kind: 'velocitylimits',
    code: '1898',
    limit: { type: 'PER_TRANSACTION', max_amount: 10, frequency: 10, period: 'LIFETIME' },
  },
  {
    name: '1,900.00 that remain over a user’s accounts',
    owner: 'users',
    kind: 'balancelimits',
    code: '1878',
    limit: { type: 'PER_USER', min_amount: 1_900 },
  },
  {
    name: '900.00 that remain in an account',
    owner: 'accounts',
    kind: 'balancelimits',
    code: '1876',
    limit: { type: 'PER_ACCOUNT', min_amount: 900 },
  },
]

for (const { name, owner, kind, limit, code } of cases) {
  test(`${name}: ten of ${RACERS} by 10.00 pass, ${ROUNDS} times`, async () => {
    // Each case has the funds of a tenant.
    const issuer = await openIssuer(world, await world.otherTenant())
    for (let round = 0; round < ROUNDS; round++) {
      const [first, other] = await pairOfCards(issuer)
      const cards = [first, owner === 'users' ? other : await issuer.cardOn(first)] as const
      const id = owner === 'users' ? first.user_id : first.account_id
      await linkLimit(issuer, kind, `${owner}/${id}`, limit)
      const answers = await Promise.all(
        Array.from({ length: RACERS }, (_, at) =>
          engines[at % 2 === 0 ? 0 : 1].submit(issuer.tenant.id, {
            request: purchase(cards[at % 3 === 0 ? 1 : 0], 1_000n),
          }),
        ),
      )
      const codes = answers.map(({ status_code }) => status_code)
      assert.equal(codes.filter((one) => one === '0000').length, 10)
      assert.deepEqual(new Set(codes), new Set(['0000', code]))
    }
  })
}

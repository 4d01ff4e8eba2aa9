/**
 * Concurrent requests for one object: captures, refunds, the deadline, statuses. One succeeds, the
 * others get the error of the specification, and the database is sound.
 */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type Customer, openShop } from '#test/e2e/shop.ts'
import { assertSound, faultsOfLog, untilQuiet } from '#test/support/inspection/oracle.ts'
import type { Answer } from '#test/support/world.ts'

const deep = process.env['TEST_DEEP'] === '1'
const ROUNDS = deep ? 1_000 : 12
/** The races in which no message goes over the wire are simpler; fewer of them show as much. */
const STATUS_ROUNDS = ROUNDS / 4
/** Orders whose deadline is passed by one move of the clock. */
const SHARE = 20
const RACERS = 8
/** Races that are run at once; within each all racers start together. */
const AT_ONCE = 3
const TOTAL = '100.50'

const shop = await openShop({ settings: { capture_window_days: 1, token_minutes: 60 } })
shop.sweeper.start()
after(() => shop[Symbol.asyncDispose]())
const customers = await Promise.all(Array.from({ length: 4 }, () => shop.customer(10n ** 10n)))

const numbered = (count: number) => Array.from({ length: count }, (_, at) => at)

/** Runs `work` for each item, a few at a time, in order of the items. */
async function inTurn<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, at: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const left = items.entries()
  const lane = async () => {
    for (const [at, item] of left) results[at] = await work(item, at)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return results
}

const customerOf = (at: number): Customer => {
  const customer = customers[at % customers.length]
  assert.ok(customer)
  return customer
}
const openOrders = (count: number): Promise<Answer['body'][]> =>
  inTurn(numbered(count), RACERS, (at) => shop.order(customerOf(at), { total: TOTAL }))

const capture = ({ reference }: Answer['body']) =>
  shop.call('POST', `/orders/${reference}/capture/`)
const refund = ({ reference }: Answer['body']) =>
  shop.call('POST', `/orders/${reference}/refund/`, { total: TOTAL, currency: 'AED' })

/** `n` requests for each of `actions`, started together and mixed. */
const race = (actions: (() => Promise<Answer>)[]): Promise<Answer[]> =>
  Promise.all(numbered(RACERS / actions.length).flatMap(() => actions.map((action) => action())))

const won = ({ status, body }: Answer) => status === 200 && body.status !== 'FAILURE'

/** Winners, and that every other has the status of a loser. */
function winnersOf(answers: readonly Answer[], losers: number): Answer[] {
  for (const answer of answers) {
    if (!won(answer)) assert.equal(answer.status, losers, answer.text)
  }
  return answers.filter(won)
}

const kindOf = ({ body }: Answer): string => body.type ?? body.status

describe(`${RACERS} racers for each of ${ROUNDS}`, () => {
  test('capture and capture: one captures, then refund and refund: one refunds', async () => {
    await inTurn(await openOrders(ROUNDS), AT_ONCE, async (order) => {
      const captures = winnersOf(await race([() => capture(order)]), 406)
      assert.deepEqual(captures.map(kindOf), ['CAPTURE'])
      const refunds = winnersOf(await race([() => refund(order)]), 406)
      assert.deepEqual(refunds.map(kindOf), ['REFUND'])
    })
    await assertSound(shop.db)
  })

  test('capture and refund: one captures, and one refunds at most', async () => {
    const refunded = await inTurn(await openOrders(ROUNDS / 2), AT_ONCE, async (order) => {
      const answers = await race([() => refund(order), () => capture(order)])
      const kinds = winnersOf(answers, 406).map(kindOf).toSorted()
      assert.ok(['CAPTURE', 'CAPTURE,REFUND'].includes(kinds.join()), kinds.join())
      return kinds.length > 1
    })
    assert.ok(refunded.includes(true) || ROUNDS < 10, 'the race was never open')
    await assertSound(shop.db)
  })

  test('capture and deadline: each order is captured or given back', async () => {
    const ends: string[] = []
    for (let share = 0; share < ROUNDS / 4; share += SHARE) {
      const orders = await openOrders(SHARE)
      await moveClock('PT23H59M')
      await shop.signIn()
      // A request keeps the instant at which it came, so they come before, during and after.
      const answers = await inTurn(orders, AT_ONCE, async (order, at) => {
        const captures = numbered(RACERS - 1).map(() => capture(order))
        if (at === Math.floor(SHARE / 2)) await moveClock('PT2M')
        return Promise.all(captures)
      })
      await untilQuiet(shop.db)
      await shop.sweeper.runDueJobs(shop.tenant.id)
      for (const [at, { order_id }] of orders.entries()) {
        ends.push(await endOf(order_id, answers[at] ?? []))
      }
    }
    assert.deepEqual([...new Set(ends)].toSorted(), ['captured', 'given back'])
    await untilQuiet(shop.db)
    await assertSound(shop.db)
  })

  test('activating and terminating a card: each happens once at most, and it ends', async () => {
    const cards = await inTurn(numbered(STATUS_ROUNDS), RACERS, newCard)
    await inTurn(cards, AT_ONCE, async (card) => {
      const move = (status: string, status_reason_code: string) => () =>
        shop.request('PUT', `/v1/cards/${card.id}:statuschange`, { status, status_reason_code })
      const answers = await race([move('ACTIVE', 'a0'), move('TERMINATED', 'T0')])
      const kinds = winnersOf(answers, 409).map(kindOf).toSorted()
      assert.ok(['TERMINATED', 'ACTIVE,TERMINATED'].includes(kinds.join()), kinds.join())
    })
    await assertSound(shop.db)
  })

  test('suspending and reactivating a user: one after the other', async () => {
    const users = await inTurn(numbered(STATUS_ROUNDS), RACERS, () =>
      make('/v1/users', { first_name: 'Omar', last_name: 'Haddad' }),
    )
    await inTurn(users, AT_ONCE, async ({ id }) => {
      const move = (status: string, status_reason_code: string) => () =>
        shop.request('PUT', `/v1/users/${id}:changeStatus`, { status, status_reason_code })
      const [suspend, activate] = [move('SUSPENDED', 'S0'), move('ACTIVE', 'A0')]
      assert.equal(winnersOf(await race([suspend]), 409).length, 1)
      assert.equal(winnersOf(await race([activate]), 409).length, 1)
      const kinds = winnersOf(await race([suspend, activate]), 409).map(kindOf)
      const suspended = kinds.filter((kind) => kind === 'SUSPENDED').length
      const now = (await shop.request('GET', `/v1/users/${id}`)).body.status
      assert.equal(2 * suspended - kinds.length, now === 'SUSPENDED' ? 1 : 0)
    })
    await assertSound(shop.db)
  })
})

async function moveClock(advance: string): Promise<void> {
  const { status, text } = await shop.request('PUT', '/v1/simulate/clock', { advance })
  assert.equal(status, 200, text)
}

/** The outcome of an order for which captures raced the deadline. */
async function endOf(id: string, answers: readonly Answer[]): Promise<'captured' | 'given back'> {
  for (const { status, text } of answers) assert.ok(status === 200 || status === 406, text)
  const { released } = await shop.db
    .selectFrom('orders')
    .select('released')
    .where('tenant_id', '=', shop.tenant.id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  assert.equal(answers.filter(won).length, released ? 0 : 1)
  return released ? 'given back' : 'captured'
}

async function make(path: string, fields: object): Promise<Answer['body']> {
  const { status, body, text } = await shop.request('POST', path, fields)
  assert.equal(status, 200, text)
  return body
}

async function newCard(): Promise<Answer['body']> {
  const { card_id } = customerOf(0)
  const { user_id, card_product_id } = (await shop.request('GET', `/v1/cards/${card_id}`)).body
  return make('/v1/cards', { user_id, card_product_id, card_type: 'PHYSICAL' })
}

test('nothing of this was logged as an error', () => {
  assert.deepEqual(faultsOfLog(shop.logged), [])
})

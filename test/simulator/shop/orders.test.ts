/**
 * Orders of a shop over two processes, with captures in parts and refunds that race, lost messages
 * and answers, and processes that end between statements: the shop's belief agrees with the order,
 * the issuer's books and the payouts once all is quiet. ORDERS=… runs so many rounds, ORDER=… runs
 * one again and prints its story.
 */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabase } from '#kit/db/database.ts'
import { USUAL_ROLE } from '#kit/db/security/program_role.ts'
import { openShop } from '#test/e2e/shop.ts'
import { chances, SEED } from '#test/support/chances.ts'
import { assertSound } from '#test/support/inspection/oracle.ts'
import { payOut } from '#test/support/network/payouts.ts'
import { unequal } from '../books.ts'
import { FEES } from './order_belief.ts'
import { lookAt, paidOut } from './shop_books.ts'
import { ShopRound } from './shop_round.ts'
import type { Way } from './simulated_link.ts'

const USUAL = process.env['TEST_DEEP'] === '1' ? 5_000 : 20
const ROUNDS = Number(process.env['ORDERS'] ?? USUAL)
const ONE = process.env['ORDER']
const PROCESSES = 2
const CONNECTIONS = 4
const FUNDS = 100_000_000n
/** The number of stories that are printed. */
const STORIES = 3

const fee = { percent: Number(FEES.percent), fixed: Number(FEES.fixed) / 100 }
const fees = [{ currency: 'AED', ...fee, refund_fee: Number(FEES.refund) / 100 }]
const shop = await openShop({ settings: { partial_captures: true, token_minutes: 60, fees } })
const opened = Array.from({ length: PROCESSES }, () =>
  openDatabase(shop.url, CONNECTIONS, { role: USUAL_ROLE }),
)
after(async () => {
  for (const { close } of opened) await close()
  await shop[Symbol.asyncDispose]()
})
const databases = opened.map(({ db }) => db)
const customer = await shop.customer(FUNDS)

/** Runs one round; returns its faults and the sums of its orders. */
async function run(seed: number, lose?: [Way]) {
  const round = new ShopRound(shop, databases, seed, lose)
  const before = await shop.account(customer)
  const faults: string[] = []
  try {
    await round.run(customer)
  } catch (error) {
    faults.push(`the simulation failed: ${error instanceof Error ? error.stack : String(error)}`)
  }
  const looked = []
  for (const one of round.bought) looked.push(await lookAt(shop, one))
  faults.push(...looked.flatMap((one) => one.faults))
  const all = looked.map(({ sums }) => sums)
  const sum = (of: 'paid' | 'held') => all.reduce((added, one) => added + one[of], 0n)
  const { balance, held } = await shop.account(customer)
  faults.push(...unequal('paid', sum('paid'), before.balance - balance))
  faults.push(...unequal('held', sum('held'), held - before.held))
  await round.close()
  const { story } = round.schedule
  return { faults, sums: all, story: story.filter((line) => line !== '…') }
}

test(`the orders of ${ROUNDS} rounds end as the shop believes`, async (t) => {
  const wrong: string[] = []
  const believed = { captured: 0n, refunded: 0n, fees: 0n }
  let [count, orders] = [0, 0]
  const first = Number(ONE ?? Math.floor(chances(SEED)() * 1e6))
  for (let seed = first; seed < first + (ONE ? 1 : ROUNDS); seed += 1) {
    const { faults, sums, story } = await run(seed)
    orders += sums.length
    for (const one of sums) {
      believed.captured += one.captured
      believed.refunded += one.refunded
      believed.fees += one.fees
    }
    const lines = [`round ${seed}: ${faults.join('; ')}`, ...story, `ORDER=${seed} runs it again`]
    if (ONE) t.diagnostic(lines.join('\n  '))
    if (faults.length === 0) continue
    count += 1
    if (wrong.length < STORIES) wrong.push(lines.join('\n  '))
  }
  t.diagnostic(`${orders} orders`)
  assert.equal(count, 0, `${count} of ${ROUNDS} rounds are wrong\n${wrong.join('\n')}`)
  await payOut(shop, shop.tenant.id, shop.merchant.id)
  assert.deepEqual(await paidOut(shop), believed)
  await assertSound(shop.db)
})

test('an approval that the issuer never gave is found out', async () => {
  const found: string[] = []
  for (let seed = 1; seed <= 20 && found.length === 0; seed += 1) {
    found.push(...(await run(seed, ['made up'])).faults)
  }
  assert.ok(found.length > 0)
})

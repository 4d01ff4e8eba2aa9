/** Refunds and credits in races, after reversals, and under the limits of a product. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { auditLedger } from '#issuing/ledger/ledger.ts'
import { auditTransactions } from '#issuing/transactions/transactions.ts'
import { ofTenant } from '#kit/audit.ts'
import { PROFILES } from '#src/program/modes/profiles.ts'
import { about, purchase, type TestMessage } from '#test/support/desk.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { openSecondEngine } from '#test/support/processes/second_engine.ts'
import { openWorld } from '#test/support/world.ts'
import { Engine } from '../authorization.ts'

const keep = keeper()
const world = keep(await openWorld())
const issuer = await openIssuer(world)
const second = keep(openSecondEngine(world))
const other = second.engine
const live = new Engine({ ...world.services, profile: PROFILES.live })

const RACERS = 8
const ask = (request: TestMessage, by: Engine = world.engine) =>
  by.submit(world.tenant.id, { request })
const race = (make: () => TestMessage) =>
  Promise.all(
    Array.from({ length: RACERS }, (_, at) => ask(make(), at % 2 === 0 ? world.engine : other)),
  )
const credit = (card: { card_id: string }, amount: bigint, processing_code = '200000') =>
  purchase(card, amount, { message_type: '0200', processing_code })
const codes = (answers: readonly { status_code: string }[]) =>
  answers.map(({ status_code }) => status_code).toSorted()
const booksAreInOrder = async () => {
  assert.deepEqual(await auditLedger(world.db), [])
  assert.deepEqual(await auditTransactions(world.db, ofTenant(world.tenant.id)), [])
}

describe('refunds of one purchase', () => {
  test(`${RACERS} of all of it at once, in two processes: one is credited`, async () => {
    for (let round = 0; round < 5; round++) {
      const card = await issuer.card(100)
      const sale = purchase(card, 4_000n, { message_type: '0200' })
      await ask(sale)
      const answers = await race(() =>
        about(sale, { message_type: '0200', processing_code: '200000' }),
      )
      assert.deepEqual(codes(answers), ['0000', ...Array(RACERS - 1).fill('1854')])
      assert.equal((await issuer.account(card.account_id)).balance, 100)
    }
    await booksAreInOrder()
  })

  test('one that got no answer, its reversal, and another: credited once', async () => {
    const card = await issuer.card(100)
    const sale = purchase(card, 4_000n)
    await ask(sale)
    await ask(about(sale, { message_type: '0220' }))
    const refund = () => about(sale, { message_type: '0200', processing_code: '200000' })
    const lost = refund()
    await ask(lost)
    const early = await ask(refund(), other)
    assert.equal(early.status_code, '1854', 'before the reversal there is nothing left')
    await ask(about(lost, { message_type: '0420', processing_code: '200000' }))
    assert.equal((await ask(refund(), other)).status_code, '0000')
    assert.equal((await issuer.account(card.account_id)).balance, 100)
    await booksAreInOrder()
  })
})

test('a declined refund under the reference of a purchase is no decline of the purchase', async () => {
  const card = await issuer.card(100, { unlinked_credit_max_amount: 10 })
  const sale = purchase(card, 4_000n, { message_type: '0220' })
  const { rrn = '' } = sale
  const refund = purchase(card, 4_000n, {
    message_type: '0200',
    processing_code: '200000',
    rrn,
  })
  assert.deepEqual(codes([await ask(refund), await ask(sale, other)]), ['1857', '1896'])
  assert.equal((await issuer.account(card.account_id)).balance, 60)
  await booksAreInOrder()
})

describe('credits without a purchase', () => {
  const limits = { unlinked_credit_max_amount: 50, unlinked_credit_max_daily_amount: '120.00' }

  test('add up to the limit of the day and no more, however they race', async () => {
    const card = await issuer.card(1, limits)
    const answers = await race(() => credit(card, 4_000n))
    assert.deepEqual(codes(answers), [...Array(3).fill('0000'), ...Array(5).fill('1897')])
    assert.equal((await issuer.account(card.account_id)).balance, 121)
    assert.deepEqual(codes([await ask(credit(card, 5_001n))]), ['1896'])
    await booksAreInOrder()
  })

  test('that were reversed leave room, and the limits count in all processes', async () => {
    const card = await issuer.card(1, limits)
    const first = credit(card, 5_000n)
    await ask(first)
    await ask(credit(card, 5_000n, '260000'), other)
    assert.deepEqual(codes([await ask(credit(card, 5_000n))]), ['1897'])
    await ask(about(first, { message_type: '0420' }), other)
    assert.deepEqual(codes([await ask(credit(card, 5_000n, '210000'))]), ['0000'])
  })

  test('in live none is allowed until the product allows it, and in sandbox any is', async () => {
    const card = await issuer.card(1, {})
    assert.deepEqual(codes([await ask(credit(card, 1n), live)]), ['1896'])
    assert.deepEqual(codes([await ask(credit(card, 999_999_999_999n))]), ['0000'])
    const allowed = await issuer.card(1, limits)
    assert.deepEqual(codes([await ask(credit(allowed, 5_000n), live)]), ['0000'])
    const sale = purchase(card, 100n, { message_type: '0200' })
    await ask(sale, live)
    const refund = about(sale, { message_type: '0200', processing_code: '200000' })
    assert.deepEqual(codes([await ask(refund, live)]), ['0000'], 'of a purchase it always is')
  })

  test('follow the product at once: null clears a limit', async () => {
    const card = await issuer.card(1, limits)
    const { card_product_id } = (await issuer.call('GET', `/v1/cards/${card.card_id}`)).body
    const path = `/v1/cardproducts/${card_product_id}`
    assert.partialDeepStrictEqual((await issuer.call('GET', path)).body, {
      unlinked_credit_max_amount: 50,
      unlinked_credit_max_daily_amount: 120,
    })
    const cleared = await issuer.call('PUT', path, { unlinked_credit_max_amount: null })
    assert.equal('unlinked_credit_max_amount' in cleared.body, false)
    assert.equal(cleared.body.unlinked_credit_max_daily_amount, 120)
    assert.deepEqual(codes([await ask(credit(card, 12_000n))]), ['0000'])
    const bad = await issuer.call('PUT', path, {
      unlinked_credit_max_amount: 1.005,
      unlinked_credit_max_daily_amount: -1,
    })
    assert.equal(bad.status, 400)
  })
})

/**
 * Refunds add up to their purchase at most, and credits without one have limits (D-313 to D-315).
 */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { about, Desk, nameOf, purchase, type TestMessage } from '#test/support/desk.ts'

function open(balance = 10_000n, fields: object = {}) {
  const desk = new Desk()
  const { id } = desk.addAccount(balance)
  return { desk, id, card: desk.addCard(id, fields) }
}

/** A sale of 500 that is posted, and its card. */
function sold(fields: Partial<TestMessage> = {}) {
  const world = open()
  const sale = purchase(world.card, 500n, { message_type: '0200', ...fields })
  const bought = world.desk.ask(sale)
  return { ...world, sale, bought }
}

const REFUND = '200000'
const back = (sale: TestMessage, amount: bigint, fields: Partial<TestMessage> = {}): TestMessage =>
  about(sale, { message_type: '0200', processing_code: REFUND, amount, ...fields })

const byId = ({ transaction_id }: { transaction_id: string }) => ({ original: { transaction_id } })
const byDe90 = (sale: TestMessage, rrn: string) => ({
  original: { message_key: nameOf(sale), rrn },
})
const byReference = ({ rrn = '' }: TestMessage) => ({ original: { rrn } })

describe('refunds of one purchase', () => {
  const namings = [
    ['its id', ({ bought }: ReturnType<typeof sold>) => byId(bought)],
    ['DE90', ({ sale }: ReturnType<typeof sold>) => byDe90(sale, 'REFUNDREF001')],
    ['the retrieval reference', ({ sale }: ReturnType<typeof sold>) => byReference(sale)],
  ] as const
  for (const [what, naming] of namings) {
    test(`by ${what}: a credit above the purchase is declined whole (1854)`, () => {
      const world = sold()
      const { desk, id, sale, bought } = world
      const codes = [300n, 201n, 200n, 1n].map((amount) => {
        return desk.ask(back(sale, amount, naming(world))).status_code
      })
      assert.deepEqual(codes, ['0000', '1854', '0000', '1854'])
      assert.equal(desk.row(bought).refunded_amount, 500n)
      assert.equal(desk.account(id).balance, 10_000n)
    })
  }

  test('in one batch, eight in full: one is credited', () => {
    const { desk, id, sale } = sold()
    const answers = desk.decide(...Array.from({ length: 8 }, () => back(sale, 500n)))
    assert.equal(answers.filter(({ approved }) => approved).length, 1)
    assert.equal(desk.account(id).balance, 10_000n)
  })

  for (const fields of [
    { message_type: '0120', advised_approval: { approved: true } },
    { message_type: '0220' },
  ] as const) {
    test(`${fields.message_type} of too much is recorded as 1854 and not posted`, () => {
      const { desk, id, sale, bought } = sold()
      const outcome = desk.ask(back(sale, 501n, fields))
      assert.partialDeepStrictEqual(desk.row(outcome), {
        status: 'DECLINED',
        status_code: '1854',
        reference_transaction_id: bought.transaction_id,
      })
      assert.equal(desk.account(id).balance, 9_500n)
    })
  }

  test('one that is reversed may be made again', () => {
    const { desk, id, sale } = sold()
    const first = back(sale, 500n)
    desk.ask(first)
    desk.ask(about(first, { message_type: '0420', processing_code: REFUND }))
    assert.equal(desk.ask(back(sale, 500n)).status_code, '0000')
    assert.equal(desk.account(id).balance, 10_000n)
  })

  test('of what is held and not cleared: 1854', () => {
    const { desk, sale } = sold({ message_type: '0100' })
    assert.equal(desk.ask(back(sale, 1n)).status_code, '1854')
    desk.ask(about(sale, { message_type: '0220', amount: 200n }))
    assert.equal(desk.ask(back(sale, 201n)).status_code, '1854')
    assert.equal(desk.ask(back(sale, 200n)).status_code, '0000')
  })

  test('of a reversed one: 1894', () => {
    const { desk, id, sale } = sold()
    desk.ask(about(sale, { message_type: '0400' }))
    assert.equal(desk.ask(back(sale, 1n)).status_code, '1894')
    assert.equal(desk.account(id).balance, 10_000n)
  })

  test('the presentment of a declined refund credits no more than is left', () => {
    const { desk, id, sale } = sold()
    const refund = back(sale, 501n, { message_type: '0100' })
    desk.ask(refund)
    const presented = desk.ask(about(refund, { message_type: '0220' }))
    assert.equal(desk.row(presented).status_code, '1854')
    assert.equal(desk.account(id).balance, 9_500n)
  })
})

describe('a refund that names a purchase', () => {
  const absent = '00000003-0000-7000-8000-999999999999'
  const isDeclined = (outcome: { transaction_id: string }, desk: Desk, code: string) =>
    assert.partialDeepStrictEqual(desk.row(outcome), {
      status: 'DECLINED',
      status_code: code,
      transaction_type: 'REFUND',
    })

  test('which is not there: 9114, and no credit by accident', () => {
    const { desk, id, card, sale } = sold()
    const lost = purchase(card, 500n)
    for (const original of [{ transaction_id: absent }, byDe90(lost, 'R').original]) {
      isDeclined(desk.ask(back(sale, 1n, { original })), desk, '9114')
    }
    assert.equal(desk.account(id).balance, 9_500n)
  })

  test('of another card: 9114, on the same account too', () => {
    const { desk, id, sale, bought } = sold()
    const other = desk.addCard(id)
    const foreign = desk.addCard(desk.addAccount(0n).id)
    for (const card of [other, foreign]) {
      for (const naming of [byId(bought), byDe90(sale, 'R')]) {
        isDeclined(desk.ask(purchase(card, 1n, { ...naming, ...refund0200 })), desk, '9114')
      }
    }
    assert.equal(desk.account(foreign.account_id).balance, 0n)
    assert.equal(desk.row(bought).refunded_amount, 0n)
  })

  test('that is a refund itself: 1858', () => {
    const { desk, sale } = sold()
    const refund = back(sale, 100n)
    desk.ask(refund)
    isDeclined(desk.ask(back(refund, 1n, byDe90(refund, 'R'))), desk, '1858')
  })

  test('which is not there: its presentment is not posted either (9115)', () => {
    const { desk, id, card, sale } = sold()
    const lost = byDe90(purchase(card, 500n), 'REFUNDREF001')
    const refund = back(sale, 100n, { message_type: '0100', ...lost })
    isDeclined(desk.ask(refund), desk, '9114')
    isDeclined(desk.ask(about(refund, { message_type: '0220' })), desk, '9115')
    assert.equal(desk.account(id).balance, 9_500n)
  })
})

const refund0200 = { message_type: '0200', processing_code: REFUND } as const

describe('a credit without a purchase', () => {
  const codes = ['20', '21', '22', '26', '28'].map((code) => `${code}0000`)
  const limits = { unlinked_credit_max_amount: 100n, unlinked_credit_max_daily_amount: 250n }

  for (const processing_code of codes) {
    for (const fields of [
      { message_type: '0200' },
      { message_type: '0100' },
      { message_type: '0220' },
      { message_type: '0120', advised_approval: { approved: true } },
    ] as const) {
      test(`${processing_code} by ${fields.message_type} is bounded, each and in a day`, () => {
        const { desk, id, card } = open(0n, limits)
        const ask = (amount: bigint) =>
          desk.ask(purchase(card, amount, { ...fields, processing_code }))
        const outcome = [101n, 100n, 100n, 51n, 50n, 1n].map((amount) => desk.row(ask(amount)))
        assert.deepEqual(
          outcome.map(({ status_code }) => status_code),
          ['1896', '0000', '0000', '1897', '0000', '1897'],
        )
        assert.equal(desk.account(id).balance, 250n)
        desk.wait(1)
        assert.equal(ask(100n).status_code, '0000', 'another day')
      })
    }
  }

  test('is declined wherever none is allowed, and any amount is fine where all are', () => {
    const none = { unlinked_credit_max_amount: 0n, unlinked_credit_max_daily_amount: 0n }
    const { desk, card } = open(0n, none)
    assert.equal(desk.ask(purchase(card, 1n, refund0200)).status_code, '1896')
    const any = open(0n)
    const outcome = any.desk.ask(purchase(any.card, 999_999_999_999n, refund0200))
    assert.equal(outcome.status_code, '0000')
  })

  test('counts for its card alone, and not where a purchase is refunded', () => {
    const { desk, id, card } = open(10_000n, limits)
    const other = desk.addCard(id, limits)
    const sale = purchase(card, 500n, { message_type: '0200' })
    desk.ask(sale)
    assert.equal(desk.ask(back(sale, 500n)).status_code, '0000')
    for (const one of [card, other]) {
      for (const amount of [100n, 100n, 50n]) {
        assert.equal(desk.ask(purchase(one, amount, refund0200)).status_code, '0000')
      }
      assert.equal(desk.ask(purchase(one, 1n, refund0200)).status_code, '1897')
    }
  })

  test('no longer counts when it is reversed, all of it or a part', () => {
    const { desk, card } = open(0n, { unlinked_credit_max_daily_amount: 100n })
    const first = purchase(card, 100n, refund0200)
    desk.decide(first, about(first, { message_type: '0420', reverse_amount: 40n }))
    assert.equal(desk.ask(purchase(card, 41n, refund0200)).status_code, '1897')
    assert.equal(desk.ask(purchase(card, 40n, refund0200)).status_code, '0000')
  })

  test('counts for the day of the tenant: midnight of its time zone', () => {
    const { desk, card } = open(0n, { unlinked_credit_max_daily_amount: 100n })
    desk.settings = { ...desk.settings, time_zone: 'Asia/Dubai' }
    const at = (now: string) => {
      desk.now = new Date(now)
      return desk.ask(purchase(card, 100n, refund0200)).status_code
    }
    assert.equal(at('2026-06-12T19:59:59.999Z'), '0000')
    assert.equal(at('2026-06-12T20:00:00.000Z'), '0000')
    assert.equal(at('2026-06-13T19:59:59.999Z'), '1897')
  })

  test('its own presentment moves nothing and is not counted again', () => {
    const { desk, id, card } = open(0n, { unlinked_credit_max_daily_amount: 100n })
    const first = purchase(card, 100n, { processing_code: '260000' })
    desk.ask(first)
    assert.equal(desk.ask(about(first, { message_type: '0220' })).status_code, '0000')
    assert.equal(desk.account(id).balance, 100n)
  })
})

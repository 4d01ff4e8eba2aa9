import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { about, Desk, purchase, type TestMessage } from '#test/support/desk.ts'

function open(balance = 10_000n, card: object = {}) {
  const desk = new Desk()
  const { id } = desk.addAccount(balance)
  return { desk, id, card: desk.addCard(id, card) }
}

const clearing = (first: TestMessage, amount: bigint, fields: Partial<TestMessage> = {}) =>
  about(first, { message_type: '0220', amount, ...fields })

describe('0220', () => {
  test('of the whole hold: settled, and the money has left to the network', () => {
    const { desk, id, card } = open()
    const first = purchase(card, 800n)
    const held = desk.ask(first)
    const answer = desk.ask(clearing(first, 800n))
    assert.partialDeepStrictEqual(answer, {
      transaction_id: held.transaction_id,
      status_code: '0000',
      approved: true,
    })
    assert.partialDeepStrictEqual(desk.row(held), {
      status: 'SETTLED',
      cleared_amount: 800n,
      hold_expires: null,
    })
    assert.partialDeepStrictEqual(desk.account(id), { balance: 9_200n, held: 0n })
    assert.deepEqual(
      desk.transfers.map(({ kind, debit_account_id, amount }) => [kind, debit_account_id, amount]),
      [['CLEARING', id, 800n]],
    )
  })

  test('below the hold: the rest stays held for the days of the tenant, then is let go', () => {
    const { desk, id, card } = open()
    const first = purchase(card, 800n)
    const held = desk.ask(first)
    desk.ask(clearing(first, 300n))
    assert.partialDeepStrictEqual(desk.row(held), {
      status: 'PENDING',
      cleared_amount: 300n,
      hold_expires: new Date('2026-07-12T10:00:00.000Z'),
    })
    assert.equal(desk.row(held).held, 500n)
    assert.partialDeepStrictEqual(desk.account(id), { balance: 9_700n, held: 500n })
    desk.wait(29)
    assert.equal(desk.account(id).held, 500n)
    desk.wait(1)
    assert.partialDeepStrictEqual(desk.row(held), { status: 'SETTLED', hold_expires: null })
    assert.equal(desk.row(held).events.at(-1)?.type, 'RELEASED')
    assert.equal(desk.events.at(-1)?.event, 'TRANSACTION')
    assert.equal(desk.account(id).held, 0n)
  })

  test('in several parts, until all is claimed', () => {
    const { desk, id, card } = open()
    const first = purchase(card, 800n)
    const held = desk.ask(first)
    for (const part of [300n, 300n, 200n]) desk.ask(clearing(first, part))
    assert.partialDeepStrictEqual(desk.row(held), { status: 'SETTLED', cleared_amount: 800n })
    assert.equal(desk.row(held).events.filter(({ type }) => type === 'CLEARED').length, 3)
    assert.partialDeepStrictEqual(desk.account(id), { balance: 9_200n, held: 0n })
  })

  for (const [tolerance, amount, code] of [
    [15, 1_000n, '0000'],
    [15, 1_150n, '0000'],
    [15, 1_151n, '1855'],
    [0, 1_000n, '0000'],
    [0, 1_001n, '1854'],
  ] as const) {
    test(`${amount} for a hold of 1000 with ${tolerance} % of tolerance: ${code}, and posted`, () => {
      const { desk, id, card } = open(10_000n, { clearing_tolerance_percent: tolerance })
      const first = purchase(card, 1_000n)
      const held = desk.ask(first)
      const answer = desk.ask(clearing(first, amount))
      assert.partialDeepStrictEqual(answer, { status_code: code, approved: true, amount })
      const { status, status_code, cleared_amount } = desk.row(held)
      assert.deepEqual([status, status_code, cleared_amount], ['SETTLED', code, amount])
      assert.partialDeepStrictEqual(desk.account(id), { balance: 10_000n - amount, held: 0n })
    })
  }

  test('parts that are above the hold together are reported, and posted beyond the funds', () => {
    const { desk, id, card } = open(1_000n)
    const first = purchase(card, 1_000n)
    desk.ask(first)
    assert.equal(desk.ask(clearing(first, 900n)).status_code, '0000')
    assert.equal(desk.ask(clearing(first, 900n)).status_code, '1855')
    assert.partialDeepStrictEqual(desk.account(id), { balance: -800n, held: 0n, floor: -800n })
  })

  test('after a partial reversal only what stays is authorized', () => {
    const { desk, card } = open(10_000n, { clearing_tolerance_percent: 0 })
    const first = purchase(card, 1_000n)
    desk.ask(first)
    desk.ask(about(first, { message_type: '0420', remaining_amount: 600n }))
    assert.equal(desk.ask(clearing(first, 601n)).status_code, '1854')
  })

  test('without an original: posted as the scheme obliges (1857)', () => {
    const { desk, id, card } = open(100n)
    const answer = desk.ask(purchase(card, 300n, { message_type: '0220' }))
    assert.partialDeepStrictEqual(answer, { status_code: '1857', approved: true, amount: 300n })
    assert.partialDeepStrictEqual(desk.row(answer), {
      status: 'SETTLED',
      status_code: '1857',
      cleared_amount: 300n,
    })
    assert.deepEqual(desk.refusedBy(answer), ['original', '1857'])
    assert.partialDeepStrictEqual(desk.account(id), { balance: -200n, floor: -200n })
  })

  test('another without an original is no part of the one before it', () => {
    const { desk, id, card } = open()
    const first = purchase(card, 300n, { message_type: '0220' })
    const one = desk.ask(first)
    const { rrn = '' } = first
    const other = desk.ask(purchase(card, 300n, { message_type: '0220', rrn }))
    assert.deepEqual([one.status_code, other.status_code], ['1857', '1857'])
    assert.notEqual(one.transaction_id, other.transaction_id)
    assert.equal(desk.account(id).balance, 9_400n)
  })

  test('with another approval code than its original is without one', () => {
    const { desk, card } = open()
    const first = purchase(card, 300n)
    desk.ask(first)
    const { rrn = '' } = first
    const original = { rrn, approval_code: 'OTHER1' }
    assert.equal(desk.ask(clearing(first, 300n, { original })).status_code, '1857')
  })

  test('of a declined one: 9115, posted all the same', () => {
    const { desk, id, card } = open(100n)
    const first = purchase(card, 300n)
    const declined = desk.ask(first)
    const answer = desk.ask(clearing(first, 300n))
    assert.partialDeepStrictEqual(answer, { status_code: '9115', approved: true })
    assert.partialDeepStrictEqual(desk.row(answer), {
      status: 'SETTLED',
      status_code: '9115',
      cleared_amount: 300n,
      reference_transaction_id: declined.transaction_id,
      events: [{ type: 'CLEARED', status_code: '9115' }],
    })
    const detail = `posted against ${declined.transaction_id}, which was declined`
    const trace = [['original', detail, '9115']]
    assert.deepEqual(desk.row(answer).trace, trace)
    assert.equal(desk.account(id).balance, -200n)
  })

  test('under the reference of a declined refund alone: posted (1857), and 9115 by its DE90', () => {
    const { desk, id, card } = open(100n)
    const refund = purchase(card, 50n, { processing_code: '200000', late: true })
    const { rrn = '' } = refund
    assert.equal(desk.ask(refund).status_code, '1889')
    const answer = desk.ask(purchase(card, 30n, { message_type: '0220', rrn }))
    assert.partialDeepStrictEqual(answer, { status_code: '1857', approved: true })
    const named = clearing(refund, 30n, { processing_code: '000000' })
    assert.equal(desk.ask(named).status_code, '9115')
    assert.equal(desk.account(id).balance, 40n)
  })

  test('of a reversed one: 1894, posted all the same', () => {
    const { desk, id, card } = open()
    const first = purchase(card, 300n)
    desk.ask(first)
    desk.ask(about(first, { message_type: '0400' }))
    const answer = desk.ask(clearing(first, 300n))
    assert.partialDeepStrictEqual(answer, { status_code: '1894', approved: true })
    assert.equal(desk.row(answer).status, 'SETTLED')
    assert.equal(desk.account(id).balance, 9_700n)
    assert.equal(desk.ask(about(first, { message_type: '0420' })).status_code, '1894')
    assert.equal(desk.account(id).balance, 9_700n)
  })

  for (const [what, fields, code] of [
    ['of another type', { processing_code: '010000' }, '1858'],
    ['of another currency', { currency: 'USD' }, '1858'],
    ['of no amount', { amount: 0n }, '1010'],
    ['of no type', { processing_code: '990000' }, '1888'],
  ] as const) {
    test(`${what}: ${code}, recorded and not posted`, () => {
      const { desk, id, card } = open()
      const first = purchase(card, 300n)
      desk.ask(first)
      const answer = desk.ask(clearing(first, 300n, fields))
      assert.partialDeepStrictEqual(desk.row(answer), { status: 'DECLINED', status_code: code })
      assert.partialDeepStrictEqual(desk.account(id), { balance: 10_000n, held: 300n })
    })
  }

  test('in a currency without a rate and without an original: 1888, recorded and not posted', () => {
    const { desk, id, card } = open()
    const answer = desk.ask(purchase(card, 1n, { message_type: '0220', currency: 'USD' }))
    assert.equal(desk.row(answer).status_code, '1888')
    assert.equal(desk.account(id).balance, 10_000n)
  })

  test('of a financial request, which has posted its own money: 1858', () => {
    const { desk, id, card } = open()
    const first = purchase(card, 300n, { message_type: '0200' })
    desk.ask(first)
    assert.equal(desk.ask(clearing(first, 300n)).status_code, '1858')
    assert.equal(desk.account(id).balance, 9_700n)
  })

  test('of an expired hold still posts', () => {
    const { desk, id, card } = open()
    const first = purchase(card, 300n)
    const held = desk.ask(first)
    desk.wait(7)
    assert.equal(desk.row(held).status, 'EXPIRED')
    assert.equal(desk.ask(clearing(first, 300n)).status_code, '0000')
    assert.partialDeepStrictEqual(desk.row(held), { status: 'SETTLED', cleared_amount: 300n })
    assert.partialDeepStrictEqual(desk.account(id), { balance: 9_700n, held: 0n })
  })

  test('of a card that is closed since still posts', () => {
    const { desk, id, card } = open()
    const first = purchase(card, 300n)
    desk.ask(first)
    desk.cards.set(card.card_id, { ...card, status: 'TERMINATED', status_reason_code: 'T1' })
    desk.ask(clearing(first, 300n))
    assert.equal(desk.account(id).balance, 9_700n)
  })

  test('of an unknown card or account: 1018 and 1019', () => {
    const desk = new Desk()
    const codes = [undefined, desk.addCard(null)].map(
      (card) => desk.ask(purchase(card, 1n, { message_type: '0220' })).status_code,
    )
    assert.deepEqual(codes, ['1018', '1019'])
  })

  test('that is malformed: recorded with its fault and not posted', () => {
    const { desk, id, card } = open()
    const format_fault = { status_code: '9104', detail: 'DE38 is missing' } as const
    const answer = desk.ask(purchase(card, 1n, { message_type: '0220', format_fault }))
    assert.deepEqual(desk.refusedBy(answer), ['original', '9104'])
    assert.equal(desk.account(id).balance, 10_000n)
  })

  test('in the batch of its authorization', () => {
    const { desk, id, card } = open()
    const first = purchase(card, 300n)
    const [held, cleared] = desk.decide(first, clearing(first, 100n))
    assert.equal(cleared?.transaction_id, held?.transaction_id)
    assert.partialDeepStrictEqual(desk.account(id), { balance: 9_900n, held: 200n })
  })
})

describe('the presentment of a credit', () => {
  const back = { processing_code: '200000' }

  test('without an authorization credits, and each one does', () => {
    const { desk, id, card } = open(0n)
    const first = purchase(card, 50n, { message_type: '0220', ...back })
    desk.ask(first)
    desk.ask(clearing(first, 20n))
    assert.equal(desk.account(id).balance, 70n)
  })

  test('that was posted with its authorization moves nothing, once', () => {
    const { desk, id, card } = open(0n)
    const first = purchase(card, 50n, back)
    const posted = desk.ask(first)
    const presented = desk.ask(clearing(first, 50n))
    assert.equal(presented.transaction_id, posted.transaction_id)
    assert.equal(desk.account(id).balance, 50n)
    assert.deepEqual(
      desk.row(posted).events.map(({ type, message_type }) => [type, message_type]),
      [
        ['CLEARED', '0100'],
        ['CLEARED', '0220'],
      ],
    )
    desk.ask(clearing(first, 50n))
    assert.equal(desk.account(id).balance, 100n, 'a second presentment is another refund')
  })

  test('of a declined authorization credits all the same', () => {
    const { desk, id, card } = open(0n)
    const first = purchase(card, 50n, { ...back, late: true })
    assert.equal(desk.ask(first).status_code, '1889')
    desk.ask(clearing(first, 50n))
    assert.equal(desk.account(id).balance, 50n)
  })

  test('of a reversed authorization: 1894', () => {
    const { desk, id, card } = open(0n)
    const first = purchase(card, 50n, back)
    desk.ask(first)
    desk.ask(about(first, { message_type: '0420' }))
    assert.equal(desk.ask(clearing(first, 50n)).status_code, '1894')
    assert.equal(desk.account(id).balance, 0n)
  })

  test('with the retrieval reference of a purchase is counted there', () => {
    const { desk, card } = open()
    const bought = purchase(card, 500n)
    const held = desk.ask(bought)
    desk.ask(clearing(bought, 500n))
    const answer = desk.ask(clearing(bought, 200n, back))
    assert.equal(desk.row(answer).reference_transaction_id, held.transaction_id)
    assert.equal(desk.row(held).refunded_amount, 200n)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { StoredCharge } from '#issuing/products/schema.ts'
import { about, Desk, purchase } from '#test/support/desk.ts'

const CASH: StoredCharge = { type: 'CASH_WITHDRAWAL', amount: '500', description: 'Cash' }
/** 2.5 per cent. */
const FOREIGN: StoredCharge = { type: 'FOREIGN_CURRENCY', percent: 25_000 }

function open(balance: bigint, charges: StoredCharge[], card: object = {}) {
  const desk = new Desk()
  const { id } = desk.addAccount(balance)
  desk.rates.set('USD|AED', '4')
  return { desk, id, card: desk.addCard(id, { charges, ...card }) }
}
const cash = (card: { card_id: string }, amount: bigint, fields: object = {}) =>
  purchase(card, amount, { processing_code: '010000', message_type: '0200', ...fields })
const taken = ({ charges }: Desk) =>
  charges.map(({ type, amount, taken: isTaken }) => [type, amount, isTaken])

describe('the charge of a cash withdrawal', () => {
  test('is taken with a 0200, in the same batch and beside its amount', () => {
    const { desk, id, card } = open(10_000n, [CASH])
    const answer = desk.ask(cash(card, 3_000n))
    assert.equal(answer.status_code, '0000')
    assert.equal(desk.account(id).balance, 6_500n)
    assert.equal(desk.row(answer).cleared_amount, 3_000n)
    assert.deepEqual(desk.charges, [
      {
        type: 'CASH_WITHDRAWAL',
        amount: 500n,
        currency: 'AED',
        description: 'Cash',
        account_id: id,
        card_id: card.card_id,
        transaction_id: answer.transaction_id,
        forced: false,
        taken: true,
      },
    ])
  })

  test('is part of what the request needs', () => {
    const { desk, card } = open(10_000n, [CASH])
    assert.equal(desk.ask(cash(card, 9_501n)).status_code, '1016')
    assert.equal(desk.ask(cash(card, 9_501n, { message_type: '0100' })).status_code, '1016')
    assert.equal(desk.ask(cash(card, 9_500n)).status_code, '0000')
  })

  test('leaves room in a partial approval', () => {
    const { desk, id, card } = open(10_000n, [CASH], { partial_approval: true })
    const answer = desk.ask(cash(card, 20_000n, { partial_capable: true }))
    assert.partialDeepStrictEqual(answer, { status_code: '0002', amount: 9_500n })
    assert.equal(desk.account(id).balance, 0n)
  })

  test('is not needed and goes below zero where the product lets it', () => {
    const { desk, id, card } = open(10_000n, [CASH], { allow_negative_charges: true })
    assert.equal(desk.ask(cash(card, 10_000n)).status_code, '0000')
    assert.partialDeepStrictEqual(desk.account(id), { balance: -500n, floor: -500n })
  })

  test('is taken with the first clearing of an authorization, a fixed one once', () => {
    const { desk, card } = open(10_000n, [CASH])
    const first = cash(card, 3_000n, { message_type: '0100' })
    desk.ask(first)
    assert.deepEqual(taken(desk), [])
    desk.ask(about(first, { message_type: '0220', amount: 1_000n }))
    desk.ask(about(first, { message_type: '0220', amount: 2_000n }))
    assert.deepEqual(taken(desk), [['CASH_WITHDRAWAL', 500n, true]])
  })

  test('waits where a clearing has left too little, and takes no part of it', () => {
    const { desk, id, card } = open(3_400n, [CASH])
    desk.ask(cash(card, 3_000n, { message_type: '0220' }))
    assert.deepEqual(taken(desk), [['CASH_WITHDRAWAL', 500n, false]])
    assert.equal(desk.account(id).balance, 400n)
  })

  test('is not made for a purchase, nor for a refund', () => {
    const { desk, card } = open(10_000n, [CASH])
    desk.ask(purchase(card, 100n, { message_type: '0200' }))
    desk.ask(purchase(card, 100n, { message_type: '0200', processing_code: '200000' }))
    assert.deepEqual(taken(desk), [])
  })
})

describe('the charge of a foreign currency', () => {
  test('is a percentage of what is posted in the currency of the account, half-even', () => {
    const { desk, id, card } = open(10_000n, [FOREIGN])
    const first = purchase(card, 1_005n, { currency: 'USD' })
    const { transaction_id } = desk.ask(first)
    assert.deepEqual(taken(desk), [])
    desk.ask(about(first, { message_type: '0220', amount: 1_005n }))
    // 2.5 % of 40.20 is 1.005.
    assert.deepEqual(taken(desk), [['FOREIGN_CURRENCY', 100n, true]])
    assert.equal(desk.account(id).balance, 10_000n - 4_020n - 100n)
    assert.equal(desk.charges[0]?.transaction_id, transaction_id)
  })

  test('is part of what the request needs, with that of cash', () => {
    const { desk, card } = open(10_000n, [CASH, FOREIGN])
    const fields = { currency: 'USD' }
    // 92.68 and 2.32 and 5.00 are 100.00.
    assert.equal(desk.ask(cash(card, 2_318n, fields)).status_code, '1016')
    assert.equal(desk.ask(cash(card, 2_317n, fields)).status_code, '0000')
    assert.deepEqual(taken(desk), [
      ['CASH_WITHDRAWAL', 500n, true],
      ['FOREIGN_CURRENCY', 232n, true],
    ])
  })

  test('is not made in the currency of the account', () => {
    const { desk, card } = open(10_000n, [FOREIGN])
    desk.ask(purchase(card, 1_000n, { message_type: '0200' }))
    assert.deepEqual(taken(desk), [])
  })
})

describe('charges are given back', () => {
  test('once all that was posted is reversed, and not for a part or a refund', () => {
    const { desk, card } = open(10_000n, [CASH])
    const first = cash(card, 3_000n)
    const { transaction_id } = desk.ask(first)
    desk.ask(about(first, { message_type: '0420', remaining_amount: 1_000n }))
    assert.deepEqual(desk.uncharged, [])
    desk.ask(about(first, { message_type: '0420' }))
    assert.deepEqual(desk.uncharged, [transaction_id])
  })

  test('once the only completion is taken back', () => {
    const { desk, card } = open(10_000n, [CASH])
    const first = cash(card, 3_000n, { message_type: '0100' })
    const { transaction_id } = desk.ask(first)
    const completion = about(first, { message_type: '0220' })
    desk.ask(completion)
    desk.ask(about(completion, { message_type: '0420' }))
    assert.deepEqual(desk.uncharged, [transaction_id])
    desk.ask(about(first, { message_type: '0220' }))
    assert.equal(desk.charges.length, 2)
  })
})

/** Payments in another currency than the account's, step by step (D-51, D-456, D-457). */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { programAccountId } from '#issuing/ledger/rules.ts'
import { about, Desk, nameOf, purchase, settingsOf, type TestMessage } from '#test/support/desk.ts'

const USD = { currency: 'USD' }

function open(balance = 100_000n, card: object = {}, rate = '3.6725') {
  const desk = new Desk()
  const { id } = desk.addAccount(balance)
  desk.rates.set('USD|AED', rate)
  return { desk, id, card: desk.addCard(id, card) }
}

/** An account of another currency, and the worth of messages in a third one. */
function openIn(currency: string, from: string, rate: string, balance = 1_000_000n) {
  const desk = new Desk()
  const { id } = desk.addAccount(balance, { currency })
  desk.rates.set(`${from}|${currency}`, rate)
  return { desk, id, card: desk.addCard(id, { currency }) }
}

const clearing = (first: TestMessage, amount: bigint, fields: Partial<TestMessage> = {}) =>
  about(first, { message_type: '0220', amount, ...fields })
const reversal = (first: TestMessage, fields: Partial<TestMessage> = {}) =>
  about(first, { message_type: '0420', ...fields })

const fx = (currency = 'AED') => programAccountId('tenant', 'FX', currency)
/** The program's loss by exchange, minor units; negative for a gain. */
const lossOf = ({ transfers }: Desk, account = fx()) =>
  transfers.reduce((sum, { debit_account_id, credit_account_id, amount }) => {
    if (debit_account_id === account) return sum + amount
    return credit_account_id === account ? sum - amount : sum
  }, 0n)

describe('an authorization', () => {
  test('holds the amount in the currency of the account and keeps both and the rate', () => {
    const { desk, id, card } = open()
    const answer = desk.ask(purchase(card, 10_000n, USD))
    assert.partialDeepStrictEqual(answer, { status_code: '0000', amount: 10_000n })
    assert.equal(desk.account(id).held, 36_725n)
    assert.partialDeepStrictEqual(desk.row(answer), {
      amount: 10_000n,
      currency: 'USD',
      billing_amount: 36_725n,
      billing_currency: 'AED',
      held: 36_725n,
      foreign: { rate: '3.6725', held: 10_000n },
    })
  })

  for (const [currency, from, rate, amount, billing] of [
    ['JPY', 'USD', '150.55', 101n, 152n],
    ['KWD', 'JPY', '0.0005', 3n, 2n],
    ['KWD', 'USD', '0.307', 1_001n, 3_073n],
    ['AED', 'KWD', '11.96', 1_234n, 1_476n],
  ] as const) {
    test(`of ${amount} minor units of ${from} holds ${billing} of ${currency}, half-even`, () => {
      const { desk, id, card } = openIn(currency, from, rate)
      assert.equal(desk.ask(purchase(card, amount, { currency: from })).approved, true)
      assert.equal(desk.account(id).held, billing)
    })
  }

  test('is 1888 without a rate, and with a rate in the other direction only', () => {
    const { desk, id, card } = open()
    desk.rates.set('AED|EUR', '0.25')
    const answer = desk.ask(purchase(card, 100n, { currency: 'EUR' }))
    assert.equal(answer.status_code, '1888')
    assert.equal(desk.row(answer).billing_amount, null)
    assert.equal(desk.account(id).held, 0n)
  })

  test('is 1888 where the converted amount has more than 15 digits, whatever the message', () => {
    const { desk, card } = open(100_000n, {}, '999999999999.5')
    for (const message_type of ['0100', '0200', '0220'] as const) {
      const answer = desk.ask(purchase(card, 100_000n, { ...USD, message_type }))
      assert.equal(answer.status_code, '1888', message_type)
    }
  })

  test('is 1010 where the converted amount is nothing', () => {
    const { desk, card } = open(100_000n, {}, '0.001')
    assert.equal(desk.ask(purchase(card, 500n, USD)).status_code, '1010')
    assert.equal(desk.ask(purchase(card, 501n, USD)).status_code, '0000')
  })

  test('is bounded by the amounts of product and card in the currency of the account', () => {
    const settings = settingsOf({ max_amount: '36725' }, { min_amount: '3673' })
    const { desk, card } = open(1_000_000n, { settings })
    const codes = [999n, 1_000n, 10_000n, 10_001n].map(
      (amount) => desk.ask(purchase(card, amount, USD)).status_code,
    )
    assert.deepEqual(codes, ['1882', '1882', '0000', '1829'])
  })

  test('asks for identification by the amount in the currency of the account', () => {
    const { desk, card } = open(1_000_000n, { identify_above: 36_725n })
    assert.equal(desk.ask(purchase(card, 9_999n, USD)).status_code, '0000')
    assert.equal(desk.ask(purchase(card, 10_000n, USD)).status_code, '0001')
  })

  test('of more than is available is 1016, or approved for what is covered', () => {
    const strict = open(36_724n)
    assert.equal(strict.desk.ask(purchase(strict.card, 10_000n, USD)).status_code, '1016')
    const { desk, id, card } = open(36_724n, { partial_approval: true })
    const asked = purchase(card, 20_000n, { ...USD, partial_capable: true })
    const answer = desk.ask(asked)
    assert.deepEqual([answer.status_code, answer.amount], ['0002', 9_999n])
    assert.equal(desk.account(id).held, 36_721n)
    desk.ask(clearing(asked, 9_999n))
    assert.partialDeepStrictEqual(desk.account(id), { balance: 3n, held: 0n })
  })

  test('is 1016 where what is available covers no unit of its currency', () => {
    const { desk, card } = open(36n, { partial_approval: true }, '100')
    const asked = purchase(card, 1_000n, { ...USD, partial_capable: true })
    assert.equal(desk.ask(asked).status_code, '1016')
  })

  test('is raised at the rate of the increment, and ends with exactly nothing held', () => {
    const { desk, id, card } = open()
    const first = purchase(card, 10_000n, USD)
    const held = desk.ask(first)
    desk.rates.set('USD|AED', '3.7')
    desk.ask(about(first, { message_type: '0100', amount: 1_000n }))
    assert.partialDeepStrictEqual(desk.row(held), { amount: 11_000n, billing_amount: 40_425n })
    desk.ask(clearing(first, 11_000n))
    assert.partialDeepStrictEqual(desk.account(id), { balance: 100_000n - 40_425n, held: 0n })
  })

  test('that expires gives everything back', () => {
    const { desk, id, card } = open()
    const held = desk.ask(purchase(card, 9_999n, USD))
    desk.wait(7)
    assert.equal(desk.row(held).status, 'EXPIRED')
    assert.equal(desk.row(held).events.at(-1)?.amount, '9999')
    assert.equal(desk.account(id).held, 0n)
  })
})

describe('a clearing at another rate', () => {
  for (const [rate, loss] of [
    ['3.7', 275n],
    ['3.6', -725n],
    ['3.6725', 0n],
  ] as const) {
    test(`of ${rate} bills the rate of the authorization; the program bears ${loss}`, () => {
      const { desk, id, card } = open()
      const first = purchase(card, 10_000n, USD)
      const held = desk.ask(first)
      desk.rates.set('USD|AED', rate)
      desk.ask(clearing(first, 10_000n))
      assert.partialDeepStrictEqual(desk.account(id), { balance: 63_275n, held: 0n })
      assert.partialDeepStrictEqual(desk.row(held), {
        status: 'SETTLED',
        cleared_amount: 36_725n,
        foreign: { rate: '3.6725', clearing_rate: rate, settled: 36_725n + loss },
      })
      assert.equal(lossOf(desk), loss)
    })
  }

  test('in parts adds up to what was held', () => {
    const { desk, id, card } = open()
    const first = purchase(card, 9_999n, USD)
    desk.ask(first)
    for (const part of [3_333n, 1n, 3_332n, 3_333n]) desk.ask(clearing(first, part))
    assert.partialDeepStrictEqual(desk.account(id), { balance: 100_000n - 36_721n, held: 0n })
  })

  test('of more than was authorized bills the excess at the rate of now', () => {
    const { desk, id, card } = open()
    const first = purchase(card, 10_000n, USD)
    const held = desk.ask(first)
    desk.rates.set('USD|AED', '4')
    const { status_code } = desk.ask(clearing(first, 12_000n))
    assert.equal(status_code, '1855')
    assert.equal(desk.row(held).cleared_amount, 36_725n + 8_000n)
    assert.equal(desk.account(id).balance, 100_000n - 44_725n)
    assert.equal(lossOf(desk), 48_000n - 44_725n)
  })

  test('is within the tolerance whatever the rate does', () => {
    const { desk, card } = open()
    const first = purchase(card, 10_000n, USD)
    desk.ask(first)
    desk.rates.set('USD|AED', '9')
    assert.equal(desk.ask(clearing(first, 10_000n)).status_code, '0000')
  })

  test('without an original is posted at the rate of now', () => {
    const { desk, id, card } = open()
    const answer = desk.ask(purchase(card, 10_000n, { ...USD, message_type: '0220' }))
    assert.equal(answer.status_code, '1857')
    assert.equal(desk.account(id).balance, 63_275n)
    assert.equal(lossOf(desk), 0n)
  })

  test('that is reversed is held again, and the loss comes back', () => {
    const { desk, id, card } = open()
    const first = purchase(card, 10_000n, USD)
    const held = desk.ask(first)
    desk.rates.set('USD|AED', '3.9')
    const claim = clearing(first, 10_000n)
    desk.ask(claim)
    assert.equal(lossOf(desk), 2_275n)
    const original = { message_key: nameOf(claim), rrn: claim.rrn ?? '' }
    desk.ask(about(claim, { message_type: '0420', original }))
    assert.partialDeepStrictEqual(desk.account(id), { balance: 100_000n, held: 36_725n })
    assert.partialDeepStrictEqual(desk.row(held), { status: 'PENDING', cleared_amount: 0n })
    assert.equal(lossOf(desk), 0n)
  })
})

describe('a reversal', () => {
  test('in parts, by DE95, releases in proportion and leaves nothing', () => {
    const { desk, id, card } = open()
    const first = purchase(card, 10_000n, USD)
    const held = desk.ask(first)
    desk.rates.set('USD|AED', '5')
    desk.ask(reversal(first, { remaining_amount: 3_333n }))
    assert.partialDeepStrictEqual(desk.row(held), { amount: 3_333n, billing_amount: 12_240n })
    assert.equal(desk.account(id).held, 12_240n)
    desk.ask(reversal(first, { remaining_amount: 0n }))
    assert.equal(desk.account(id).held, 0n)
    assert.equal(desk.row(held).status, 'VOIDED')
  })

  test('of a financial request returns what it took, whatever the rate is now', () => {
    const { desk, id, card } = open()
    const first = purchase(card, 10_000n, { ...USD, message_type: '0200' })
    desk.ask(first)
    assert.equal(desk.account(id).balance, 63_275n)
    desk.rates.set('USD|AED', '5')
    desk.ask(reversal(first))
    assert.equal(desk.account(id).balance, 100_000n)
    assert.equal(lossOf(desk), 0n)
  })
})

describe('a refund', () => {
  const refund = (first: TestMessage, amount: bigint) =>
    about(first, { message_type: '0200', processing_code: '200000', amount })

  test('of a purchase returns what was paid for it; the program bears the difference', () => {
    const { desk, id, card } = open()
    const first = purchase(card, 10_000n, { ...USD, message_type: '0200' })
    const paid = desk.ask(first)
    desk.rates.set('USD|AED', '3.5')
    for (const part of [3_333n, 3_333n, 3_334n]) desk.ask(refund(first, part))
    assert.equal(desk.account(id).balance, 100_000n)
    assert.partialDeepStrictEqual(desk.row(paid), { refunded_amount: 36_725n })
    assert.equal(lossOf(desk), 36_725n - 35_001n)
    assert.equal(desk.ask(refund(first, 1n)).status_code, '1854')
  })

  test('that names no purchase is credited at the rate of now, within its bounds', () => {
    const { desk, id, card } = open(0n, { unlinked_credit_max_amount: 36_725n })
    const alone = (amount: bigint) =>
      desk.ask(purchase(card, amount, { ...USD, message_type: '0200', processing_code: '200000' }))
    assert.equal(alone(10_001n).status_code, '1896')
    assert.equal(alone(10_000n).status_code, '0000')
    assert.equal(desk.account(id).balance, 36_725n)
  })
})

test('an advice is held at the rate of now, below zero too', () => {
  const { desk, id, card } = open(100n)
  const advised_approval = { approved: true, approval_code: '123456' }
  const advice = purchase(card, 1_000n, { ...USD, message_type: '0120', advised_approval })
  assert.equal(desk.ask(advice).status_code, '0000')
  assert.partialDeepStrictEqual(desk.account(id), { held: 3_672n, floor: -3_572n })
})

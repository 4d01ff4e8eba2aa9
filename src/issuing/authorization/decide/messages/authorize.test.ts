import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { about, Desk, nameOf, purchase } from '#test/support/desk.ts'

/** A desk with one account and one card; `card` and `account` change them. */
function open(balance = 10_000n, card: object = {}, account: object = {}) {
  const desk = new Desk()
  const { id } = desk.addAccount(balance, account)
  return { desk, id, card: desk.addCard(id, card) }
}

const eventsOf = (desk: Desk) => desk.events.map(({ event }) => event)

describe('0100', () => {
  test('approved: the amount is held for seven days and reported', () => {
    const { desk, id, card } = open()
    const answer = desk.ask(purchase(card, 1_250n))
    assert.partialDeepStrictEqual(answer, {
      status_code: '0000',
      approved: true,
      amount: 1_250n,
      available: { amount: 8_750n, ledger: 10_000n, currency: 'AED' },
      repeated: false,
    })
    assert.partialDeepStrictEqual(desk.row(answer), {
      status: 'PENDING',
      amount: 1_250n,
      billing_amount: 1_250n,
      billing_currency: 'AED',
      cleared_amount: 0n,
      approval_code: answer.approval_code,
      account_id: id,
      transaction_type: 'PURCHASE',
      hold_expires: new Date('2026-06-19T10:00:00.000Z'),
    })
    assert.deepEqual(
      desk.row(answer).events.map(({ type, amount, message_type }) => [type, amount, message_type]),
      [['AUTHORIZED', '1250', '0100']],
    )
    assert.partialDeepStrictEqual(desk.account(id), { balance: 10_000n, held: 1_250n })
    assert.deepEqual(eventsOf(desk), ['TRANSACTION'])
    assert.equal(desk.transfers.length, 0)
  })

  test('declined: recorded with its code and trace, and nothing moves', () => {
    const { desk, id, card } = open(100n)
    const answer = desk.ask(purchase(card, 101n))
    assert.partialDeepStrictEqual(answer, { status_code: '1016', approved: false, amount: 0n })
    assert.equal(answer.approval_code, undefined)
    assert.partialDeepStrictEqual(desk.row(answer), { status: 'DECLINED', amount: 101n })
    assert.equal(desk.row(answer).events[0]?.type, 'DECLINED')
    assert.deepEqual(desk.refusedBy(answer), ['funds', '1016'])
    assert.partialDeepStrictEqual(desk.account(id), { balance: 100n, held: 0n })
    assert.deepEqual(eventsOf(desk), ['TRANSACTION'])
  })

  test('in one batch each sees what those before it did', () => {
    const { desk, card } = open(1_000n)
    const codes = desk
      .decide(...[600n, 600n, 400n, 1n].map((amount) => purchase(card, amount)))
      .map(({ status_code }) => status_code)
    assert.deepEqual(codes, ['0000', '1016', '0000', '1016'])
  })

  test('two cards of one account share its money', () => {
    const { desk, id, card } = open(1_000n)
    const other = desk.addCard(id)
    const answers = desk.decide(purchase(card, 700n), purchase(other, 700n), purchase(other, 300n))
    assert.deepEqual(
      answers.map(({ approved }) => approved),
      [true, false, true],
    )
  })

  test('a partial approval holds what is there (D-48)', () => {
    const { desk, id, card } = open(700n, { partial_approval: true })
    const answer = desk.ask(purchase(card, 1_000n, { partial_capable: true }))
    assert.partialDeepStrictEqual(answer, { status_code: '0002', approved: true, amount: 700n })
    assert.partialDeepStrictEqual(desk.row(answer), { amount: 700n, billing_amount: 700n })
    assert.equal(desk.available(id), 0n)
  })

  test('a whole approval is not partial because it might have been', () => {
    const { desk, card } = open(1_000n, { partial_approval: true })
    const answer = desk.ask(purchase(card, 1_000n, { partial_capable: true }))
    assert.equal(answer.status_code, '0000')
  })

  for (const [what, card, amount, code] of [
    ['at identify_above', { identify_above: 500n }, 500n, '0001'],
    ['below identify_above', { identify_above: 500n }, 499n, '0000'],
    ['of a vip', { user_vip: true }, 100n, '0003'],
    ['of a vip above identify_above', { user_vip: true, identify_above: 1n }, 100n, '0001'],
  ] as const) {
    test(`${what}: ${code}`, () => {
      const { desk, card: made } = open(10_000n, card)
      assert.equal(desk.ask(purchase(made, amount)).status_code, code)
    })
  }

  test('a verification of zero is not declined (0885) and holds nothing', () => {
    const { desk, id, card } = open(0n, { user_vip: true })
    const answer = desk.ask(purchase(card, 0n, { is_verification: true }))
    assert.partialDeepStrictEqual(answer, { status_code: '0885', approved: true, amount: 0n })
    assert.ok(answer.approval_code)
    assert.partialDeepStrictEqual(desk.row(answer), {
      status: 'SETTLED',
      transaction_type: 'VERIFICATION',
      hold_expires: null,
    })
    assert.equal(desk.account(id).held, 0n)
    assert.ok([...desk.transactions.values()].every(({ held }) => held === 0n))
  })

  test('a balance inquiry answers what is available', () => {
    const { desk, card } = open(900n)
    desk.ask(purchase(card, 200n))
    const answer = desk.ask(purchase(card, 0n, { processing_code: '310000' }))
    assert.partialDeepStrictEqual(answer, { status_code: '0000', approved: true })
    assert.deepEqual(answer.available, { amount: 700n, ledger: 900n, currency: 'AED' })
  })

  for (const [code, type] of [
    ['200000', 'REFUND'],
    ['210000', 'DEPOSIT'],
    ['220000', 'LOAD'],
    ['260000', 'ORIGINAL_CREDIT'],
    ['280000', 'PAYMENT'],
  ] as const) {
    test(`${type} credits at once, without asking the cardholder to identify`, () => {
      const { desk, id, card } = open(0n, { user_vip: true, identify_above: 1n })
      const answer = desk.ask(purchase(card, 300n, { processing_code: code }))
      assert.partialDeepStrictEqual(answer, { status_code: '0000', approved: true, amount: 300n })
      assert.partialDeepStrictEqual(desk.row(answer), {
        status: 'SETTLED',
        transaction_type: type,
        cleared_amount: 300n,
        hold_expires: null,
      })
      assert.partialDeepStrictEqual(desk.account(id), { balance: 300n, held: 0n })
      assert.deepEqual(
        desk.transfers.map(({ kind, credit_account_id, amount }) => [
          kind,
          credit_account_id,
          amount,
        ]),
        [[type, id, 300n]],
      )
    })
  }

  test('what is declined in another currency is not answered in the currency of the account', () => {
    const { desk, card } = open()
    const answer = desk.ask(purchase(card, 5n, { currency: 'USD' }))
    assert.partialDeepStrictEqual(desk.row(answer), {
      status_code: '1888',
      currency: 'USD',
      billing_amount: null,
      billing_currency: null,
    })
  })

  test('an unknown number is recorded without a card', () => {
    const { desk } = open()
    const answer = desk.ask(purchase(undefined, 100n))
    assert.partialDeepStrictEqual(desk.row(answer), {
      status: 'DECLINED',
      status_code: '1018',
      card_id: null,
      account_id: null,
    })
    assert.equal(answer.available, undefined)
  })

  test('the answer for a closed card hints at its reason, and at a CVV2', () => {
    const { desk, card } = open(1n, { status: 'TERMINATED', status_reason_code: 'T2' })
    assert.deepEqual(desk.ask(purchase(card, 1n)).hints, { card_reason: 'T2' })
  })
})

describe('an increment', () => {
  const again = (first: ReturnType<typeof purchase>, amount: bigint, fields: object = {}) =>
    about(first, { message_type: '0100', amount, ...fields })

  test('raises the hold of the first, by DE90 or by the retrieval reference', () => {
    const { desk, id, card } = open()
    const first = purchase(card, 1_000n)
    const answer = desk.ask(first)
    const { rrn = '' } = first
    for (const original of [{ message_key: nameOf(first) }, { rrn }]) {
      const raised = desk.ask(again(first, 250n, { original }))
      assert.partialDeepStrictEqual(raised, {
        transaction_id: answer.transaction_id,
        approved: true,
        amount: 250n,
        status_code: '0000',
        approval_code: answer.approval_code,
      })
    }
    const row = desk.row(answer)
    assert.partialDeepStrictEqual(row, { amount: 1_500n, billing_amount: 1_500n })
    assert.deepEqual(
      row.events.map(({ type, amount }) => [type, amount]),
      [
        ['AUTHORIZED', '1000'],
        ['INCREMENTED', '250'],
        ['INCREMENTED', '250'],
      ],
    )
    assert.equal(desk.account(id).held, 1_500n)
    assert.equal(desk.transactions.size, 1)
  })

  test('declined: the first stays as it was, and the decline names it', () => {
    const { desk, id, card } = open(1_000n)
    const first = purchase(card, 900n)
    const answer = desk.ask(first)
    const declined = desk.ask(again(first, 200n))
    assert.equal(declined.status_code, '1016')
    const { status, reference_transaction_id } = desk.row(declined)
    assert.deepEqual([status, reference_transaction_id], ['DECLINED', answer.transaction_id])
    assert.partialDeepStrictEqual(desk.row(answer), { status: 'PENDING', amount: 900n })
    assert.equal(desk.account(id).held, 900n)
  })

  test('may be approved in part, of what is left', () => {
    const { desk, id, card } = open(1_000n, { partial_approval: true })
    const first = purchase(card, 900n)
    const answer = desk.ask(first)
    const raised = desk.ask(again(first, 200n, { partial_capable: true }))
    assert.partialDeepStrictEqual(raised, { status_code: '0002', amount: 100n, approved: true })
    assert.equal(desk.row(answer).amount, 1_000n)
    assert.equal(desk.available(id), 0n)
  })

  test('of another shop, type or card, or of what is no longer held, is a request of its own', () => {
    const { desk, id, card } = open()
    const other = desk.addCard(id)
    const first = purchase(card, 100n)
    desk.ask(first)
    const { rrn = '' } = first
    desk.ask(again(first, 10n, { merchant: { id: 'SHOP2' } }))
    const cash = { processing_code: '010000', merchant: { id: 'SHOP1', mcc: '6011' } }
    desk.ask(again(first, 10n, cash))
    desk.ask(purchase(other, 10n, { rrn }))
    assert.equal(desk.transactions.size, 4)
    assert.equal(desk.account(id).held, 130n)
    desk.wait(8)
    desk.ask(again(first, 10n))
    assert.equal(desk.transactions.size, 5)
  })

  test('within the batch of its first', () => {
    const { desk, id, card } = open()
    const first = purchase(card, 100n)
    const [answer, raised] = desk.decide(first, again(first, 50n))
    assert.equal(raised?.transaction_id, answer?.transaction_id)
    assert.equal(desk.account(id).held, 150n)
    assert.deepEqual(
      desk.events.map(({ sequence }) => sequence),
      [1, 2],
    )
  })
})

describe('0200', () => {
  test('posts at once, under the name of what it is', () => {
    const { desk, id, card } = open()
    const answer = desk.ask(
      purchase(card, 400n, { message_type: '0200', processing_code: '010000' }),
    )
    assert.partialDeepStrictEqual(desk.row(answer), {
      status: 'SETTLED',
      cleared_amount: 400n,
      transaction_type: 'WITHDRAWAL',
    })
    assert.equal(desk.row(answer).events[0]?.type, 'CLEARED')
    assert.partialDeepStrictEqual(desk.account(id), { balance: 9_600n, held: 0n })
    assert.deepEqual(
      desk.transfers.map(({ kind, debit_account_id }) => [kind, debit_account_id]),
      [['WITHDRAWAL', id]],
    )
  })

  test('in part: only what is there leaves', () => {
    const { desk, id, card } = open(300n, { partial_approval: true })
    const request = purchase(card, 400n, { message_type: '0200', partial_capable: true })
    const answer = desk.ask(request)
    assert.partialDeepStrictEqual(answer, { status_code: '0002', amount: 300n })
    assert.equal(desk.account(id).balance, 0n)
  })

  test('a refund is counted at its purchase, up to what was cleared of it', () => {
    const { desk, id, card } = open()
    const bought = purchase(card, 500n)
    const answer = desk.ask(bought)
    desk.ask(about(bought, { message_type: '0220' }))
    const refund = (amount: bigint) =>
      about(bought, { message_type: '0200', processing_code: '200000', amount })
    const [first, second, beyond] = [200n, 300n, 1n].map((amount) => desk.ask(refund(amount)))
    assert.ok(first && second && beyond)
    for (const one of [first, second]) {
      assert.equal(desk.row(one).reference_transaction_id, answer.transaction_id)
    }
    assert.partialDeepStrictEqual(desk.row(beyond), { status: 'DECLINED', status_code: '1854' })
    const { refunded_amount, events } = desk.row(answer)
    assert.equal(refunded_amount, 500n)
    assert.deepEqual(
      events.slice(2).map(({ type, amount }) => [type, amount]),
      [
        ['REFUNDED', '200'],
        ['REFUNDED', '300'],
      ],
    )
    assert.equal(desk.account(id).balance, 10_000n)
  })

  test('a refund with the retrieval reference of another refund still finds the purchase', () => {
    const { desk, card } = open()
    const bought = purchase(card, 500n, { message_type: '0200' })
    const answer = desk.ask(bought)
    const { rrn = '' } = bought
    const back = { message_type: '0200', processing_code: '200000', original: { rrn } } as const
    for (const amount of [100n, 50n]) {
      const refund = desk.ask(about(bought, { ...back, amount }))
      assert.equal(desk.row(refund).reference_transaction_id, answer.transaction_id)
    }
    assert.equal(desk.row(answer).refunded_amount, 150n)
  })

  test('a refund of an unknown purchase is a credit of its own', () => {
    const { desk, id, card } = open(0n)
    const answer = desk.ask(
      purchase(card, 70n, { message_type: '0200', processing_code: '200000' }),
    )
    assert.equal(desk.row(answer).reference_transaction_id, null)
    assert.equal(desk.account(id).balance, 70n)
  })
})

describe('0120', () => {
  const advice = { message_type: '0120', advised_approval: { approved: true } } as const

  test('what the network approved is held, even beyond the funds', () => {
    const { desk, id, card } = open(100n)
    const advised_approval = { approved: true, approval_code: 'STIP01' }
    const answer = desk.ask(purchase(card, 250n, { ...advice, advised_approval }))
    assert.partialDeepStrictEqual(answer, { status_code: '0000', approved: true, amount: 250n })
    assert.partialDeepStrictEqual(desk.row(answer), { status: 'PENDING', approval_code: 'STIP01' })
    assert.partialDeepStrictEqual(desk.account(id), { balance: 100n, held: 250n, floor: -150n })
    assert.equal(desk.ask(purchase(card, 1n)).status_code, '1016')
    desk.ask(purchase(card, 150n, { processing_code: '200000' }))
    assert.equal(desk.account(id).floor, 0n)
  })

  test('what the network did not approve is recorded as 1856 and holds nothing', () => {
    const { desk, id, card } = open()
    const advised_approval = { approved: false }
    const answer = desk.ask(purchase(card, 250n, { ...advice, advised_approval }))
    assert.partialDeepStrictEqual(desk.row(answer), { status: 'DECLINED', status_code: '1856' })
    assert.equal(desk.account(id).held, 0n)
  })

  test('of an unknown card: recorded as 1018', () => {
    const { desk } = open()
    assert.equal(desk.ask(purchase(undefined, 1n, advice)).status_code, '1018')
  })

  test('of a card that may no longer pay: held, for the network has promised it', () => {
    const { desk, id, card } = open(100n, { status: 'SUSPENDED', status_reason_code: 'S0' })
    assert.equal(desk.ask(purchase(card, 60n, advice)).approved, true)
    assert.equal(desk.account(id).held, 60n)
  })

  for (const [what, fields, code] of [
    ['in another currency', { currency: 'USD' }, '1888'],
    ['of no known type', { processing_code: '990000' }, '1888'],
    ['of no amount', { amount: 0n }, '1010'],
  ] as const) {
    test(`${what}, on a card that may no longer pay: recorded as ${code}`, () => {
      const { desk, id, card } = open(100n, { status: 'SUSPENDED', status_reason_code: 'S0' })
      const answer = desk.ask(purchase(card, 60n, { ...advice, ...fields }))
      assert.partialDeepStrictEqual(desk.row(answer), { status: 'DECLINED', status_code: code })
      assert.partialDeepStrictEqual(desk.account(id), { balance: 100n, held: 0n })
    })
  }

  test('on a card without an account: recorded as 1019', () => {
    const desk = new Desk()
    const answer = desk.ask(purchase(desk.addCard(null), 60n, advice))
    assert.equal(desk.row(answer).status_code, '1019')
  })

  test('about what a request already holds: nothing more is held', () => {
    const { desk, id, card } = open()
    const first = purchase(card, 80n)
    const answer = desk.ask(first)
    const again = desk.ask(about(first, advice))
    assert.equal(again.transaction_id, answer.transaction_id)
    assert.equal(desk.account(id).held, 80n)
  })

  test('about what we declined: the network has approved it, so it is held', () => {
    const { desk, id, card } = open(10n)
    const first = purchase(card, 80n)
    assert.equal(desk.ask(first).status_code, '1016')
    desk.ask(about(first, advice))
    assert.equal(desk.account(id).held, 80n)
  })

  test('a credit that the network approved is credited', () => {
    const { desk, id, card } = open(0n)
    const answer = desk.ask(purchase(card, 80n, { ...advice, processing_code: '260000' }))
    assert.partialDeepStrictEqual(desk.row(answer), { status: 'SETTLED', cleared_amount: 80n })
    assert.equal(desk.account(id).balance, 80n)
  })

  test('a verification that the network approved is recorded as one', () => {
    const { desk, card } = open(0n)
    const answer = desk.ask(purchase(card, 0n, { ...advice, is_verification: true }))
    assert.partialDeepStrictEqual(desk.row(answer), { status: 'SETTLED', status_code: '0885' })
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { about, Desk, purchase, type TestMessage } from '#test/support/desk.ts'

function open(balance = 10_000n, card: object = {}) {
  const desk = new Desk()
  const { id } = desk.addAccount(balance)
  return { desk, id, card: desk.addCard(id, card) }
}

const reversal = (first: TestMessage, fields: Partial<TestMessage> = {}) =>
  about(first, { message_type: '0400', ...fields })
const clearing = (first: TestMessage, amount: bigint) =>
  about(first, { message_type: '0220', amount })

/** A purchase of 1000 that is held. */
function held(fields: Partial<TestMessage> = {}) {
  const world = open()
  const first = purchase(world.card, 1_000n, fields)
  const answer = world.desk.ask(first)
  return { ...world, first, answer, row: () => world.desk.row(answer) }
}

describe('a reversal of a hold', () => {
  for (const message_type of ['0400', '0420'] as const) {
    test(`${message_type}: all of it goes, and the transaction is void`, () => {
      const { desk, id, first, answer, row } = held()
      const reported = desk.ask(reversal(first, { message_type }))
      assert.partialDeepStrictEqual(reported, {
        transaction_id: answer.transaction_id,
        status_code: '0000',
        approved: true,
        amount: 1_000n,
      })
      assert.partialDeepStrictEqual(row(), { status: 'VOIDED', amount: 1_000n, hold_expires: null })
      assert.partialDeepStrictEqual(row().events.at(-1), { type: 'REVERSED', amount: '1000' })
      assert.partialDeepStrictEqual(desk.account(id), { balance: 10_000n, held: 0n })
      assert.equal(desk.row(answer).held, 0n)
    })
  }

  for (const [what, fields, stays] of [
    ['DE95 contains what stays', { remaining_amount: 600n }, 600n],
    ['DE95 of nothing takes all', { remaining_amount: 0n }, 0n],
    ['DE95 of more than is held takes nothing', { remaining_amount: 5_000n }, 1_000n],
    ['a simulation contains what goes', { reverse_amount: 400n }, 600n],
    ['a simulation of more takes all', { reverse_amount: 5_000n }, 0n],
  ] as const) {
    test(what, () => {
      const { desk, id, first, row } = held()
      desk.ask(reversal(first, fields))
      assert.equal(desk.account(id).held, stays)
      assert.equal(row().status, stays === 0n ? 'VOIDED' : 'PENDING')
      if (stays > 0n) assert.equal(row().amount, stays)
      assert.equal(row().hold_expires === null, stays === 0n)
    })
  }

  test('in parts, the last of which voids it', () => {
    const { desk, id, first, row } = held()
    for (const part of [400n, 400n]) desk.ask(reversal(first, { reverse_amount: part }))
    assert.partialDeepStrictEqual(row(), { status: 'PENDING', amount: 200n })
    desk.ask(reversal(first, { reverse_amount: 400n }))
    assert.equal(row().status, 'VOIDED')
    assert.equal(desk.account(id).held, 0n)
  })

  test('a part after a clearing: DE95 counts what was cleared', () => {
    const { desk, id, first, row } = held()
    desk.ask(clearing(first, 300n))
    desk.ask(reversal(first, { remaining_amount: 500n }))
    assert.partialDeepStrictEqual(row(), { status: 'PENDING', amount: 500n, cleared_amount: 300n })
    assert.partialDeepStrictEqual(desk.account(id), { balance: 9_700n, held: 200n })
  })

  test('the rest after a clearing: settled at what was cleared', () => {
    const { desk, id, first, row } = held()
    desk.ask(clearing(first, 300n))
    desk.ask(reversal(first))
    assert.partialDeepStrictEqual(row(), { status: 'SETTLED', amount: 300n, cleared_amount: 300n })
    assert.partialDeepStrictEqual(desk.account(id), { balance: 9_700n, held: 0n })
  })

  test('of an increment takes back what that message added', () => {
    const { desk, id, first, row } = held()
    const raise = about(first, { message_type: '0100', amount: 250n })
    desk.ask(raise)
    desk.ask(reversal(raise))
    assert.partialDeepStrictEqual(row(), { status: 'PENDING', amount: 1_000n })
    desk.ask(reversal(first))
    assert.equal(row().status, 'VOIDED')
    assert.equal(desk.account(id).held, 0n)
  })

  test('of an advice', () => {
    const advised_approval = { approved: true }
    const { desk, id, first, row } = held({ message_type: '0120', advised_approval })
    desk.ask(reversal(first))
    assert.equal(row().status, 'VOIDED')
    assert.equal(desk.account(id).held, 0n)
  })

  test('of an expired one: void, and a late completion finds it so', () => {
    const { desk, first, row } = held()
    desk.wait(7)
    const reported = desk.ask(reversal(first))
    assert.deepEqual([reported.status_code, row().status], ['0000', 'VOIDED'])
    assert.equal(desk.ask(clearing(first, 1n)).status_code, '1894')
  })

  test('of a part of an expired one: a late completion may claim the rest', () => {
    const { desk, id, card, first, row } = held()
    desk.cards.set(card.card_id, { ...card, clearing_tolerance_percent: 0 })
    desk.wait(7)
    desk.ask(reversal(first, { remaining_amount: 600n }))
    assert.partialDeepStrictEqual(row(), { status: 'EXPIRED', amount: 600n })
    assert.equal(desk.ask(clearing(first, 600n)).status_code, '0000')
    assert.equal(desk.account(id).balance, 9_400n)
  })
})

describe('a reversal that takes nothing back', () => {
  const declinedAs = (
    code: string,
    { desk, first, answer }: ReturnType<typeof held>,
    fields = {},
  ) => {
    const before = structuredClone([...desk.accounts.values()])
    const reported = desk.ask(reversal(first, fields))
    assert.partialDeepStrictEqual(reported, { status_code: code, approved: false, amount: 0n })
    assert.partialDeepStrictEqual(desk.row(reported), {
      status: 'DECLINED',
      message_type: '0400',
      reference_transaction_id: answer.transaction_id,
    })
    for (const [at, { balance, held }] of before.entries()) {
      assert.partialDeepStrictEqual([...desk.accounts.values()][at], { balance, held })
    }
  }

  test('twice: 1894', () => {
    const world = held()
    world.desk.ask(reversal(world.first))
    declinedAs('1894', world)
  })

  test('of a declined one: 9115', () => {
    declinedAs('9115', held({ amount: 10_001n }))
  })

  test('of another currency or type: 1858', () => {
    declinedAs('1858', held(), { currency: 'USD' })
    declinedAs('1858', held(), { processing_code: '010000' })
  })

  test('of what was cleared apart: 1858, for a refund gives it back', () => {
    const world = held()
    world.desk.ask(clearing(world.first, 1_000n))
    declinedAs('1858', world)
    const advised = held({ message_type: '0120', advised_approval: { approved: true } })
    advised.desk.ask(clearing(advised.first, 1_000n))
    declinedAs('1858', advised)
  })

  test('of a sale that was refunded: 1858, for it would be given twice', () => {
    const world = held({ message_type: '0200' })
    const refund = { message_type: '0200', processing_code: '200000', amount: 100n } as const
    world.desk.ask(about(world.first, refund))
    declinedAs('1858', world)
    const part = world.desk.ask(reversal(world.first, { reverse_amount: 900n }))
    assert.equal(part.status_code, '0000', 'what was not refunded can still go back')
    assert.partialDeepStrictEqual(world.row(), { cleared_amount: 100n, refunded_amount: 100n })
  })

  test('that is malformed: recorded with its fault', () => {
    const { desk, id, first } = held()
    const format_fault = { status_code: '9104', detail: 'DE90 is malformed' } as const
    assert.equal(desk.ask(reversal(first, { format_fault })).status_code, '9104')
    assert.equal(desk.account(id).held, 1_000n)
  })
})

describe('a reversal of what was posted', () => {
  test('a financial request goes back whole, the way it came', () => {
    const { desk, id, first, row } = held({ message_type: '0200' })
    desk.ask(reversal(first))
    assert.partialDeepStrictEqual(row(), { status: 'VOIDED', cleared_amount: 0n })
    assert.partialDeepStrictEqual(desk.account(id), { balance: 10_000n, held: 0n })
    assert.deepEqual(
      desk.transfers.map(({ kind }) => kind),
      ['PURCHASE', 'REVERSAL'],
    )
  })

  test('or in part: an ATM gave less than it requested', () => {
    const { desk, id, first, row } = held({ message_type: '0200', processing_code: '010000' })
    desk.ask(reversal(first, { remaining_amount: 600n }))
    assert.partialDeepStrictEqual(row(), { status: 'SETTLED', amount: 600n, cleared_amount: 600n })
    assert.equal(desk.account(id).balance, 9_400n)
  })

  for (const [what, fields] of [
    ['a financial request', { message_type: '0200' }],
    ['a withdrawal', { message_type: '0200', processing_code: '010000' }],
    ['a forced posting', { message_type: '0220' }],
  ] as const) {
    test(`a part of ${what}, by the amount of the reversal alone (D-1035)`, () => {
      const { desk, id, first, row } = held(fields)
      desk.ask(reversal(first, { amount: 400n }))
      assert.partialDeepStrictEqual(row(), {
        status: 'SETTLED',
        amount: 600n,
        cleared_amount: 600n,
      })
      assert.equal(desk.account(id).balance, 9_400n)
      desk.ask(reversal(first, { amount: 600n }))
      assert.equal(row().status, 'VOIDED')
      assert.equal(desk.account(id).balance, 10_000n)
    })
  }

  test('a forced posting', () => {
    const { desk, id, first, row } = held({ message_type: '0220' })
    desk.ask(reversal(first))
    assert.equal(row().status, 'VOIDED')
    assert.equal(desk.account(id).balance, 10_000n)
  })

  test('a credit leaves again, even if it was spent', () => {
    const { desk, id, card } = open(0n)
    const credit = purchase(card, 100n, { processing_code: '260000' })
    const answer = desk.ask(credit)
    desk.ask(purchase(card, 80n, { message_type: '0200' }))
    desk.ask(reversal(credit))
    assert.equal(desk.row(answer).status, 'VOIDED')
    assert.partialDeepStrictEqual(desk.account(id), { balance: -80n, floor: -80n })
  })

  test('a refund counts at its purchase no longer, all of it or a part', () => {
    const { desk, id, first, row } = held({ message_type: '0200' })
    const refund = about(first, {
      message_type: '0200',
      processing_code: '200000',
      amount: 300n,
    })
    desk.ask(refund)
    desk.ask(reversal(refund, { reverse_amount: 100n }))
    assert.equal(row().refunded_amount, 200n)
    desk.ask(reversal(refund))
    assert.equal(row().refunded_amount, 0n)
    assert.deepEqual(
      row().events.map(({ type, amount }) => [type, amount]),
      [
        ['CLEARED', '1000'],
        ['REFUNDED', '300'],
        ['REFUND_REVERSED', '100'],
        ['REFUND_REVERSED', '200'],
      ],
    )
    assert.equal(desk.account(id).balance, 9_000n)
    assert.equal(desk.ask(reversal(first)).status_code, '0000')
  })

  test('a verification is void, and nothing moves', () => {
    const { desk, first, row } = held({ amount: 0n, is_verification: true })
    desk.ask(reversal(first))
    assert.equal(row().status, 'VOIDED')
    assert.equal(desk.transfers.length, 0)
  })
})

describe('the reversal of a completion (D-87)', () => {
  test('the money comes back and is held again, once', () => {
    const { desk, id, first, row } = held()
    const claimed = clearing(first, 700n)
    desk.ask(claimed)
    const reported = desk.ask(reversal(claimed))
    assert.partialDeepStrictEqual(reported, { status_code: '0000', amount: 700n })
    assert.partialDeepStrictEqual(row(), { status: 'PENDING', amount: 1_000n, cleared_amount: 0n })
    assert.deepEqual(row().hold_expires, new Date('2026-06-19T10:00:00.000Z'))
    assert.partialDeepStrictEqual(desk.account(id), { balance: 10_000n, held: 1_000n })
    assert.equal(desk.ask(reversal(claimed)).status_code, '1894')
    assert.equal(desk.ask(clearing(first, 1_000n)).status_code, '0000')
    assert.partialDeepStrictEqual(desk.account(id), { balance: 9_000n, held: 0n })
  })

  test('of more than was authorized: only what was is held again', () => {
    const { desk, id, first, row } = held()
    const claimed = clearing(first, 1_500n)
    desk.ask(claimed)
    desk.ask(reversal(claimed, { amount: 300n }))
    assert.partialDeepStrictEqual(row(), {
      status: 'SETTLED',
      cleared_amount: 1_200n,
      hold_expires: null,
    })
    assert.partialDeepStrictEqual(desk.account(id), { balance: 8_800n, held: 0n })
  })

  test('1858 of what was refunded, of another currency, and of a credit, which moved nothing', () => {
    const { desk, first } = held()
    const claimed = clearing(first, 1_000n)
    desk.ask(claimed)
    assert.equal(desk.ask(reversal(claimed, { currency: 'USD' })).status_code, '1858')
    desk.ask(about(first, { message_type: '0200', processing_code: '200000', amount: 1n }))
    assert.equal(desk.ask(reversal(claimed)).status_code, '1858')
    const other = held({ processing_code: '260000' })
    const presented = clearing(other.first, 1_000n)
    other.desk.ask(presented)
    assert.equal(other.desk.ask(reversal(presented)).status_code, '1858')
    assert.equal(other.desk.account(other.id).balance, 11_000n)
  })

  for (const [what, fields, balance, heldAgain] of [
    ['DE95 says that 600 stay of 700', { remaining_amount: 600n }, 9_400n, 400n],
    ['DE95 says that more stays than it claimed', { remaining_amount: 800n }, 9_300n, 300n],
    ['DE4 is lower than it claimed', { amount: 100n }, 9_400n, 400n],
    ['DE4 is higher than it claimed', { amount: 1_000n }, 10_000n, 1_000n],
  ] as const) {
    test(`of a part or the whole of it: ${what}`, () => {
      const { desk, id, first } = held()
      const claimed = clearing(first, 700n)
      desk.ask(claimed)
      desk.ask(reversal(claimed, fields))
      assert.partialDeepStrictEqual(desk.account(id), { balance, held: heldAgain })
    })
  }

  test('takes back no more than it claimed, whatever else was claimed', () => {
    const { desk, id, first } = held()
    const [one, two] = [clearing(first, 400n), clearing(first, 300n)]
    desk.decide(one, two)
    desk.ask(reversal(one, { amount: 1_000n }))
    assert.partialDeepStrictEqual(desk.account(id), { balance: 9_700n, held: 700n })
    desk.ask(reversal(two, { remaining_amount: 200n, amount: 1_000n }))
    assert.partialDeepStrictEqual(desk.account(id), { balance: 9_800n, held: 800n })
  })

  test('that comes before it declines it (1894)', () => {
    const { desk, id, first } = held()
    const claimed = clearing(first, 700n)
    assert.equal(desk.ask(reversal(claimed)).status_code, '9114')
    assert.equal(desk.ask(claimed).status_code, '1894')
    assert.partialDeepStrictEqual(desk.account(id), { balance: 10_000n, held: 1_000n })
  })
})

describe('a reversal before its original', () => {
  test('9114, and the original is declined when it comes (1894)', () => {
    const { desk, id, card } = open()
    const first = purchase(card, 1_000n)
    const reported = desk.ask(reversal(first))
    assert.partialDeepStrictEqual(reported, { status_code: '9114', approved: false })
    const late = desk.ask(first)
    assert.partialDeepStrictEqual(late, { status_code: '1894', approved: false })
    assert.deepEqual(desk.refusedBy(late), ['reversal', '1894'])
    assert.equal(desk.account(id).held, 0n)
  })

  test('in one batch, and sent twice', () => {
    const { desk, id, card } = open()
    const first = purchase(card, 1_000n)
    const answers = desk.decide(reversal(first), reversal(first, { message_type: '0420' }), first)
    assert.deepEqual(
      answers.map(({ status_code }) => status_code),
      ['9114', '9114', '1894'],
    )
    assert.equal(desk.account(id).held, 0n)
  })

  test('also an advice of it, and a refund', () => {
    for (const fields of [
      { message_type: '0120', advised_approval: { approved: true } },
      { message_type: '0200', processing_code: '200000' },
    ] as const) {
      const { desk, id, card } = open()
      const first = purchase(card, 1_000n, fields)
      desk.ask(reversal(first))
      assert.equal(desk.ask(first).status_code, '1894')
      assert.partialDeepStrictEqual(desk.account(id), { balance: 10_000n, held: 0n })
    }
  })

  test('of one message leaves the others of the same payment as they are', () => {
    const { desk, id, first, row } = held()
    desk.ask(clearing(first, 400n))
    const refund = about(first, { message_type: '0200', processing_code: '200000', amount: 100n })
    const raise = about(first, { message_type: '0100', amount: 250n })
    for (const unknown of [refund, raise]) {
      assert.equal(desk.ask(reversal(unknown)).status_code, '9114')
    }
    assert.partialDeepStrictEqual(row(), { status: 'PENDING', amount: 1_000n })
    assert.equal(desk.account(id).held, 600n)
    for (const late of [refund, raise]) assert.equal(desk.ask(late).status_code, '1894')
  })

  test('that names nothing by DE90 finds it by the retrieval reference', () => {
    const { desk, first, row } = held()
    const { rrn = '' } = first
    desk.ask(reversal(first, { original: { rrn } }))
    assert.equal(row().status, 'VOIDED')
  })

  test('of an unknown card: 9114', () => {
    const { desk } = open()
    assert.equal(desk.ask(reversal(purchase(undefined, 1n))).status_code, '9114')
  })
})

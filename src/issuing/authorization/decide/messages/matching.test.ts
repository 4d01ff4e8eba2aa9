import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { about, Desk, nameOf, purchase, type TestMessage } from '#test/support/desk.ts'

/** A purchase of 1000 that is held of 10,000. */
function held(fields: Partial<TestMessage> = {}) {
  const desk = new Desk()
  const { id } = desk.addAccount(10_000n)
  const card = desk.addCard(id)
  const first = purchase(card, 1_000n, fields)
  const answer = desk.ask(first)
  const sums = () => ({ held: desk.account(id).held, balance: desk.account(id).balance })
  return { desk, id, card, first, answer, sums }
}

/** A message of the same card whose DE37 and DE90 name nothing that is known. */
const stranger = (first: TestMessage, fields: Partial<TestMessage>): TestMessage =>
  purchase(undefined, first.amount, {
    card: first.card,
    merchant: first.merchant,
    currency: first.currency,
    ...fields,
  })

/** DE90 with zeros in its acquirer parts. */
const withoutAcquirer = (first: TestMessage): string => nameOf(first).replace(/[^|]*$/, '')

describe('a message whose DE37 and DE90 name nothing is of the approval of DE38', () => {
  type Row = [what: string, fields: (first: TestMessage) => Partial<TestMessage>, isFound: boolean]
  const shop2 = { id: 'SHOP2', name: 'Shop', mcc: '5411' }
  const cases: Row[] = [
    ['of the same amount and acceptor', () => ({}), true],
    ['of the same amount at another acceptor', () => ({ merchant: shop2 }), true],
    ['of another amount at the same acceptor', () => ({ amount: 700n }), true],
    ['of another amount at another acceptor', () => ({ merchant: shop2, amount: 700n }), false],
    ['in another currency', () => ({ currency: 'USD' }), false],
    ['of another type', () => ({ processing_code: '010000' }), false],
  ]
  for (const [what, fields, isFound] of cases) {
    test(`a completion ${what} ${isFound ? 'ends the hold' : 'leaves the hold'}`, () => {
      const { desk, first, answer, sums } = held()
      desk.rates.set('USD|AED', '1')
      const { approval_code = '' } = answer
      const message = stranger(first, { message_type: '0220', ...fields(first) })
      const original = { rrn: message.rrn ?? '', approval_code }
      const got = desk.ask({ ...message, original })
      assert.equal(got.transaction_id === answer.transaction_id, isFound)
      assert.equal(sums().held, isFound ? 1_000n - message.amount : 1_000n)
      assert.equal(sums().balance, 10_000n - message.amount)
    })

    test(`a reversal ${what} ${isFound ? 'releases' : 'leaves'} the hold`, () => {
      const { desk, first, answer, sums } = held()
      const { approval_code = '' } = answer
      const message = stranger(first, { message_type: '0420', ...fields(first) })
      const original = {
        message_key: '0100|999999|0612100000|1',
        rrn: message.rrn ?? '',
        approval_code,
      }
      const got = desk.ask({ ...message, original })
      assert.equal(got.status_code, isFound ? '0000' : '9114')
      assert.equal(sums().held, isFound ? 1_000n - message.amount : 1_000n)
    })
  }

  test('of another card, or with another code, it is of none', () => {
    const { desk, id, first, answer, sums } = held()
    const other = desk.addCard(id)
    const { approval_code = '' } = answer
    for (const [card, code] of [
      [{ card_id: other.card_id }, approval_code],
      [first.card, 'NONE00'],
    ] as const) {
      const message = stranger(first, { message_type: '0220', card })
      const original = { rrn: message.rrn ?? '', approval_code: code }
      assert.equal(desk.ask({ ...message, original }).status_code, '1857')
    }
    assert.equal(sums().held, 1_000n)
  })

  test('of an approval in place of the issuer, it is of its advice', () => {
    const advised_approval = { approved: true, approval_code: 'ST0001' }
    const { desk, first, answer, sums } = held({ message_type: '0120', advised_approval })
    const message = stranger(first, { message_type: '0220' })
    const original = { rrn: message.rrn ?? '', approval_code: 'ST0001' }
    assert.equal(desk.ask({ ...message, original }).transaction_id, answer.transaction_id)
    assert.deepEqual(sums(), { held: 0n, balance: 9_000n })
  })
})

describe('zeros in the acquirer parts of DE90 match any acquirer', () => {
  for (const message_type of ['0400', '0420'] as const) {
    test(`${message_type}: the hold is released`, () => {
      const { desk, first, answer, sums } = held()
      const original = { message_key: withoutAcquirer(first), rrn: first.rrn ?? '' }
      const got = desk.ask(about(first, { message_type, original }))
      assert.partialDeepStrictEqual(got, {
        transaction_id: answer.transaction_id,
        status_code: '0000',
      })
      assert.equal(sums().held, 0n)
    })
  }

  test('whatever the DE37 of the reversal', () => {
    const { desk, first, sums } = held()
    const message = stranger(first, { message_type: '0420' })
    const original = { message_key: withoutAcquirer(first), rrn: message.rrn ?? '' }
    assert.equal(desk.ask({ ...message, original }).status_code, '0000')
    assert.equal(sums().held, 0n)
  })

  test('a completion is taken back, once', () => {
    const { desk, first, sums } = held()
    const completion = about(first, { message_type: '0220' })
    desk.ask(completion)
    const original = { message_key: withoutAcquirer(completion), rrn: first.rrn ?? '' }
    assert.equal(desk.ask(about(first, { message_type: '0420', original })).status_code, '0000')
    assert.deepEqual(sums(), { held: 1_000n, balance: 10_000n })
    const exact = { message_key: nameOf(completion), rrn: first.rrn ?? '' }
    const again = desk.ask(about(first, { message_type: '0420', original: exact }))
    assert.equal(again.status_code, '1894')
    assert.deepEqual(sums(), { held: 1_000n, balance: 10_000n })
  })

  test('a reversal that comes first declines the request that comes later', () => {
    const desk = new Desk()
    const { id } = desk.addAccount(10_000n)
    const first = purchase(desk.addCard(id), 1_000n)
    const original = { message_key: withoutAcquirer(first), rrn: first.rrn ?? '' }
    assert.equal(desk.ask(about(first, { message_type: '0420', original })).status_code, '9114')
    assert.equal(desk.ask(first).status_code, '1894')
    assert.equal(desk.account(id).held, 0n)
  })

  test('messages of two acquirers under one number are distinguished by DE37, or not at all', () => {
    const { desk, card, first, sums } = held()
    const [, stan] = nameOf(first).split('|')
    const rrn = 'OTHER0000001'
    const duplicate_key = `0100|${stan}|0612100000|2|${rrn}`
    desk.ask(purchase(card, 500n, { rrn, duplicate_key }))
    const message_key = withoutAcquirer(first)
    const none = about(first, {
      message_type: '0420',
      original: { message_key, rrn: 'NEITHER00001' },
    })
    assert.equal(desk.ask({ ...none, rrn: 'NEITHER00001' }).status_code, '9114')
    desk.ask(about(first, { message_type: '0420', original: { message_key, rrn } }))
    assert.equal(sums().held, 1_000n)
  })
})

describe('a reversal without DE95 takes back its DE4', () => {
  type Row = [what: string, asked: bigint, goes: bigint]
  const cases: Row[] = [
    ['below the hold', 250n, 250n],
    ['of one unit', 1n, 1n],
    ['of the hold', 1_000n, 1_000n],
    ['above the hold', 5_000n, 1_000n],
    ['of zero, which names no part', 0n, 1_000n],
  ]
  for (const [what, amount, goes] of cases) {
    test(`${what}: ${goes} goes`, () => {
      const { desk, first, answer, sums } = held()
      desk.ask(about(first, { message_type: '0420', amount }))
      const { status, amount: left } = desk.row(answer)
      assert.equal(sums().held, 1_000n - goes)
      assert.equal(status, goes === 1_000n ? 'VOIDED' : 'PENDING')
      if (status === 'PENDING') assert.equal(left, 1_000n - goes)
    })
  }

  test('of a part of an expired hold, a late completion may claim the rest', () => {
    const { desk, first, answer, sums } = held()
    desk.wait(7)
    desk.ask(about(first, { message_type: '0420', amount: 250n }))
    assert.partialDeepStrictEqual(desk.row(answer), { status: 'EXPIRED', amount: 750n })
    desk.ask(about(first, { message_type: '0220', amount: 750n }))
    assert.deepEqual(sums(), { held: 0n, balance: 9_250n })
  })

  test('in parts, until nothing is held', () => {
    const { desk, first, answer, sums } = held()
    for (const amount of [250n, 250n, 500n])
      desk.ask(about(first, { message_type: '0420', amount }))
    assert.equal(sums().held, 0n)
    assert.equal(desk.row(answer).status, 'VOIDED')
  })

  test('and the rest is cleared: nothing is held after it', () => {
    const { desk, first, answer, sums } = held()
    desk.ask(about(first, { message_type: '0420', amount: 250n }))
    desk.ask(about(first, { message_type: '0220', amount: 750n }))
    assert.equal(desk.row(answer).status, 'SETTLED')
    assert.deepEqual(sums(), { held: 0n, balance: 9_250n })
  })

  test('before the advice that names its request: the advice holds the rest', () => {
    const desk = new Desk()
    const { id } = desk.addAccount(10_000n)
    const first = purchase(desk.addCard(id), 1_000n)
    desk.ask(about(first, { message_type: '0420', amount: 250n }))
    const advised_approval = { approved: true, approval_code: 'ST0001' }
    desk.ask(about(first, { message_type: '0120', advised_approval }))
    assert.equal(desk.account(id).held, 750n)
  })
})

/** Messages that share DE7, DE11 and DE32 and differ in card, DE37 or amount. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { about, Desk, nameOf, purchase, type TestMessage } from '#test/support/desk.ts'

/** Two cards on two accounts, each with 10,000. */
function open() {
  const desk = new Desk()
  const cards = [1, 2].map(() => desk.addCard(desk.addAccount(10_000n).id))
  const [one, other] = cards
  assert.ok(one && other)
  return { desk, one, other }
}

/** A message with the DE7, DE11 and DE32 of another and a retrieval reference of its own. */
function twin(
  first: TestMessage,
  card: { card_id: string },
  rrn: string,
  fields: Partial<TestMessage> = {},
) {
  const duplicate_key = `${nameOf(first)}|${rrn}`
  return purchase(card, first.amount, { rrn, original: { rrn }, duplicate_key, ...fields })
}

const codes = (answers: readonly { status_code: string }[]) =>
  answers.map(({ status_code }) => status_code)

describe('two messages with one DE90 on different cards', () => {
  for (const together of [true, false]) {
    const how = together ? 'in one batch' : 'in batches of their own'
    test(`${how}: each is reversed, cleared and refunded by its own followers`, () => {
      const { desk, one, other } = open()
      const first = purchase(one, 700n)
      const second = twin(first, other, 'OTHERREF0001', { amount: 900n })
      const send = (...messages: TestMessage[]) =>
        together ? desk.decide(...messages) : messages.map((message) => desk.ask(message))
      const reversal = about(first, { message_type: '0400' })
      const clearing = about(second, { message_type: '0220', amount: 900n })
      assert.deepEqual(codes(send(first, second, reversal, clearing)), Array(4).fill('0000'))
      assert.partialDeepStrictEqual(desk.account(one.account_id), { balance: 10_000n, held: 0n })
      assert.partialDeepStrictEqual(desk.account(other.account_id), { balance: 9_100n, held: 0n })
      const back = { message_type: '0200', processing_code: '200000' } as const
      assert.deepEqual(codes(send(about(second, { ...back, amount: 900n }))), ['0000'])
      assert.equal(desk.account(other.account_id).balance, 10_000n)
    })
  }

  test('an increment and an advice go to the hold of their own card', () => {
    const { desk, one, other } = open()
    const first = purchase(one, 700n)
    const second = twin(first, other, 'OTHERREF0001')
    desk.decide(first, second)
    desk.ask(about(first, { message_type: '0100', amount: 50n }))
    desk.ask(about(first, { message_type: '0120', advised_approval: { approved: true } }))
    assert.equal(desk.account(one.account_id).held, 750n)
    assert.equal(desk.account(other.account_id).held, 700n)
  })

  test('the reversal of a message of another card finds nothing (9114)', () => {
    const { desk, one, other } = open()
    const first = purchase(one, 700n)
    desk.ask(first)
    const { card } = purchase(other, 1n)
    const { rrn = '' } = first
    const original = { message_key: nameOf(first), rrn }
    for (const foreign of [card, { card_id: '00000000-0000-0000-0000-000000000000' }]) {
      const outcome = desk.ask(about(first, { message_type: '0400', card: foreign, original }))
      assert.equal(outcome.status_code, '9114')
    }
    assert.equal(desk.account(one.account_id).held, 700n)
  })
})

describe('two messages with one DE90 on one card', () => {
  function held() {
    const { desk, one } = open()
    const first = purchase(one, 700n)
    const second = twin(first, one, 'OTHERREF0001', { amount: 900n })
    const [a, b] = desk.decide(first, second)
    assert.ok(a && b)
    return { desk, first, second, a, b, id: one.account_id }
  }

  test('the retrieval reference chooses what is reversed', () => {
    const { desk, second, a, b } = held()
    assert.equal(desk.ask(about(second, { message_type: '0400' })).status_code, '0000')
    assert.deepEqual([desk.row(a).status, desk.row(b).status], ['PENDING', 'VOIDED'])
  })

  test('the approval code chooses what is cleared, where the reference does not', () => {
    const { desk, first, a, b } = held()
    const { approval_code = '' } = b
    const original = { message_key: nameOf(first), rrn: 'ANOTHERREF01', approval_code }
    desk.ask(about(first, { message_type: '0220', amount: 900n, original }))
    assert.deepEqual([desk.row(a).status, desk.row(b).status], ['PENDING', 'SETTLED'])
  })

  test('neither is reversed where nothing distinguishes them (9114)', () => {
    const { desk, first, id } = held()
    for (const original of [
      { message_key: nameOf(first) },
      { message_key: nameOf(first), rrn: 'ANOTHERREF01' },
    ]) {
      assert.equal(desk.ask(about(first, { message_type: '0400', original })).status_code, '9114')
    }
    assert.equal(desk.account(id).held, 1_600n)
  })
})

describe('a reversal before its original', () => {
  test('declines only the message of its own card and retrieval reference', () => {
    const { desk, one, other } = open()
    const first = purchase(one, 700n)
    desk.ask(about(first, { message_type: '0400' }))
    const foreign = twin(first, other, 'OTHERREF0001')
    const sameReference = twin(first, other, first.rrn ?? '')
    const sameCard = twin(first, one, 'OTHERREF0002')
    assert.deepEqual(codes([foreign, sameCard].map((message) => desk.ask(message))), [
      '0000',
      '0000',
    ])
    assert.equal(desk.ask(first).status_code, '1894')
    assert.equal(desk.ask(sameReference).status_code, '9104', 'its key is taken by then')
    assert.equal(desk.account(one.account_id).held, 700n)
  })

  test('of two cards: each waits for its own', () => {
    const { desk, one, other } = open()
    const first = purchase(one, 700n)
    const second = twin(first, other, 'OTHERREF0001')
    desk.decide(about(first, { message_type: '0400' }), about(second, { message_type: '0420' }))
    assert.deepEqual(codes(desk.decide(first, second)), ['1894', '1894'])
  })
})

describe('a message under the key of another', () => {
  for (const message_type of ['0100', '0120', '0200', '0220', '0400', '0420'] as const) {
    for (const [what, fields] of [
      ['card', {}],
      ['amount', { amount: 701n }],
      ['currency', { currency: 'USD' }],
      ['processing code', { processing_code: '010000' }],
    ] as const) {
      test(`${message_type} with another ${what}: 9104, and nothing moves or is answered`, () => {
        for (const together of [true, false]) {
          const { desk, one, other } = open()
          const advised_approval = { approved: true, approval_code: 'STIP01' }
          const base = purchase(one, 700n)
          desk.ask(base)
          const first =
            message_type === '0400' || message_type === '0420'
              ? about(base, { message_type })
              : purchase(one, 700n, { message_type, advised_approval })
          const { card } = what === 'card' ? purchase(other, 1n) : first
          const contradiction = { ...first, card, ...fields }
          const [outcome, wrong] = together
            ? desk.decide(first, contradiction)
            : [desk.ask(first), desk.ask(contradiction)]
          assert.ok(outcome && wrong)
          const state = structuredClone([...desk.accounts.values()])
          assert.partialDeepStrictEqual(wrong, {
            status_code: '9104',
            approved: false,
            amount: 0n,
            repeated: false,
          })
          assert.equal(wrong.approval_code, undefined)
          assert.notEqual(wrong.transaction_id, outcome.transaction_id)
          assert.partialDeepStrictEqual(desk.row(wrong), {
            status: 'DECLINED',
            status_code: '9104',
          })
          assert.deepEqual(desk.refusedBy(wrong), ['duplicate', '9104'])
          assert.deepEqual([...desk.accounts.values()], state)
          const { answer_number: _counted, ...again } = desk.ask(first)
          assert.deepEqual(again, { ...outcome, repeated: true })
        }
      })
    }
  }
})

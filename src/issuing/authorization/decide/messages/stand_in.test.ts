/**
 * The network stands in for an answer that was never sent. Its approvals take effect and its
 * presentments are posted, whatever the platform took back meanwhile (D-529).
 */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { about, Desk, nameOf, purchase, type TestMessage } from '#test/support/desk.ts'
import { namesOf, unansweredOf } from '../state/unanswered.ts'

const STAND_IN = '778899'
const advised = { approved: true, approval_code: STAND_IN }

function open(opening = 10_000n) {
  const desk = new Desk()
  const { id } = desk.addAccount(opening)
  return { desk, id, card: desk.addCard(id) }
}

/** An approval of which no answer has left; `takeBack` is the platform's own reversal of it. */
function unsent(fields: Partial<TestMessage> = {}) {
  const { desk, id, card } = open()
  const first = purchase(card, 1_000n, fields)
  const answer = desk.ask(first)
  const unanswered = unansweredOf(first, answer)
  assert.ok(unanswered)
  const { rrn = '' } = first
  const takeBack = () =>
    desk.ask({
      ...about(first, { message_type: '0420' }),
      ...namesOf(unanswered),
      unanswered,
    })
  const standIn = (amount = first.amount) =>
    about(first, { message_type: '0120', amount, advised_approval: advised, original: { rrn } })
  const present = (amount: bigint, original: TestMessage['original'] = {}) =>
    about(first, {
      message_type: '0220',
      amount,
      original: { rrn, approval_code: STAND_IN, ...original },
    })
  return { desk, id, card, first, answer, takeBack, standIn, present }
}

const namings: readonly (readonly [string, (first: TestMessage) => TestMessage['original']])[] = [
  ['the retrieval reference', () => ({})],
  ['DE90', (first) => ({ message_key: nameOf(first) })],
]

describe('after the platform took an approval back', () => {
  test('an advice of an approval holds, beyond the funds too', () => {
    const { desk, id, takeBack, standIn } = unsent()
    takeBack()
    assert.equal(desk.account(id).held, 0n)
    const answer = desk.ask(standIn(20_000n))
    assert.partialDeepStrictEqual(answer, { status_code: '0000', approved: true })
    assert.partialDeepStrictEqual(desk.row(answer), { status: 'PENDING', approval_code: STAND_IN })
    assert.equal(desk.account(id).held, 20_000n)
  })

  for (const [how, naming] of namings) {
    test(`its presentment by ${how} clears the hold of the advice`, () => {
      const { desk, id, first, takeBack, standIn, present } = unsent()
      takeBack()
      const held = desk.ask(standIn())
      assert.equal(desk.ask(present(1_000n, naming(first))).status_code, '0000')
      assert.equal(desk.row(held).status, 'SETTLED')
      assert.partialDeepStrictEqual(desk.account(id), { balance: 9_000n, held: 0n })
    })

    test(`a presentment by ${how} without an advice is posted (1857)`, () => {
      const { desk, id, first, takeBack, standIn, present } = unsent()
      takeBack()
      assert.equal(desk.ask(present(1_000n, naming(first))).status_code, '1857')
      assert.equal(desk.ask(standIn()).status_code, '0000')
      assert.partialDeepStrictEqual(desk.account(id), { balance: 9_000n, held: 0n })
    })
  }

  test('a reversal of the request by the network takes the advice back', () => {
    const { desk, id, first, takeBack, standIn } = unsent()
    takeBack()
    desk.ask(standIn())
    assert.equal(desk.ask(about(first, { message_type: '0420' })).status_code, '0000')
    assert.equal(desk.account(id).held, 0n)
  })

  test('an advice of what the network reversed itself holds nothing (1894)', () => {
    const { desk, id, first, takeBack, standIn } = unsent()
    takeBack()
    assert.equal(desk.ask(about(first, { message_type: '0420' })).status_code, '1894')
    assert.equal(desk.ask(standIn()).status_code, '1894')
    assert.equal(desk.account(id).held, 0n)
  })

  test('a repeat of the request is declined (1894)', () => {
    const { desk, first, takeBack } = unsent()
    takeBack()
    assert.partialDeepStrictEqual(desk.ask(first), { status_code: '1894', approved: false })
  })

  test('an advice of an increment that was taken back holds it again', () => {
    const { desk, id, card } = open()
    const first = purchase(card, 1_000n)
    desk.ask(first)
    const raise = about(first, { message_type: '0100', amount: 300n })
    const unanswered = unansweredOf(raise, desk.ask(raise))
    assert.ok(unanswered)
    assert.equal(desk.account(id).held, 1_300n)
    const back = { ...about(raise, { message_type: '0420' }), ...namesOf(unanswered), unanswered }
    desk.ask(back)
    assert.equal(desk.account(id).held, 1_000n)
    const { rrn = '' } = first
    const advice = { message_type: '0120', amount: 300n, advised_approval: advised } as const
    desk.ask(about(raise, { ...advice, original: { rrn } }))
    assert.equal(desk.account(id).held, 1_300n)
    desk.ask(about(first, { message_type: '0120', advised_approval: advised, original: { rrn } }))
    assert.equal(desk.account(id).held, 1_300n, 'that of the first is there')
  })
})

test('an increment after an advice of the same amount raises the hold: it may be the next', () => {
  const { desk, id, card } = open()
  const first = purchase(card, 1_000n)
  desk.ask(first)
  const { rrn = '' } = first
  const advice = { message_type: '0120', amount: 300n, advised_approval: advised } as const
  desk.ask(about(first, { ...advice, original: { rrn } }))
  assert.equal(desk.account(id).held, 1_300n)
  const raise = about(first, { message_type: '0100', amount: 300n })
  assert.partialDeepStrictEqual(desk.ask(raise), { status_code: '0000', approved: true })
  assert.equal(desk.account(id).held, 1_600n)
  desk.ask(about(raise, { message_type: '0420' }))
  assert.equal(desk.account(id).held, 1_300n)
})

for (const [first_by, then_by] of [
  ['the platform', 'the network'],
  ['the network', 'the platform'],
  ['the network', 'the network'],
] as const) {
  test(`an increment that ${first_by} reversed is not reversed again by ${then_by}`, () => {
    const { desk, id, card } = open()
    const first = purchase(card, 1_000n)
    desk.ask(first)
    const raise = about(first, { message_type: '0100', amount: 300n })
    const unanswered = unansweredOf(raise, desk.ask(raise))
    assert.ok(unanswered)
    const reverse = (by: 'the platform' | 'the network') =>
      desk.ask({
        ...about(raise, { message_type: '0420' }),
        ...(by === 'the platform' && { ...namesOf(unanswered), unanswered }),
      })
    assert.equal(reverse(first_by).status_code, '0000')
    assert.equal(reverse(then_by).status_code, '1894')
    assert.equal(desk.account(id).held, 1_000n)
  })
}

test('an advice of an increment that both have reversed holds nothing (1894)', () => {
  const { desk, id, card } = open()
  const first = purchase(card, 1_000n)
  desk.ask(first)
  const raise = about(first, { message_type: '0100', amount: 300n })
  const unanswered = unansweredOf(raise, desk.ask(raise))
  assert.ok(unanswered)
  const reversal = () => about(raise, { message_type: '0420' })
  desk.ask({ ...reversal(), ...namesOf(unanswered), unanswered })
  assert.equal(desk.ask(reversal()).status_code, '1894')
  const { rrn = '' } = first
  const advice = { message_type: '0120', amount: 300n, advised_approval: advised } as const
  assert.equal(desk.ask(about(raise, { ...advice, original: { rrn } })).status_code, '1894')
  assert.equal(desk.account(id).held, 1_000n)
})

for (const order of ['after', 'before'] as const) {
  test(`the reversal of an increment that never came is heard ${order} its advice`, () => {
    const { desk, id, card } = open()
    const first = purchase(card, 1_000n)
    desk.ask(first)
    const raise = about(first, { message_type: '0100', amount: 300n })
    const { rrn = '' } = first
    const approved = { message_type: '0120', advised_approval: advised } as const
    const advice = about(raise, { ...approved, amount: 300n, original: { rrn } })
    const reversal = () => about(raise, { message_type: '0420', amount: 300n })
    const [one, other] = order === 'after' ? [advice, reversal()] : [reversal(), advice]
    assert.equal(desk.ask(one).status_code, order === 'after' ? '0000' : '9114')
    assert.equal(desk.ask(other).status_code, order === 'after' ? '0000' : '1894')
    assert.equal(desk.ask(reversal()).status_code, '9114')
    assert.equal(desk.account(id).held, 1_000n)
  })
}

for (const answers of [1, 2]) {
  const often = answers === 1 ? 'once' : 'twice'
  test(`an advice before an increment that is answered ${often}, and never gets there, holds`, () => {
    const { desk, id, card } = open()
    const first = purchase(card, 1_000n)
    desk.ask(first)
    const raise = about(first, { message_type: '0100', amount: 300n })
    const { rrn = '' } = first
    const approved = { message_type: '0120', advised_approval: advised } as const
    desk.ask(about(raise, { ...approved, amount: 300n, original: { rrn } }))
    const unsent = Array.from({ length: answers }, () => unansweredOf(raise, desk.ask(raise)))
    assert.equal(desk.account(id).held, 1_600n)
    for (const unanswered of unsent) {
      assert.ok(unanswered)
      desk.ask({ ...about(raise, { message_type: '0420' }), ...namesOf(unanswered), unanswered })
    }
    assert.equal(desk.account(id).held, 1_300n)
    const reverse = () => desk.ask(about(raise, { message_type: '0420' })).status_code
    assert.deepEqual([reverse(), desk.account(id).held], ['0000', 1_000n])
    assert.deepEqual([reverse(), desk.account(id).held], ['1894', 1_000n])
  })
}

test('the reversal of an increment that was declined takes back what its advice holds', () => {
  const { desk, id, card } = open(1_200n)
  const first = purchase(card, 1_000n)
  desk.ask(first)
  const raise = about(first, { message_type: '0100', amount: 300n })
  assert.equal(desk.ask(raise).status_code, '1016')
  const { rrn = '' } = first
  const approved = { message_type: '0120', advised_approval: advised } as const
  desk.ask(about(raise, { ...approved, amount: 300n, original: { rrn } }))
  assert.equal(desk.account(id).held, 1_300n)
  assert.equal(desk.ask(about(raise, { message_type: '0420' })).status_code, '0000')
  assert.equal(desk.account(id).held, 1_000n)
})

test('a reversal of a completion that comes first leaves the advice of the request in force', () => {
  const { desk, id, takeBack, present, standIn } = unsent()
  takeBack()
  const completion = present(1_000n)
  const original = { message_key: nameOf(completion) }
  const reversal = about(completion, { message_type: '0420', original })
  assert.equal(desk.ask(reversal).status_code, '9114')
  assert.equal(desk.ask(standIn()).status_code, '0000')
  assert.equal(desk.account(id).held, 1_000n)
})

describe('an approval that the network relies on is not taken back', () => {
  test('after an advice of it', () => {
    const { desk, id, takeBack, standIn, present } = unsent()
    desk.ask(standIn())
    assert.partialDeepStrictEqual(takeBack(), { status_code: '0000', amount: 0n })
    assert.equal(desk.account(id).held, 1_000n)
    assert.equal(desk.ask(present(1_000n)).status_code, '0000')
    assert.partialDeepStrictEqual(desk.account(id), { balance: 9_000n, held: 0n })
  })

  test('after its presentment', () => {
    const { desk, id, answer, takeBack, present } = unsent()
    const { approval_code = '' } = answer
    desk.ask(present(400n, { approval_code }))
    takeBack()
    assert.partialDeepStrictEqual(desk.account(id), { balance: 9_600n, held: 600n })
  })

  for (const message_type of ['0100', '0200'] as const) {
    test(`after a repeat of a ${message_type} was answered; the answer to that is one more`, () => {
      const { desk, first, answer, takeBack } = unsent({ message_type })
      const again = desk.ask(first)
      assert.partialDeepStrictEqual(again, { approved: true, repeated: true, answer_number: 2 })
      takeBack()
      assert.notEqual(desk.row(answer).status, 'VOIDED')
      const other = unansweredOf(first, again)
      assert.ok(other)
      const back = about(first, { message_type: '0420' })
      desk.ask({ ...back, ...namesOf(other), unanswered: other })
      assert.equal(desk.row(answer).status, 'VOIDED')
      assert.equal(desk.ask(first).status_code, '1894')
    })
  }
})

test('an advice after its presentment releases what was held for the lost answer', () => {
  const { desk, id, answer, standIn, present } = unsent()
  assert.equal(desk.ask(present(1_000n)).status_code, '1857')
  assert.partialDeepStrictEqual(desk.account(id), { balance: 9_000n, held: 1_000n })
  desk.ask(standIn())
  assert.equal(desk.row(answer).status, 'SETTLED')
  assert.partialDeepStrictEqual(desk.account(id), { balance: 9_000n, held: 0n })
})

test('an advice of more than was approved in part holds the rest', () => {
  const { desk, id } = open(600n)
  const card = desk.addCard(id, { partial_approval: true })
  const first = purchase(card, 1_000n, { partial_capable: true })
  assert.equal(desk.ask(first).amount, 600n)
  const { rrn = '' } = first
  const approved = { message_type: '0120', advised_approval: advised } as const
  desk.ask(about(first, { ...approved, original: { rrn } }))
  assert.equal(desk.account(id).held, 1_000n)
})

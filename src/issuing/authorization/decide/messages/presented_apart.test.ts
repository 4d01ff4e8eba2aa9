/**
 * A presentment under an approval code that is not known yet is posted apart (1857), and its amount
 * of the authorization is not held (D-316, D-529).
 */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { about, Desk, nameOf, purchase, type TestMessage } from '#test/support/desk.ts'

const STAND_IN = '778899'

describe('the reversal of one of several approvals that were presented before they came', () => {
  test('leaves the others, so that what comes next is held as in any other order', () => {
    for (const isAdvisedFirst of [false, true]) {
      const { desk, id, first } = unasked()
      const { rrn = '' } = first
      const original = { rrn }
      const advised = (message: TestMessage) =>
        about(message, {
          message_type: '0120',
          amount: message.amount,
          original,
          advised_approval: { approved: true, approval_code: STAND_IN },
        })
      const raise = about(first, { message_type: '0100', amount: 300n, original })
      const other = about(first, { message_type: '0100', amount: 200n, original })
      const whole = advised(first)
      desk.ask(about(first, { message_type: '0220', amount: 650n, original }))
      desk.ask(raise)
      desk.ask(advised(other))
      if (isAdvisedFirst) desk.ask(whole)
      desk.ask(about(other, { message_type: '0420' }))
      if (!isAdvisedFirst) desk.ask(whole)
      const { balance, held } = desk.account(id)
      assert.deepEqual({ balance, held }, { balance: 9_350n, held: 650n })
    }
  })
})

/** A request of 1,000 that has not come, and a balance of 10,000. */
function unasked() {
  const desk = new Desk()
  const { id } = desk.addAccount(10_000n)
  return { desk, id, first: purchase(desk.addCard(id), 1_000n) }
}

/** An authorization of 1,000 of a balance of 10,000, or what is declined for want of funds. */
function open(amount = 1_000n) {
  const desk = new Desk()
  const { id } = desk.addAccount(10_000n)
  const first = purchase(desk.addCard(id), amount)
  const answer = desk.ask(first)
  const { rrn = '' } = first
  const advise = (amount: bigint, approval_code: string) =>
    desk.ask(
      about(first, {
        message_type: '0120',
        amount,
        original: { rrn },
        advised_approval: { approved: true, approval_code },
      }),
    )
  const completion = (amount: bigint) =>
    about(first, {
      message_type: '0220',
      amount,
      original: { rrn, approval_code: STAND_IN },
    })
  const reverse = (message: TestMessage, fields: Partial<TestMessage> = {}) =>
    desk.ask(about(message, { message_type: '0420', ...fields }))
  const funds = () => {
    const { balance, held } = desk.account(id)
    return { balance, held }
  }
  return { desk, first, answer, advise, completion, reverse, funds }
}

describe('the reversal of a presentment that was posted apart', () => {
  test('is held for again by the advice that came after it', () => {
    const { desk, answer, advise, completion, reverse, funds } = open()
    const presented = completion(1_000n)
    assert.equal(desk.ask(presented).status_code, '1857')
    advise(1_000n, STAND_IN)
    assert.deepEqual(funds(), { balance: 9_000n, held: 0n })
    reverse(presented)
    assert.deepEqual(funds(), { balance: 10_000n, held: 1_000n })
    const { status, hold_expires } = desk.row(answer)
    assert.equal(status, 'PENDING')
    assert.ok(hold_expires)
  })

  test('is held for by the request that came after an advice that was reversed', () => {
    const { desk, id, first } = unasked()
    const { rrn = '' } = first
    const presented = about(first, { message_type: '0220', amount: 1_000n, original: { rrn } })
    assert.equal(desk.ask(presented).status_code, '1857')
    const raise = about(first, { message_type: '0100', amount: 300n, original: { rrn } })
    const advised_approval = { approved: true, approval_code: STAND_IN }
    desk.ask(
      about(raise, { message_type: '0120', amount: 300n, advised_approval, original: { rrn } }),
    )
    desk.ask(about(raise, { message_type: '0420' }))
    desk.ask(first)
    desk.ask(
      about(presented, { message_type: '0420', original: { message_key: nameOf(presented), rrn } }),
    )
    const { balance, held } = desk.account(id)
    assert.deepEqual({ balance, held }, { balance: 10_000n, held: 1_000n })
  })

  test('in part is held for in part', () => {
    const { desk, advise, completion, reverse, funds } = open()
    const presented = completion(1_000n)
    desk.ask(presented)
    advise(1_000n, STAND_IN)
    reverse(presented, { remaining_amount: 400n })
    assert.deepEqual(funds(), { balance: 9_600n, held: 600n })
  })

  test('of more than was authorized is held for up to that', () => {
    const { desk, advise, completion, reverse, funds } = open()
    const presented = completion(1_500n)
    desk.ask(presented)
    advise(1_000n, STAND_IN)
    reverse(presented, { remaining_amount: 900n })
    assert.deepEqual(funds(), { balance: 9_100n, held: 100n })
  })

  test('before its advice leaves nothing that the advice would miss', () => {
    const { desk, advise, completion, reverse, funds } = open()
    const presented = completion(1_000n)
    desk.ask(presented)
    reverse(presented)
    advise(1_000n, STAND_IN)
    assert.deepEqual(funds(), { balance: 10_000n, held: 1_000n })
  })
})

test('the next presentment claims the authorization, not the presentment before it', () => {
  const { desk, advise, completion, funds } = open()
  assert.equal(desk.ask(completion(400n)).status_code, '1857')
  advise(1_000n, STAND_IN)
  assert.equal(desk.ask(completion(600n)).status_code, '0000')
  assert.deepEqual(funds(), { balance: 9_000n, held: 0n })
})

test('an advice of an increment releases what was presented under its code', () => {
  const { desk, advise, completion, funds } = open()
  assert.equal(desk.ask(completion(800n)).status_code, '1857')
  advise(300n, STAND_IN)
  assert.deepEqual(funds(), { balance: 9_200n, held: 500n })
})

test('a presentment under a code that has not come yet is not of what was declined', () => {
  const { desk, answer, advise, completion, funds } = open(20_000n)
  assert.equal(answer.approved, false)
  advise(20_000n, '112233')
  assert.equal(desk.ask(completion(500n)).status_code, '1857')
  assert.deepEqual(funds(), { balance: 9_500n, held: 20_000n })
})

test('a declined request whose advice was raised later is reversed by its own amount', () => {
  const { desk, first, advise, reverse, funds } = open(20_000n)
  advise(20_000n, STAND_IN)
  advise(300n, '112233')
  assert.deepEqual(funds(), { balance: 10_000n, held: 20_300n })
  assert.equal(reverse(first).status_code, '0000')
  assert.deepEqual(funds(), { balance: 10_000n, held: 300n })
  assert.equal(desk.row(desk.ask(first)).status, 'DECLINED')
})

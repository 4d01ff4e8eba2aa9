/** Orders of messages that once ended otherwise than others (D-950). */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { about, Desk, purchase, type TestMessage } from '#test/support/desk.ts'

/** An authorization of this amount, and one that raises it, which is asked for if it says so. */
function open(amount: bigint, raised: bigint, balance = 1_000n) {
  const desk = new Desk()
  const { id } = desk.addAccount(balance)
  const first = purchase(desk.addCard(id), amount)
  const { rrn = '' } = first
  const raise = about(first, { message_type: '0100', amount: raised, original: { rrn } })
  const advised_approval = { approved: true, approval_code: '778899' }
  const fields = { message_type: '0120', amount: raised, advised_approval } as const
  const advice = about(raise, { ...fields, original: { rrn } })
  const reversal = (of: TestMessage, stays?: bigint) =>
    about(of, { message_type: '0420', ...(stays !== undefined && { remaining_amount: stays }) })
  const held = () => desk.account(id).held
  return { desk, first, raise, advice, reversal, held }
}

test('the reversal of a declined increment is heard before its advice', () => {
  const { desk, first, raise, advice, reversal, held } = open(100n, 2_000n)
  for (const message of [first, raise, reversal(raise), advice]) desk.ask(message)
  assert.equal(held(), 100n)
})

test('a reversal that leaves a part of an increment leaves it before the advice of it', () => {
  const { desk, first, raise, advice, reversal, held } = open(100n, 30n)
  for (const message of [first, reversal(raise, 115n), advice]) desk.ask(message)
  assert.equal(held(), 115n)
})

test('a hold that was raised and lowered can be lowered again, and cancelled', () => {
  const { desk, first, raise, reversal, held } = open(50n, 100n)
  for (const message of [first, raise, reversal(first, 60n)]) desk.ask(message)
  assert.equal(held(), 60n)
  desk.ask(reversal(first, 55n))
  assert.equal(held(), 55n)
  desk.ask(reversal(first))
  assert.equal(held(), 5n)
  desk.ask(reversal(first, 0n))
  assert.equal(held(), 0n)
})

test('what is presented of a declined request before its advice is posted, and held no more', () => {
  const { desk, first, held } = open(5_000n, 1n)
  const { rrn = '' } = first
  assert.equal(desk.ask(first).approved, false)
  const original = { rrn }
  desk.ask(about(first, { message_type: '0220', amount: 3_000n, original }))
  const advised_approval = { approved: true, approval_code: '778899' }
  desk.ask(about(first, { message_type: '0120', advised_approval, original }))
  assert.equal(held(), 2_000n)
})

test('a hold is held again after its presentment, whatever was reversed before its request', () => {
  const { desk, first, raise, advice, reversal, held } = open(100n, 30n)
  const presentment = about(first, { message_type: '0220', original: { rrn: first.rrn ?? '' } })
  for (const message of [presentment, advice, reversal(raise), first]) desk.ask(message)
  assert.equal(held(), 0n)
  desk.ask(reversal(presentment))
  assert.equal(held(), 100n)
})

test('a part of an increment is reversed after a presentment of its amount was taken back', () => {
  const { desk, first, raise, advice, reversal, held } = open(100n, 30n)
  const original = { rrn: first.rrn ?? '' }
  const presentment = about(first, { message_type: '0220', amount: 115n, original })
  for (const message of [presentment, advice, reversal(presentment)]) desk.ask(message)
  const advised_approval = { approved: true, approval_code: '665544' }
  desk.ask(about(first, { message_type: '0120', advised_approval, original }))
  desk.ask(first)
  assert.equal(held(), 130n)
  desk.ask(reversal(raise, 115n))
  assert.equal(held(), 115n)
})

test('a reversal that leaves nothing of what was presented leaves nothing of it to be held', () => {
  const { desk, first, reversal, held } = open(100n, 30n)
  const presentment = about(first, { message_type: '0220', original: { rrn: first.rrn ?? '' } })
  for (const message of [first, presentment, reversal(first, 0n)]) desk.ask(message)
  desk.ask({ ...reversal(presentment), remaining_amount: 60n })
  assert.equal(held(), 0n)
  desk.ask(reversal(presentment))
  assert.equal(held(), 0n)
})

test('a hold and its account agree after a presentment before it is taken back', () => {
  const { desk, first, reversal, held } = open(300n, 1n)
  const { rrn = '' } = first
  const present = (amount: bigint, approval_code?: string) => {
    const original = { rrn, ...(approval_code !== undefined && { approval_code }) }
    return about(first, { message_type: '0220', amount, original })
  }
  const before = present(1n)
  // Its code is of no approval that is known here, so it is posted apart.
  for (const message of [before, first, present(200n, '424242')]) desk.ask(message)
  assert.equal(held(), 299n)
  desk.ask(reversal(before))
  const holds = [...desk.transactions.values()].map((row) => row.held)
  assert.deepEqual([held(), holds.reduce((sum, one) => sum + one, 0n)], [100n, 100n])
})

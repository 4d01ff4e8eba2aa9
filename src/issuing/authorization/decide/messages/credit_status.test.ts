/** Money for the cardholder and the status of card, user and account (D-118). */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Desk, purchase } from '#test/support/desk.ts'

const inactive = [
  ['SUSPENDED', 'S0', '1003'],
  ['INACTIVE', 'I0', '1806'],
  ['TERMINATED', 'T2', '1809'],
  ['TERMINATED', 'T3', '1816'],
  ['TERMINATED', 'T4', '1001'],
] as const

for (const code of ['210000', '220000', '260000', '280000']) {
  test(`a credit ${code} does not reach a card that is not ACTIVE, or whose user is not`, () => {
    const desk = new Desk()
    const account = desk.addAccount(0n)
    const credit = { message_type: '0200', processing_code: code } as const
    for (const [status, status_reason_code, declined] of inactive) {
      const card = desk.addCard(account.id, { status, status_reason_code })
      assert.equal(desk.ask(purchase(card, 500n, credit)).status_code, declined)
    }
    const ofSuspended = desk.addCard(account.id, { user_status: 'SUSPENDED' })
    assert.equal(desk.ask(purchase(ofSuspended, 500n, credit)).status_code, '1892')
    const ofNone = desk.addCard(account.id, { user_id: null, user_status: null })
    assert.equal(desk.ask(purchase(ofNone, 500n, credit)).status_code, '1019')
    assert.equal(desk.account(account.id).balance, 0n)
    assert.equal(desk.transfers.length, 0)
    const good = desk.addCard(account.id)
    assert.equal(desk.ask(purchase(good, 500n, credit)).status_code, '0000')
    assert.equal(desk.account(account.id).balance, 500n)
  })
}

test('a refund is credited whatever the card and its user are', () => {
  const desk = new Desk()
  const account = desk.addAccount(0n)
  const refund = { message_type: '0200', processing_code: '200000' } as const
  for (const [status, status_reason_code] of inactive) {
    const card = desk.addCard(account.id, { status, status_reason_code })
    assert.equal(desk.ask(purchase(card, 100n, refund)).status_code, '0000')
  }
  const ofSuspended = desk.addCard(account.id, { user_status: 'SUSPENDED' })
  assert.equal(desk.ask(purchase(ofSuspended, 100n, refund)).status_code, '0000')
  assert.equal(desk.account(account.id).balance, 600n)
})

test('a refund needs an ACTIVE account: 1019 without one, or where it is another', () => {
  const desk = new Desk()
  const refund = { message_type: '0200', processing_code: '200000' } as const
  assert.equal(desk.ask(purchase(desk.addCard(null), 100n, refund)).status_code, '1019')
  for (const status of ['INACTIVE', 'SUSPENDED'] as const) {
    const account = desk.addAccount(0n, { status })
    const card = desk.addCard(account.id)
    assert.equal(desk.ask(purchase(card, 100n, refund)).status_code, '1019')
    assert.equal(desk.account(account.id).balance, 0n)
  }
})

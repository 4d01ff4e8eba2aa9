import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ruleOnAccountStatus, ruleOnMovement, ruleOnTransfer } from './rules.ts'
import type { AccountStatus } from './schema.ts'

const statuses: AccountStatus[] = ['ACTIVE', 'INACTIVE', 'SUSPENDED']

for (const status of statuses) {
  const expected = status === 'ACTIVE' ? 'allowed' : 'account_not_active'
  test(`money moves on an account that is ${status}: ${expected}`, () => {
    const ruling = ruleOnMovement({ id: 'a', status })
    assert.equal(ruling.ok ? 'allowed' : ruling.code, expected)
  })

  for (const wanted of statuses) {
    const moved = status === wanted ? 'account_status_move_refused' : wanted
    test(`${status} to ${wanted}: ${moved}`, () => {
      const ruling = ruleOnAccountStatus({ id: 'a', status }, wanted)
      assert.equal(ruling.ok ? ruling.value : ruling.code, moved)
    })
  }
}

test('a transfer needs the product of the sender and that of the recipient, asked in this order', () => {
  const codeOf = (outgoing_transfers?: boolean, incoming_transfers?: boolean) => {
    const sender = outgoing_transfers === undefined ? {} : { outgoing_transfers }
    const recipient = incoming_transfers === undefined ? {} : { incoming_transfers }
    const ruling = ruleOnTransfer(
      // Of the other direction they may say what they like.
      { id: 'a', auth_settings: { ...sender, incoming_transfers: false } },
      { id: 'b', auth_settings: { ...recipient, outgoing_transfers: false } },
    )
    return ruling.ok ? 'allowed' : ruling.code
  }
  for (const set of [undefined, true]) {
    assert.equal(codeOf(set, set), 'allowed')
    assert.equal(codeOf(set, false), 'incoming_transfers_not_allowed')
    assert.equal(codeOf(false, set), 'outgoing_transfers_not_allowed')
  }
  assert.equal(codeOf(false, false), 'outgoing_transfers_not_allowed')
})

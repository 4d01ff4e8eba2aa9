import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ruleOnAccountStatus, ruleOnMovement, ruleOnTransfer } from './rules.ts'
import type { AccountStatus } from './schema.ts'

const statuses: AccountStatus[] = ['ACTIVE', 'INACTIVE', 'SUSPENDED']

for (const status of statuses) {
  const expected = status === 'ACTIVE' ? 'allowed' : 'account_not_active'
  test(`money moves on an account that is ${status}: ${expected}`, () => {
    const result = ruleOnMovement({ id: 'a', status })
    assert.equal(result.ok ? 'allowed' : result.code, expected)
  })

  for (const wanted of statuses) {
    const moved = status === wanted ? 'account_status_move_refused' : wanted
    test(`${status} to ${wanted}: ${moved}`, () => {
      const result = ruleOnAccountStatus({ id: 'a', status }, wanted)
      assert.equal(result.ok ? result.value : result.code, moved)
    })
  }
}

test('a transfer needs the product of the sender and that of the recipient, asked in this order', () => {
  const codeOf = (outgoing_transfers?: boolean, incoming_transfers?: boolean) => {
    const sender = outgoing_transfers === undefined ? {} : { outgoing_transfers }
    const recipient = incoming_transfers === undefined ? {} : { incoming_transfers }
    const result = ruleOnTransfer(
      // Of the other direction they may say what they like.
      { id: 'a', auth_settings: { ...sender, incoming_transfers: false } },
      { id: 'b', auth_settings: { ...recipient, outgoing_transfers: false } },
    )
    return result.ok ? 'allowed' : result.code
  }
  for (const set of [undefined, true]) {
    assert.equal(codeOf(set, set), 'allowed')
    assert.equal(codeOf(set, false), 'incoming_transfers_not_allowed')
    assert.equal(codeOf(false, set), 'outgoing_transfers_not_allowed')
  }
  assert.equal(codeOf(false, false), 'outgoing_transfers_not_allowed')
})

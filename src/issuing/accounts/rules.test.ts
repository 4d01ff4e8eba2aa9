import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAccountStatus, checkMovement, checkTransfer, daysLeft } from './rules.ts'
import type { AccountStatus } from './schema.ts'

const statuses: AccountStatus[] = ['ACTIVE', 'INACTIVE', 'SUSPENDED']

for (const status of statuses) {
  const expected = status === 'ACTIVE' ? 'allowed' : 'account_not_active'
  test(`money moves on an account that is ${status}: ${expected}`, () => {
    const result = checkMovement({ id: 'a', status })
    assert.equal(result.ok ? 'allowed' : result.code, expected)
  })

  for (const new_status of statuses) {
    const moved = status === new_status ? 'account_status_move_refused' : new_status
    test(`${status} to ${new_status}: ${moved}`, () => {
      const result = checkAccountStatus({ id: 'a', status }, new_status)
      assert.equal(result.ok ? result.value : result.code, moved)
    })
  }
}

test('a transfer needs the product of the sender and that of the recipient, in this order', () => {
  const codeOf = (outgoing_transfers?: boolean, incoming_transfers?: boolean) => {
    const sender = outgoing_transfers === undefined ? {} : { outgoing_transfers }
    const recipient = incoming_transfers === undefined ? {} : { incoming_transfers }
    const result = checkTransfer(
      // The settings of the other direction do not count.
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

const DAY = 86_400_000
const NOW = new Date('2026-03-10T00:00:00Z')
const drawings: [name: string, available: bigint, drawn: bigint, days: number, left?: number][] = [
  ['as much each day as in seven', 1000n, 700n, 7, 10],
  ['less than a day of it as one', 1000n, 100n, 0.01, 10],
  ['no part of a day', 1050n, 100n, 1, 10],
  ['nothing for what is used up', 0n, 100n, 1, 0],
  ['no end where nothing is drawn', 1000n, 0n, 7],
]
for (const [name, available, drawn, days, left] of drawings) {
  test(`funding lasts ${name}`, () => {
    const since = new Date(NOW.getTime() - days * DAY)
    assert.equal(daysLeft({ available, drawn, since, now: NOW }), left)
  })
}

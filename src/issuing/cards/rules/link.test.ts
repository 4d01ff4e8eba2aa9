import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkLink } from './link.ts'

// status user account | target: user account | result; - is none
const table = `
  ACTIVE     - - | u - | allowed
  ACTIVE     - - | u a | allowed
  ACTIVE     - a | u - | allowed
  ACTIVE     - a | u a | allowed
  ACTIVE     - a | u A | allowed
  ACTIVE     - a | u b | card_already_linked
  ACTIVE     u - | u - | allowed
  ACTIVE     u - | U a | allowed
  ACTIVE     u - | v - | card_already_linked
  ACTIVE     u a | u - | card_already_linked
  ACTIVE     u a | u a | card_already_linked
  ACTIVE     u a | u b | card_already_linked
  ACTIVE     u a | v - | card_already_linked
  INACTIVE   - - | u - | allowed
  SUSPENDED  - a | u - | allowed
  TERMINATED - - | u - | card_terminated
  TERMINATED u a | v b | card_terminated`

const known = (word: string | undefined) => (word === '-' ? undefined : word)
for (const line of table.trim().split('\n')) {
  test(line.trim().replace(/\s+/g, ' '), () => {
    const [status, user, account, to = '', on, expected] = line
      .replaceAll('|', ' ')
      .trim()
      .split(/\s+/)
    const account_id = known(on)
    const result = checkLink(
      {
        status: status as 'ACTIVE',
        user_id: known(user) ?? null,
        account_id: known(account) ?? null,
      },
      { user_id: to, ...(account_id !== undefined && { account_id }) },
    )
    assert.equal(result.ok ? 'allowed' : result.code, expected)
  })
}

/** Loads beside the locks of other transactions (D-935). */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertFundingFree, closeGate } from '#test/support/gate.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { linkLimit } from '#test/support/limits.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const issuer = await openIssuer(world)

test('a load that waits for the counters of its user does not hold the funding', async () => {
  const { account_id, user_id } = await issuer.card(0)
  const limit = { type: 'PER_USER', max_amount: 100 }
  await linkLimit(issuer, 'balancelimits', `users/${user_id}`, limit)
  const load = () =>
    issuer.call('POST', `/v1/accounts/${account_id}:loadfunds`, { currency: 'AED', amount: 1 })
  // The first one makes the row of the counters.
  assert.equal((await load()).status, 200)
  const row = { tenant_id: world.tenant.id, id: user_id }
  const gate = await closeGate(world.url, row, { table: 'user_counters', key: 'user_id' })
  const loading = load()
  await gate.untilBlocked()
  await assertFundingFree(world)
  await gate.open()
  assert.equal((await loading).status, 200)
  assert.equal((await issuer.account(account_id)).balance, 2)
})

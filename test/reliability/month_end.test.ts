/** A message that two processes decide at the end of a month (D-399). */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { Engine } from '#issuing/authorization/authorization.ts'
import { openDatabase } from '#kit/db/database.ts'
import { newId } from '#lib/id.ts'
import { purchase } from '#test/support/desk.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { assertSound } from '#test/support/oracle.ts'
import { openProxy } from '#test/support/proxy.ts'
import { until } from '#test/support/receiver.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
const issuer = await openIssuer(world)
const proxy = await openProxy(world.url)
const far = openDatabase(proxy.url, 4)
const slow = new Engine({ ...world.services, db: far.batches })
after(async () => {
  await slow.drain()
  await far.close()
  await proxy.close()
  await world[Symbol.asyncDispose]()
})

test('makes one transaction, also with ids on different sides of it', async (t) => {
  const card = await issuer.card(100)
  const messages = [purchase(card, 1_000n), purchase({ card_id: newId() }, 1_000n)]
  const submit = (to: Engine) =>
    Promise.all(messages.map((request) => to.submit(world.tenant.id, { request })))
  await submit(slow)
  for (const [at] of messages.entries()) {
    messages[at] = purchase(at === 0 ? card : { card_id: newId() }, 1_000n)
  }
  const today = new Date()
  const end = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1)
  t.mock.timers.enable({ apis: ['Date'], now: end - 1_000 })
  const stalling = proxy.stall('begin')
  const before = submit(slow)
  const line = await stalling
  await until('it is sent', () => line.commits() === 1)
  t.mock.timers.setTime(end + 1_000)
  const behind = await submit(world.engine)
  line.pass()
  for (const [at, answer] of (await before).entries()) {
    assert.ok(answer.repeated)
    assert.equal(answer.transaction_id, behind[at]?.transaction_id)
  }
  const { rows } = await sql<{ month: string; count: bigint }>`
    select tableoid::regclass::text as month, count(*) from transactions
    where message_key = any (${messages.map((one) => one.duplicate_key)}::text[])
    group by 1`.execute(world.db)
  assert.deepEqual(
    rows.map(({ count }) => count),
    [2n],
  )
  assert.equal((await issuer.account(card.account_id)).held, 20)
  await assertSound(world.db)
})

/** A message that two processes decide at the end of a month (D-399). */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { Engine } from '#issuing/authorization/authorization.ts'
import type { AuthorizationAnswer } from '#issuing/authorization/schema.ts'
import { openDatabase } from '#kit/db/database.ts'
import { newId } from '#lib/id.ts'
import { urlOfTenant } from '#test/support/cluster/nodes.ts'
import { purchase, type TestMessage } from '#test/support/desk.ts'
import { assertSound } from '#test/support/inspection/oracle.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { AT_ONCE } from '#test/support/processes/second_engine.ts'
import { openProxy, type Stalled } from '#test/support/services/proxy.ts'
import { until } from '#test/support/services/receiver.ts'
import { openWorld } from '#test/support/world.ts'

const keep = keeper()
const world = keep(await openWorld())
const issuer = await openIssuer(world)
const proxy = keep(await openProxy(await urlOfTenant(world.url, world.tenant.id)))
const far = keep(openDatabase(proxy.url, 4))
const slow = new Engine({ ...world.services, db: far.batches }, AT_ONCE)
keep({ close: () => slow.drain() })

test('makes one transaction, also with ids on different sides of it', async (t) => {
  const card = await issuer.card(100)
  // The declined one changes no account whose version could differ.
  const messages = [purchase({ card_id: newId() }, 1_000n), purchase(card, 1_000n)]
  const submit = (to: Engine, request: TestMessage) => to.submit(world.tenant.id, { request })
  await submit(slow, purchase(card, 1_000n))

  const today = new Date()
  const end = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1)
  t.mock.timers.enable({ apis: ['Date'], now: end - 1_000 })
  const stalling = proxy.stall('begin')
  const before: Promise<AuthorizationAnswer>[] = []
  let line: Stalled | undefined
  for (const message of messages) {
    before.push(submit(slow, message))
    line ??= await stalling
    const { commits } = line
    await until('it is sent', () => commits() === before.length)
  }
  t.mock.timers.setTime(end + 1_000)
  const other = await Promise.all(messages.map((message) => submit(world.engine, message)))
  line?.pass()
  for (const [at, answer] of (await Promise.all(before)).entries()) {
    assert.ok(answer.repeated)
    assert.equal(answer.transaction_id, other[at]?.transaction_id)
  }
  const { rows } = await sql`
    select from transactions
    where message_key = any (${messages.map((one) => one.duplicate_key)}::text[])`.execute(world.db)
  assert.equal(rows.length, messages.length)
  assert.equal((await issuer.account(card.account_id)).held, 20)
  await assertSound(world.db)
})

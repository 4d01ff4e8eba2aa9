/** The queue of messages: one that does not fit or cannot be written is lost, and is counted. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { keeper } from '#test/support/keeper.ts'
import { sale } from '#test/support/network/messages.ts'
import { openWorld } from '#test/support/world.ts'
import { metrics } from './metrics.ts'
import { WireLog } from './wire_messages.ts'

const PLACES = 1_000
const keep = keeper()
const world = keep(await openWorld())
const tenant_id = world.tenant.id
const newLog = () => new WireLog(world.services.db, world.log)

const exchange = (transaction_id = newId()) => {
  const received = { message: sale({ pan: '4000005621471607', amount: 1n }), bytes: 200 }
  const sent = { message: { mti: '0110', fields: { 39: '00' } }, bytes: 40 }
  const at = performance.now()
  return {
    ...({ transaction_id, source: 'NETWORK', whole: true } as const),
    received: { ...received, at },
    sent: { ...sent, at },
  }
}
const rowsOf = (transaction_id: string) =>
  world.db
    .selectFrom('wire_messages')
    .select(['direction', 'mti', 'bytes'])
    .where('tenant_id', '=', tenant_id)
    .where('transaction_id', '=', transaction_id)
    .orderBy('created')
    .orderBy('id')
    .execute()
const dropped = async () => (await metrics.wireMessagesDropped.get()).values[0]?.value ?? 0

test('an exchange is written with its answer, and without one that could not leave', async () => {
  const log = newLog()
  const [whole, unsent, silent] = [exchange(), exchange(), { ...exchange(), sent: null }]
  log.put(tenant_id, whole)
  const forget = log.put(tenant_id, unsent)
  log.put(tenant_id, silent)
  forget()
  await log.flush()
  const received = { direction: 'RECEIVED', mti: '0100', bytes: 200 }
  const sent = { direction: 'SENT', mti: '0110', bytes: 40 }
  assert.deepEqual(await rowsOf(whole.transaction_id), [received, sent])
  assert.deepEqual(await rowsOf(unsent.transaction_id), [received])
  assert.deepEqual(await rowsOf(silent.transaction_id), [received])
})

test('of a full queue the oldest is dropped and counted, of this tenant alone', async () => {
  const log = newLog()
  const quiet = await world.otherTenant()
  const kept = exchange()
  log.put(quiet.id, kept)
  const ids = Array.from({ length: PLACES + 2 }, () => newId())
  const before = await dropped()
  for (const id of ids) log.put(tenant_id, exchange(id))
  assert.equal((await dropped()) - before, 2)
  await log.flush()
  assert.deepEqual(await rowsOf(ids[1] ?? ''), [])
  assert.equal((await rowsOf(ids[2] ?? '')).length, 2)
  assert.equal((await rowsOf(ids.at(-1) ?? '')).length, 2)
  const rows = await world.db
    .selectFrom('wire_messages')
    .select('id')
    .where('tenant_id', '=', quiet.id)
    .execute()
  assert.equal(rows.length, 2)
})

test('what cannot be written is lost, counted and logged, and nobody waits for it', async () => {
  const log = newLog()
  const before = await dropped()
  // No tenant has this id: the statement fails.
  log.put('x', exchange())
  await log.flush()
  assert.equal((await dropped()) - before, 1)
  assert.ok(world.logged.some((line) => line.includes('were not recorded')))
})

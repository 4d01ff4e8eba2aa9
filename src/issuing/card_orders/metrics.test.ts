/** The metrics of batches on their way to the bureau: sent ones, and failures by their reason. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { readAdapters } from '#adapters/adapter.ts'
import { registry } from '#adapters/registry.ts'
import { createLog } from '#kit/log.ts'
import { ApiError, TransientError } from '#lib/result.ts'
import { cardholder } from '#test/support/cardholder.ts'
import { keeper } from '#test/support/keeper.ts'
import { openBureau } from '#test/support/services/bureau.ts'
import { openWorld } from '#test/support/world.ts'
import { collecting } from './collect.ts'
import { type FailureReason, metrics } from './metrics.ts'
import { type Bureau, BureauFault } from './provider.ts'
import { handingOver } from './send.ts'

const DAY = 24 * 3600_000
const keep = keeper()
const place = keep(openBureau())
const world = keep(await openWorld())
const [configured] = readAdapters(registry, place.env, { live: true, faults: [] })
const real = configured?.open().bureau
assert.ok(real)
const bureau: Bureau = real
const they = await cardholder(world, await world.otherTenant())
const log = createLog('silent')

const sent = async () => (await metrics.cardOrdersSent.get()).values[0]?.value ?? 0
const lastSent = async () => (await metrics.lastCardOrder.get()).values[0]?.value
async function failures(): Promise<Partial<Record<FailureReason, number>>> {
  const { values } = await metrics.cardOrderFailures.get()
  return Object.fromEntries(values.map(({ labels, value }) => [labels['reason'], value]))
}

async function handOver(used: Bureau): Promise<void> {
  const ctx = { ...(await they.ctx()), now: new Date((await they.ctx()).now.getTime() + 2 * DAY) }
  await collecting(bureau).run(ctx)
  await sql`update card_orders set due = ${ctx.now} where state = 'PREPARING'`.execute(world.db)
  await handingOver({ bureau: used, log }).run(ctx)
}

const failing = (error: Error): Bureau => ({ ...bureau, open: () => Promise.reject(error) })

test('a batch that fails counts by its reason, and then as one that is sent', async () => {
  // Other files of this process count too.
  const [failed, sentBefore] = [await failures(), await sent()]
  const since = async () =>
    Object.fromEntries(
      Object.entries(await failures()).map(([reason, count]) => [
        reason,
        count - (failed[reason as FailureReason] ?? 0),
      ]),
    )
  assert.deepEqual(await since(), { bureau: 0, layout: 0, unavailable: 0, fault: 0 })
  await they.issue({ card_type: 'PHYSICAL' })
  await handOver(failing(new BureauFault('the bureau is closed')))
  assert.deepEqual(await since(), { bureau: 1, layout: 0, unavailable: 0, fault: 0 })
  await handOver(failing(new TransientError('unavailable', { retry_after_seconds: 1 })))
  await handOver(failing(new ApiError('not_configured')))
  assert.deepEqual(await since(), { bureau: 1, layout: 0, unavailable: 1, fault: 1 })
  await sql`update card_orders set layout = ${JSON.stringify({
    form: 'FIXED',
    header: [{ field: 'batch', width: 1 }],
    record: [{ field: 'order_id', width: 36 }],
  })}`.execute(world.db)
  await handOver(bureau)
  assert.deepEqual(await since(), { bureau: 1, layout: 1, unavailable: 1, fault: 1 })
  assert.equal(await sent(), sentBefore)

  await sql`update card_orders set layout = null`.execute(world.db)
  await handOver(bureau)
  assert.equal(await sent(), sentBefore + 1)
  assert.ok(Date.now() / 1000 - Number(await lastSent()) < 3_600)
  assert.equal((await since())['fault'], 1)
})

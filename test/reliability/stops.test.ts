/**
 * The program is stopped in order under a shop's load: operations that have begun are finished
 * while the port that they need is still open, so no capture and no refund is answered FAILURE for
 * the stop.
 */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as pass } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#kit/db/database.ts'
import { chances, SEED } from '#test/support/chances.ts'
import { auditCrowd } from '#test/support/crowd/audit.ts'
import { authorize, captureOrder, giveBack } from '#test/support/crowd/client.ts'
import type { Crowd } from '#test/support/crowd/crowd.ts'
import { gatherCrowd } from '#test/support/crowd/stock.ts'
import { assertSound, faultsOfLog, untilQuiet } from '#test/support/inspection/oracle.ts'
import { openKillable } from '#test/support/processes/killable.ts'

const STOPS = 4
const CLIENTS = 32
const ORDERS = 160
/** The shortest time that a stop or an answer that is awaited takes before it is given up. */
const UNANSWERED_MS = 4_000
/** Between a start and the next stop. */
const [SHORTEST_MS, LONGEST_MS] = [300, 1_200]

const platform = await openKillable()
after(() => platform.close())
const crowd = await gatherCrowd(platform, { cards: 4, own_cards: 0, orders: ORDERS })

async function shop(crowd: Crowd, isOver: () => boolean): Promise<void> {
  const [card] = crowd.stock.cards
  assert.ok(card)
  while (!isOver()) {
    const reference = crowd.stock.orders.pop()
    if (reference === undefined) {
      await authorize(crowd, card.id, { currency: 'AED', amount: 0.01 })
    } else if (await captureOrder(crowd, reference)) await giveBack(crowd, reference)
  }
}

/**
 * Failures of operations whose outcome could have been known: a refund that a slow machine does not
 * answer in time is reversed, with or without a stop (D-131).
 */
async function failuresInTime(db: Db): Promise<object[]> {
  const { rows } = await sql<object>`
    select o.type, m.status, m.response_code, m.attempts, m.created::text, m.modified::text,
      r.created::text as reversal_created
    from order_operations o
    join acquirer_messages m on m.tenant_id = o.tenant_id and m.id = o.message_id
    left join acquirer_messages r on r.tenant_id = m.tenant_id and r.reverses = m.id
    where o.status = 'FAILURE'
      and not coalesce(r.created >= m.created + ${`${UNANSWERED_MS} ms`}::interval, false)`.execute(
    db,
  )
  return rows
}

test(`stopped ${STOPS} times under captures and refunds: none fails (SEED=${SEED})`, async () => {
  const chance = chances(SEED)
  let over = false
  const clients = Array.from({ length: CLIENTS }, () => shop(crowd, () => over))
  const all = Promise.all(clients)
  all.catch(() => {})
  for (let stop = 0; stop < STOPS; stop++) {
    // The moment of a stop is the one thing here that is to be a matter of time.
    await pass(SHORTEST_MS + chance() * (LONGEST_MS - SHORTEST_MS))
    await platform.stop()
    await platform.start()
  }
  over = true
  await all
  await untilQuiet(platform.db)

  const reported = crowd.answered.filter(({ kind }) => kind.startsWith('order'))
  assert.ok(reported.length > CLIENTS, `only ${reported.length} captures and refunds were made`)
  assert.deepEqual(await failuresInTime(platform.db), [])
  assert.deepEqual(await auditCrowd(platform.db, crowd), [])
  await assertSound(platform.db)
  assert.deepEqual(faultsOfLog(platform.lines()), [])
})

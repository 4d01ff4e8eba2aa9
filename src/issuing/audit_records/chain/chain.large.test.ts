/** A long audit log verifies: a million records within a minute in the deep run. */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabase } from '#kit/db/database.ts'
import { chainAll, makeRecords } from '#test/support/inspection/audit_log.ts'
import { openWorld } from '#test/support/world.ts'
import { verifyChains } from './verifying.ts'

const deep = process.env['TEST_DEEP'] === '1'
const RECORDS = deep ? 1_000_000 : 10_000
const MADE_AT_A_TIME = 10_000
const SECONDS_MAX = deep ? 60 : Number.POSITIVE_INFINITY
/** A statement may read the whole log. */
const LONGEST_MS = 600_000

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

test(`${RECORDS} records verify, whatever the planner knows of them`, async (t) => {
  const ctx = await world.ctx()
  for (let made = 0; made < RECORDS; made += MADE_AT_A_TIME) await makeRecords(ctx, MADE_AT_A_TIME)
  await chainAll(ctx)
  const { db, close } = openDatabase(world.url, 1, { longest_ms: LONGEST_MS })
  const begun = performance.now()
  const verified = await verifyChains(db)
  const seconds = (performance.now() - begun) / 1000
  await close()
  assert.deepEqual(verified, { chained: RECORDS, waiting: 0, faults: [] })
  t.diagnostic(`${RECORDS} records verified in ${seconds.toFixed(1)} s`)
  assert.ok(seconds <= SECONDS_MAX, `${seconds} s`)
})

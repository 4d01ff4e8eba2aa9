/** The sandbox clock of a tenant, moved as its clients move it (D-70). */

import assert from 'node:assert/strict'
import { addDays, formatDate } from '#lib/time.ts'
import type { TestTenant, World } from '../world.ts'

/**
 * The most answers that are awaited: a call of the outside may take longer on a busy machine than
 * one answer waits.
 */
const ANSWERS_MAX = 10

/**
 * Moves the clock to the noon of tomorrow, UTC, so that nothing is made over midnight; answers that
 * day, YYYY-MM-DD.
 */
export async function moveClockToNoon(world: Pick<World, 'request'>, tenant: TestTenant) {
  const noon = addDays(new Date(), 1)
  noon.setUTCHours(12, 0, 0, 0)
  await moveClockTo(world, tenant, noon)
  return formatDate(noon)
}

/** Moves the clock to an instant; returns once all that became due has ended. */
export async function moveClockTo(
  { request }: Pick<World, 'request'>,
  { api_key: key }: TestTenant,
  now: Date,
): Promise<void> {
  const move = async (body: object) => {
    const answer = await request('PUT', '/v1/simulate/clock', body, { key })
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  let moved = await move({ now })
  assert.equal(moved.now, now.toISOString())
  for (let asked = 0; moved.running && asked < ANSWERS_MAX; asked += 1) {
    moved = await move({ advance: 'PT0S' })
  }
  assert.equal(moved.running, undefined)
}

/**
 * A round of further checks whose process is killed in the middle of a portion: the next one takes
 * over once the lease has ended, goes on from the row of the round, and asks nobody else again.
 */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { newId } from '#lib/id.ts'
import { keeper } from '#test/support/keeper.ts'
import { openKillable } from '#test/support/processes/killable.ts'
import { until } from '#test/support/services/receiver.ts'
import { openWatchman } from '#test/support/services/watchman.ts'

const USERS = 45
const PORTION = 10
/** The process is killed while it asks about this one, in the middle of a portion. */
const KILLED_AT = 25

const keep = keeper()
const service = keep(await openWatchman())
const platform = await openKillable()
after(() => platform.close())
Object.assign(platform.env, {
  ...service.env,
  ...{ SCREENING_EVERY_DAYS: '30', SCREENING_A_MINUTE: '600' },
})
const { tenant } = platform.sandbox
const { db } = platform

/** How often each of them was searched for. */
const searched = () =>
  Map.groupBy(
    service.searches
      .map((search) => search.get('name') ?? '')
      .filter((name) => /^Ann Lee\d/.test(name)),
    (name) => name,
  )

async function insertUsers(): Promise<void> {
  const ids = Array.from({ length: USERS }, newId)
  await sql`
    insert into users (tenant_id, status, status_reason_code, id, created, modified, user_type,
      first_name, last_name)
    select ${tenant.id}::uuid, 'ACTIVE', 'A0', id, now(), now(), 'INDIVIDUAL', 'Ann', 'Lee' || at
    from unnest(${ids}::uuid[]) with ordinality as u (id, at)`.execute(db)
}

const round = () =>
  db
    .selectFrom('screening_rounds')
    .selectAll()
    .where('tenant_id', '=', tenant.id)
    .executeTakeFirst()

async function advance(duration: string): Promise<void> {
  const { status, text } = await platform.insist({
    method: 'PUT',
    url: '/v1/simulate/clock',
    headers: { apikey: tenant.api_key },
    body: JSON.stringify({ advance: duration }),
  })
  assert.equal(status, 200, text)
}

test('a round that was killed in the middle asks about everybody, and few again', async () => {
  await platform.kill()
  await insertUsers()
  const stuck = Promise.withResolvers<void>()
  service.misbehaves = (response, healthy) => {
    if (searched().size >= KILLED_AT) return stuck.resolve()
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(healthy()))
  }
  await platform.start()
  await stuck.promise
  await platform.kill()
  service.misbehaves = undefined
  const before = searched()
  assert.equal(before.size, KILLED_AT)
  const left = await round()
  assert.ok(left?.last_user_id, 'the place of the portions before is kept')

  await platform.start()
  await advance('PT16M')
  await until('the end of the round', async () => (await round())?.ended)
  const all = searched()
  assert.equal(all.size, USERS)
  const again = [...all].filter(([name, times]) => before.has(name) && times.length > 1)
  assert.ok(again.length <= PORTION, `${again.length} were asked about again`)
  const { count } = await db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('tenant_id', '=', tenant.id)
    .where('status', '=', 'ACTIVE')
    .executeTakeFirstOrThrow()
  assert.equal((await round())?.checked, Number(count))
})

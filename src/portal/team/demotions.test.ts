/** Requests of owners that wait for the end of their own role: they find it ended (D-991). */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { lockWaitsIn } from '#test/support/cluster/nodes.ts'
import { keeper } from '#test/support/keeper.ts'
import { browse, insertPerson } from '#test/support/portal/members.ts'
import { until } from '#test/support/services/receiver.ts'
import { openWorld } from '#test/support/world.ts'

const keep = keeper()
const world = keep(await openWorld())
const MEMBERS = '/portal/v1/members'

/** Two owners and a developer. */
async function openTeam() {
  const { id: tenant_id } = await world.otherTenant()
  const [owner, demoted, other] = [
    await insertPerson(world, { tenant_id }),
    await insertPerson(world, { tenant_id }),
    await insertPerson(world, { tenant_id, role: 'developer' }),
  ]
  return { owner, demoted, other }
}

type Ask = (team: Awaited<ReturnType<typeof openTeam>>) => readonly [string, string, object?]

const asks: Readonly<Record<string, Ask>> = {
  'makes itself an owner again': ({ demoted }) => [
    ...(['PUT', `${MEMBERS}/${demoted.id}`] as const),
    { role: 'owner' },
  ],
  'makes another an owner': ({ other }) => ['PUT', `${MEMBERS}/${other.id}`, { role: 'owner' }],
  'removes another': ({ owner }) => ['DELETE', `${MEMBERS}/${owner.id}`],
  'resets the factors of another': ({ owner }) => ['DELETE', `${MEMBERS}/${owner.id}/factors`],
}

for (const [what, ask] of Object.entries(asks)) {
  for (const change of ['demoted', 'removed'] as const) {
    test(`an owner who is ${change} meanwhile no longer ${what}`, async () => {
      const team = await openTeam()
      const { id, membership_id } = team.demoted
      const call = await browse(world, team.demoted)
      const holder = new pg.Client({ connectionString: world.url })
      await holder.connect()
      await holder.query('begin')
      const statement =
        change === 'demoted'
          ? "update memberships set role = 'viewer' where id = $1"
          : 'delete from memberships where id = $1'
      await holder.query(statement, [membership_id])
      const asking = call(...ask(team))
      await until('the request waits', async () => (await lockWaitsIn(world.url)) > 0)
      await holder.query('commit')
      await holder.end()
      const { status } = await asking
      // There is nobody to make an owner again, or one owner is left, whom nobody removes.
      assert.ok([403, 404, 409].includes(status), String(status))
      const roles = await rolesOf([id, team.owner.id, team.other.id])
      const expected = [change === 'demoted' ? 'viewer' : undefined, 'owner', 'developer']
      assert.deepEqual(roles, expected)
    })
  }
}

/** The role of each; undefined for a person who is no member. */
async function rolesOf(people: readonly string[]) {
  const found = await world.db
    .selectFrom('memberships')
    .select(['person_id', 'role'])
    .where('person_id', 'in', people)
    .execute()
  return people.map((one) => found.find(({ person_id }) => person_id === one)?.role)
}

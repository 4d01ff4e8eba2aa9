/** The proofs at the start, on a database in which each fault is planted. */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { StartError } from '#kit/start_error.ts'
import { newId } from '#lib/id.ts'
import { onEachNode } from '#test/support/cluster/nodes.ts'
import { createTestDatabase } from '#test/support/processes/server.ts'
import { openDatabase } from '../database.ts'
import { assertIsolation } from './isolation.ts'
import { prepareRole, USUAL_ROLE } from './program_role.ts'
import { secureRows } from './row_security.ts'

/** Roles are of the whole server, whose other databases are in use. */
const PASSING_BY = `passing_by_${process.pid}`

const database = await createTestDatabase()
const { db: owner, pool, close } = openDatabase(database.url, 2)
const program = openDatabase(database.url, 2, { role: USUAL_ROLE })
const passingBy = openDatabase(database.url, 1, { role: PASSING_BY })
const run = (text: string) => sql.raw(text).execute(owner)
after(async () => {
  await Promise.all([program.close(), passingBy.close()])
  await run(`drop owned by ${PASSING_BY}`)
  await run(`drop role ${PASSING_BY}`)
  client.release()
  await close()
  await database.drop()
})
const client = await pool.connect()
await prepareRole(client, PASSING_BY)
await run(`alter role ${PASSING_BY} bypassrls`)

const good = { name: 'the database', db: program.db }
const foundAs = (fault: RegExp, name = 'the database') => {
  return (error: unknown) =>
    error instanceof StartError && error.message.startsWith(name) && fault.test(error.message)
}

test('a database as it should be passes, and nothing of the trial is left', async () => {
  await run(`insert into feeds (tenant_id) values ('${newId()}')`)
  await assertIsolation([good, { name: 'batches', db: program.batches }])
  assert.equal((await owner.selectFrom('feeds').select('tenant_id').execute()).length, 1)
  await run('delete from feeds')
})

describe('the start ends where', () => {
  const onFeeds = 'policy rows_of_tenant on feeds'
  const plants: Record<string, [plants: string[], found: RegExp]> = {
    'a table has no row security': [
      ['alter table feeds disable row level security'],
      /rows are seen where no tenant is stated/,
    ],
    'a policy shows all rows': [
      [`alter ${onFeeds} using (true)`],
      /rows are seen where no tenant is stated/,
    ],
    'rows that were there before are seen': [
      [
        `insert into feeds (tenant_id, last) values ('${newId()}', 7)`,
        'create policy planted on feeds for select using (last = 7)',
      ],
      /rows are seen where no tenant is stated/,
    ],
    'a policy lets rows of all tenants be written': [
      [`alter ${onFeeds} with check (true)`],
      /a row of another tenant can be written/,
    ],
    'a policy knows another setting': [
      [`alter ${onFeeds} using (tenant_id::text = current_setting('bezant.other', true))`],
      /rows of the tenant that a transaction states are not seen or written/,
    ],
    'there is no policy': [
      [`drop ${onFeeds}`],
      /rows of the tenant that a transaction states are not seen or written/,
    ],
  }
  for (const [what, [texts, found]] of Object.entries(plants)) {
    test(what, async () => {
      for (const text of texts) await run(text)
      await assert.rejects(assertIsolation([good]), foundAs(found))
      await run('drop policy if exists planted on feeds')
      await run('delete from feeds')
      await secureRows(client)
      await assertIsolation([good])
    })
  }

  test('the role passes by row security, at whichever entry', async () => {
    const bad = { name: 'the second node', db: passingBy.db }
    const found = foundAs(/rows are seen where no tenant is stated/, 'the second node')
    await assert.rejects(assertIsolation([good, bad]), found)
  })

  test('what a group has written outlives the failure of a statement behind it', async () => {
    await onEachNode(database.url, async (client) => {
      await client.query('set citus.enable_ddl_propagation = off')
      for (const text of outliving('planted')) await client.query(text)
    })
    await assert.rejects(
      assertIsolation([good], 'planted'),
      foundAs(/statements that were sent with one that fails are kept/),
    )
  })
})

/** A table to which all rules apply, but whose rows are a sequence, which no rollback resets. */
const outliving = (name: string) => [
  'create sequence left_over',
  `create view ${name} as
    select stated::uuid as tenant_id
    from nullif(current_setting('bezant.tenant', true), '') stated
    where stated is not null and (select is_called from left_over)`,
  `create function keep() returns trigger language plpgsql as $$ begin
    if new.tenant_id::text <> current_setting('bezant.tenant') then
      raise insufficient_privilege; end if;
    perform nextval('left_over'); return new; end $$`,
  `create function forget() returns trigger language plpgsql as $$ begin return old; end $$`,
  `create trigger keep instead of insert on ${name} for each row execute function keep()`,
  `create trigger forget instead of delete on ${name} for each row execute function forget()`,
  `grant all on ${name} to ${USUAL_ROLE}`,
  `grant all on sequence left_over to ${USUAL_ROLE}`,
]

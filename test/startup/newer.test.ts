/** A program that starts and runs beside a newer one, which has migrated its database (D-663). */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { MIGRATIONS, migrationNames, numberOf } from '#kit/db/migration_files.ts'
import { USUAL_ROLE } from '#kit/db/security/program_role.ts'
import { securing } from '#kit/db/security/row_security.ts'
import { isSpread, spreadTable } from '#test/support/cluster/forms.ts'
import { dataFolder, launch } from '#test/support/processes/process.ts'
import { createTestDatabase, onServer, type TestDatabase } from '#test/support/processes/server.ts'

const LAST = numberOf(migrationNames(MIGRATIONS).at(-1) ?? '')
const env = { DATA_DIR: dataFolder(), MASTER_KEY: randomBytes(32).toString('hex') }

let database: TestDatabase
before(async () => {
  database = await createTestDatabase()
  // The newer program has a table that only grows, and has dropped nothing.
  await run(
    'create table newer_records (tenant_id uuid not null, id uuid, primary key (tenant_id, id))',
  )
  await spreadTable(database.url, 'newer_records')
  await run(
    ...securing('newer_records', !(await isSpread(database.url))),
    `grant select, insert on newer_records to ${USUAL_ROLE}`,
    recording('9998_expand.sql', LAST),
  )
})
after(() => database.drop())

const recording = (name: string, needs: string) =>
  `insert into schema_migrations values ('${name}', '', '2030-01-01', '${needs}')`

const run = (...statements: string[]) =>
  onServer(database.url, async (client) => {
    for (const statement of statements) await client.query(statement)
  })

test('it serves, leaves privileges as they are, and is not ready once it lacks something', async () => {
  const started = launch({ ...env, DATABASE_URL: database.url })
  await started.ready
  const [, base_url = ''] = /(http:\/\/\S+?)\/docs/.exec(started.output()) ?? []
  const readiness = async () => (await fetch(`${base_url}/readyz`)).text()
  assert.deepEqual(JSON.parse(await readiness()), { status: 'ready' })
  const { rows } = await onServer(database.url, (client) =>
    client.query<{ may: boolean }>(
      `select has_table_privilege($1, 'newer_records', 'update, delete, truncate') as may`,
      [USUAL_ROLE],
    ),
  )
  assert.deepEqual(rows, [{ may: false }])

  await run(recording('9999_contract.sql', '9998'))
  assert.match(await readiness(), /"not ready","reason":"the database needs a newer program"/)
  started.kill('SIGTERM')
  assert.equal(await started.ended, 0, started.output())

  const again = launch({ ...env, DATABASE_URL: database.url })
  assert.equal(await again.ended, 1)
  assert.match(again.errors().join(), /does not know 9999_contract\.sql and cannot work beside it/)
})

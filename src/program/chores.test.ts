import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { databaseNowPlus } from '#kit/clock.ts'
import { DatabaseUnavailable, openDatabase } from '#kit/db/database.ts'
import { forgetOldAnswers } from '#kit/http/kept_answers.ts'
import { sandbox } from '#src/program/modes/sandbox.ts'
import { closeGate } from '#test/support/gate.ts'
import { watchStatements } from '#test/support/inspection/statements.ts'
import { openWorld } from '#test/support/world.ts'
import { forgetAll } from './chores.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const tenant_id = world.tenant.id
/** A lock that is not let go is waited for so long, and no place of this many. */
const WAIT_MS = 250
const CONNECTIONS = 12
const past = databaseNowPlus(-48 * 3_600_000)

test('a chore that fails keeps no other from being done', async (t) => {
  const { db, close } = openDatabase(world.url, CONNECTIONS, { wait_ms: WAIT_MS })
  t.after(close)
  await world.db
    .insertInto('idempotency_keys')
    .values({
      tenant_id,
      key: 'old',
      fingerprint: randomBytes(32),
      created: past,
      status: 200,
      content_type: 'application/json',
      body: '{}',
    })
    .execute()
  await world.db
    .insertInto('portal_tokens')
    .values({
      token_hash: randomBytes(32),
      kind: 'CHALLENGE',
      data: '{}',
      created: past,
      expires: past,
    })
    .execute()
  const count = async (table: 'idempotency_keys' | 'portal_tokens') =>
    (await world.db.selectFrom(table).select('created').execute()).length
  const old = { table: 'idempotency_keys', key: 'key' }
  const gate = await closeGate(world.url, { tenant_id, id: 'old' }, old)
  await assert.rejects(forgetAll(db, sandbox), DatabaseUnavailable)
  assert.deepEqual([await count('idempotency_keys'), await count('portal_tokens')], [1, 0])
  await gate.open()
  await forgetAll(world.db, sandbox)
  assert.equal(await count('idempotency_keys'), 0)
})

test('answers that are past their lifetime are deleted in portions', async () => {
  await sql`
    insert into idempotency_keys (tenant_id, key, fingerprint, status, content_type, body, created)
    select ${tenant_id}::uuid, 'old ' || n, ''::bytea, 200, '', '{}',
      ${past} + n / 100 * interval '1 microsecond'
    from generate_series(1, 25000) n`.execute(world.db)
  const { key } = await world.db
    .insertInto('idempotency_keys')
    .values({
      tenant_id,
      key: 'new',
      fingerprint: randomBytes(32),
      created: databaseNowPlus(0),
      status: 200,
      content_type: '',
      body: '{}',
    })
    .returning('key')
    .executeTakeFirstOrThrow()
  using statements = watchStatements(world.url)
  await forgetOldAnswers(world.db.overAllTenants())
  const deletions = statements.take().texts.filter((text) => text.startsWith('delete'))
  assert.equal(deletions.length, 3)
  const left = await world.db.selectFrom('idempotency_keys').select('key').execute()
  assert.deepEqual(left, [{ key }])
})

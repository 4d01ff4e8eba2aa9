import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openDatabase } from '#kit/db/database.ts'
import { createTestDatabase } from '#test/support/processes/server.ts'
import { bytesArray, idArray } from './arrays.ts'

const { url, drop } = await createTestDatabase()
const { db, close } = openDatabase(url, 1)
after(async () => {
  await close()
  await drop()
})

test('ids arrive as they are, with nulls and in any case', async () => {
  for (const ids of [[], [randomUUID()], [randomUUID().toUpperCase(), null, randomUUID()]]) {
    const { rows } = await sql<{ ids: string }>`
      select to_json(${idArray(ids)}::uuid[])::text as ids`.execute(db)
    assert.equal(rows[0]?.ids, JSON.stringify(ids.map((id) => id?.toLowerCase() ?? null)))
  }
})

test('what is no id is not sent', () => {
  const id = randomUUID()
  for (const text of [
    '',
    id.slice(1),
    `${id}0`,
    id.replace('-', '0'),
    `g${id.slice(1)}`,
    'é'.repeat(36),
  ]) {
    assert.throws(() => idArray([text]), /no UUID/)
  }
})

test('bytes arrive as they are', async () => {
  const elements = [randomBytes(32), Buffer.alloc(0), Buffer.from('\\x"{},')]
  const { rows } = await sql<{ bytes: Buffer; at: bigint }>`
    select bytes, at from unnest(${bytesArray(elements)}::bytea[]) with ordinality as e (bytes, at)
    order by at`.execute(db)
  assert.deepEqual(
    rows.map(({ bytes }) => bytes),
    elements,
  )
})

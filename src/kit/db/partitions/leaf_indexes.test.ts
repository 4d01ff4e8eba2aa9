/** Indexes that leaves of an earlier version lack, on a table of the test's own. */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { spreadTable } from '#test/support/cluster/forms.ts'
import { createTestDatabase, onServer } from '#test/support/processes/server.ts'
import { openDatabase } from '../database.ts'
import { indexLeaves } from './leaf_indexes.ts'
import type { Partitioned } from './partition_months.ts'
import { makeLeaves } from './partitions.ts'

const database = await createTestDatabase()
const { db, pool, close } = openDatabase(database.url, 4)
after(async () => {
  await close()
  await database.drop()
})

const before: Partitioned = { table: 'letters', by: 'id', begins: 1, unique: [] }
const now: Partitioned = { ...before, indexes: ['(word)'] }

const build = () => onServer(database.url, (client) => indexLeaves(client, [now]))

/** The leaves with the index that serves statements. */
async function indexedLeaves(): Promise<string[]> {
  const { rows } = await pool.query<{ leaf: string }>(
    `select tablename as leaf from pg_indexes join pg_class c on c.relname = indexname
    join pg_index i on i.indexrelid = c.oid
    where starts_with(tablename, 'letters_') and indexdef like '%(word)%' and i.indisvalid
    order by 1`,
  )
  return rows.map(({ leaf }) => leaf.slice('letters_'.length))
}

test('leaves from before an index get it at the next start, and new ones have it', async () => {
  await pool.query(`create table letters (tenant_id uuid not null, id uuid not null,
    word text not null, primary key (tenant_id, id)) partition by range (id)`)
  await spreadTable(database.url, before.table)
  await makeLeaves(db, [before], new Date('2026-01-10'))
  assert.deepEqual(await indexedLeaves(), [])
  await build()
  const first = ['2026_01', '2026_02', '2026_03', '2026_04']
  assert.deepEqual(await indexedLeaves(), first)
  await makeLeaves(db, [now], new Date('2026-02-10'))
  assert.deepEqual(await indexedLeaves(), [...first, '2026_05'])
  await build()
  assert.deepEqual(await indexedLeaves(), [...first, '2026_05'])
})

test('an index whose build was interrupted is built anew', async () => {
  await onServer(database.url, (client) =>
    client.query(
      `update pg_index set indisvalid = false where indexrelid = 'letters_2026_02_index_1'::regclass`,
    ),
  )
  assert.equal((await indexedLeaves()).length, 4)
  await build()
  assert.equal((await indexedLeaves()).length, 5)
})

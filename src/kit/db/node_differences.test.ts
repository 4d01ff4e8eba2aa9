/**
 * Nodes of a cluster that do not agree. They are two databases of one PostgreSQL here, with the
 * table in which Citus lists what is spread.
 */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createTestDatabase } from '#test/support/processes/server.ts'
import { type Entry, openDatabase } from './database.ts'
import { listDifferences } from './node_differences.ts'
import { USUAL_ROLE } from './security/program_role.ts'

const NOWHERE = 'postgresql://nobody@127.0.0.1:1/none'

const databases = await Promise.all([createTestDatabase(), createTestDatabase()])
const [one, other] = databases.map(({ url }) => openDatabase(url, 1))
const nowhere = openDatabase(NOWHERE, 1)
after(async () => {
  for (const node of [one, other, nowhere]) await node?.close()
  await Promise.all(databases.map(({ drop }) => drop()))
})

const CATALOG = `
  create table pg_dist_partition (logicalrelid regclass, partmethod "char", repmodel "char");
  create table copied (a int);
  insert into pg_dist_partition values ('copied', 'n', 't'), ('feeds', 'h', 's')`
for (const node of [one, other]) await node?.pool.query(CATALOG)

const entry = (name: string, node: typeof one): Entry[] =>
  node ? [{ name, db: node.db, owner: node.owner }] : []
const nodes = [...entry('the database', one), ...entry('two:5432', other)]
const run = (text: string) => other?.pool.query(text)
const found = () => listDifferences(nodes, USUAL_ROLE)

test('nodes that have the same agree', async () => {
  assert.deepEqual(await found(), { found: [], away: [] })
})

describe('a node is named that has', () => {
  const plants: Record<string, [plant: string, mend: string, subject: string, detail: string]> = {
    'another copy of a reference table': [
      'insert into copied values (1)',
      'delete from copied',
      'table copied',
      'has another copy, of 1 rows (0 at the database)',
    ],
    'another column': [
      'alter table feeds add column planted int',
      'alter table feeds drop column planted',
      'table feeds',
      'has other columns',
    ],
    'no policy': [
      'alter table feeds disable row level security',
      'alter table feeds enable row level security',
      'table feeds',
      'has other policies',
    ],
    'other privileges': [
      `revoke update on feeds from ${USUAL_ROLE}`,
      `grant update on feeds to ${USUAL_ROLE}`,
      'table feeds',
      'has other privileges',
    ],
    'not the table': [
      "delete from pg_dist_partition where logicalrelid = 'feeds'::regclass",
      "insert into pg_dist_partition values ('feeds', 'h', 's')",
      'table feeds',
      'is not there',
    ],
  }
  for (const [what, [plant, mend, subject, detail]] of Object.entries(plants)) {
    test(what, async () => {
      await run(plant)
      assert.deepEqual((await found()).found, [{ node: 'two:5432', subject, detail }])
      await run(mend)
      assert.deepEqual((await found()).found, [])
    })
  }
})

test('a node that does not answer is named, and the others are compared', async () => {
  const all = [...nodes, ...entry('gone:5432', nowhere)]
  assert.deepEqual(await listDifferences(all, USUAL_ROLE), { found: [], away: ['gone:5432'] })
})

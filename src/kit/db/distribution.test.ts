/** How the tables of this program are spread over the nodes of a cluster, and when they are not. */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { StartError } from '#kit/start_error.ts'
import { createTestDatabase, databaseUrl, onServer } from '#test/support/processes/server.ts'
import { openDatabase } from './database.ts'
import {
  assertCoordinator,
  assertNotBeside,
  countSessions,
  planDistribution,
  readProgress,
} from './distribution.ts'

const database = await createTestDatabase()
const client = new pg.Client({ connectionString: database.url })
await client.connect()
after(async () => {
  await client.end()
  await database.drop()
})

const plan = await planDistribution(client)
const kindOf = (table: string) => plan.find((step) => step.table === table)?.kind

test('rows of a tenant are spread by it, also those of each vault', () => {
  for (const table of [
    'cards',
    'accounts',
    'transactions',
    'events',
    'vault.pans',
    'feeds',
    'rate_buckets',
  ]) {
    assert.equal(kindOf(table), 'distributed', table)
  }
})

test('what has no tenant, or a key across tenants, is on each node', () => {
  for (const table of [
    'tenants',
    'people',
    'data_keys',
    'api_keys',
    'bins',
    'merchants',
    'rates',
  ]) {
    assert.equal(kindOf(table), 'reference', table)
  }
})

test('every table is in the plan once, and no leaf is', async () => {
  const { rows } = await client.query<{ table: string }>(
    `select c.oid::regclass::text as table from pg_class c join pg_namespace n on n.oid = relnamespace
    where relkind in ('r', 'p') and not relispartition
      and nspname not in ('pg_catalog', 'information_schema') order by 1`,
  )
  assert.deepEqual(plan.map(({ table }) => table).sort(), rows.map(({ table }) => table).sort())
})

test('a table comes behind those that it refers to', async () => {
  const { rows } = await client.query<{ child: string; parent: string }>(
    `select conrelid::regclass::text as child, confrelid::regclass::text as parent
    from pg_constraint where contype = 'f' and conparentid = 0 and conrelid <> confrelid`,
  )
  const at = new Map(plan.map(({ table }, place) => [table, place]))
  assert.ok(rows.length > 20)
  for (const { child, parent } of rows) {
    assert.ok((at.get(parent) ?? 0) < (at.get(child) ?? 0), `${child} before ${parent}`)
  }
})

test('a partitioned table counts with its leaves', () => {
  const bytes = plan.find(({ table }) => table === 'transactions')?.bytes ?? 0
  assert.ok(bytes > 8_192, String(bytes))
})

test('a table of no tenant that refers to one that is spread is a fault', async () => {
  await client.query('begin')
  await client.query('create table planted (id uuid, tenant_id uuid references people)')
  await client.query(
    'alter table planted add foreign key (tenant_id, id) references cards (tenant_id, id)',
  )
  await assert.rejects(planDistribution(client), /planted has rows of no tenant/)
  await client.query('rollback')
})

test('beside the program no table that has to be spread for the first time is', async () => {
  await assertNotBeside(0, client, plan)
  await assertNotBeside(3, client, [])
  await assert.rejects(assertNotBeside(3, client, plan), (error) =>
    isFault(error, /stop the program first: it has 3 connections/),
  )
  assert.deepEqual(await readProgress(client), { spread: 0, of: plan.length })
})

test('the connections of the program are counted, and not that which asks', async () => {
  assert.equal(await countSessions(client), 0)
  const program = openDatabase(database.url, 1)
  try {
    await program.pool.query('select')
    assert.equal(await countSessions(client), 1)
  } finally {
    await program.close()
  }
})

test('a server alone takes no tables', async () => {
  const alone = /install Citus on each server/
  await assert.rejects(assertCoordinator(client), (error) => isFault(error, alone))
})

test('a database without tables is no database of the program', async () => {
  const name = `${new URL(database.url).pathname.slice(1)}_empty`
  await onServer(database.url, (owner) => owner.query(`create database ${name}`))
  try {
    await onServer(databaseUrl(database.url, name), (empty) =>
      assert.rejects(planDistribution(empty), (error) => isFault(error, /start the program once/)),
    )
  } finally {
    await onServer(database.url, (owner) => owner.query(`drop database ${name}`))
  }
})

const isFault = (error: unknown, pattern: RegExp): boolean =>
  error instanceof StartError && pattern.test(error.message)

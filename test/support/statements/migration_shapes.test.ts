/** Migrations after a release run on a cluster as well: none has a shape that it refuses. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { loadModule, type Node, parseSync } from 'libpg-query'
import { MIGRATIONS, readMigrations } from '#kit/db/migration_files.ts'
import { readFrozen } from '#test/upgrade/frozen.ts'
import { createTestDatabase, onServer } from '../processes/server.ts'
import { MIGRATION_SHAPES, refusedIn } from './migration_shapes.ts'
import type { Spread } from './shapes.ts'
import { readSpread } from './spread.ts'

const database = await createTestDatabase()
after(database.drop)
const spread: Spread = await onServer(database.url, readSpread)
before(loadModule)

const statementsIn = (text: string): Node[] =>
  (parseSync(text).stmts ?? []).flatMap(({ stmt }) => stmt ?? [])
const namesIn = (text: string) =>
  statementsIn(text).flatMap((one) => refusedIn(one, spread).map(({ name }) => name))

/** Files with a shape that is mended behind them. */
const MENDED: Readonly<Record<string, string>> = {
  // The start that records the custody writes the time anew, from one server.
  '0310_custody.sql': 'a default of a column that is added and that each node computes',
}

// Those of a release are applied before tables are spread.
const frozen = readFrozen()
for (const { name, text } of readMigrations(MIGRATIONS).filter((one) => !(one.name in frozen))) {
  test(`${name} has no shape that a cluster refuses`, () => {
    const shapes = statementsIn(text).flatMap((one) => refusedIn(one, spread))
    const found = shapes.filter((shape) => shape.name !== MENDED[name])
    const lines = found.map((shape) => `${shape.name}: Citus ${shape.citus}. Use ${shape.use}`)
    assert.deepEqual(lines, [])
  })
}

const EXAMPLES: Readonly<Record<string, { refused: string[]; accepted: string[] }>> = {
  'a constraint of a column that is added': {
    refused: [
      "alter table cards add column a text check (a <> '')",
      'alter table cards add column a uuid unique',
      'alter table cards add column a uuid references tenants (id)',
      'alter table cards add column b int, add column a text primary key',
    ],
    accepted: [
      "alter table cards add column a text, add constraint cards_a_check check (a <> '')",
      "alter table cards add column a text not null default ''",
      "create table b (tenant_id uuid not null, a text check (a <> ''), primary key (tenant_id, a))",
      'alter table cards drop constraint x, add constraint x check (true) not valid',
    ],
  },
  'a sequence of a column that is added': {
    refused: [
      "alter table cards add column a bigint default nextval('s')",
      'alter table cards add column a bigserial',
      'alter table cards add column a bigint generated always as identity',
    ],
    accepted: ['alter table cards add column a bigint default 0'],
  },
  'a default of a column that is added and that each node computes': {
    refused: [
      'alter table installation add column a timestamptz default now()',
      'alter table installation add column a timestamptz default current_timestamp',
    ],
    accepted: [
      "alter table installation add column a text not null default ''",
      'create table b (a timestamptz default now(), id uuid primary key)',
    ],
  },
  'a trigger': {
    refused: ['create trigger t before update on cards for each row execute function f()'],
    accepted: ['create index t on cards (tenant_id, id)'],
  },
  'a block of code': {
    refused: ['do $$ begin update cards set status = status; end $$'],
    accepted: ['update cards set status = status'],
  },
  'a table that is made of a query': {
    refused: ['create table a as select * from cards'],
    accepted: ['create table a (tenant_id uuid not null, primary key (tenant_id))'],
  },
}

test('each shape is found where it is, and not in the form to use', () => {
  assert.deepEqual(
    Object.keys(EXAMPLES),
    MIGRATION_SHAPES.map(({ name }) => name),
  )
  for (const [name, { refused, accepted }] of Object.entries(EXAMPLES)) {
    for (const text of refused) assert.ok(namesIn(text).includes(name), text)
    for (const text of accepted) assert.deepEqual(namesIn(text), [], text)
  }
})

test('what statements of the program may not have, those of a migration have not, but all shards', () => {
  assert.deepEqual(namesIn("update cards set status = case status when 'A' then 'B' end"), [
    'a simple CASE in SET',
  ])
  assert.deepEqual(namesIn('delete from due_work'), [])
})

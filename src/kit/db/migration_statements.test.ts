/** Migrations in the form that a cluster takes, compared with the parser of PostgreSQL. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadModule, parseSync } from 'libpg-query'
import { MIGRATIONS, readMigrations } from './migration_files.ts'
import { statementsOf } from './migration_statements.ts'

await loadModule()

/** The changes of a text, as PostgreSQL reads it: each change of a table by itself. */
const changesOf = (text: string): string[] =>
  (parseSync(text).stmts ?? []).flatMap(({ stmt }) => {
    if (!stmt || !('AlterTableStmt' in stmt)) return [shapeOf(stmt)]
    const { cmds = [], ...table } = stmt.AlterTableStmt
    return cmds.map((change) => shapeOf({ AlterTableStmt: { ...table, cmds: [change] } }))
  })

/** Without the places in the text. */
const shapeOf = (node: unknown): string =>
  JSON.stringify(node, (key, value: unknown) => (/location|stmt_len|_start$|_end$/.test(key) ? undefined : value))

for (const { name, text } of readMigrations(MIGRATIONS)) {
  test(`${name} does the same statement by statement`, () => {
    const statements = statementsOf(text)
    assert.deepEqual(statements.flatMap(changesOf), changesOf(text))
    for (const one of statements) assert.equal(changesOf(one).length, 1, one)
  })
}

test('changes of a table are single statements, whatever stands in quotes, brackets or comments', () => {
  const text = `
    -- first; second, third
    alter table only public.cards drop constraint a, add constraint "b, c" check (d in (1, 2)), /* , */
      add column e text default 'it''s; so, (';
    create function f() returns text language sql as $body$ select ';', 1 $body$;`
  assert.deepEqual(statementsOf(text), [
    'alter table only public.cards drop constraint a',
    'alter table only public.cards add constraint "b, c" check (d in (1, 2))',
    "alter table only public.cards add column e text default 'it''s; so, ('",
    "create function f() returns text language sql as $body$ select ';', 1 $body$",
  ])
})

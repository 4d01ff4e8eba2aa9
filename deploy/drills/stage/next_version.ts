/** A later version of the program: the committed one, with migrations such as releases have. */

import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { MIGRATIONS, migrationNames, numberOf } from '#kit/db/migration_files.ts'
import { DrillFault } from '../fault.ts'
import { locate, run } from '../programs.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const CONSOLE = 'apps/console/dist'

export type Version = { version: string; root: string; migrations: readonly string[] }

/**
 * Migrations by the names behind their numbers; `NNNN` in a text is the last number of this
 * program.
 */
type Added = Readonly<Record<string, string>>

const NUMBER = Number(numberOf(migrationNames(MIGRATIONS).at(-1) ?? ''))
const STEP = 10
const written = (number: number) => String(number).padStart(4, '0')

/**
 * Migrations such as releases have: columns of the large tables on the way of the money, which the
 * program reads with all of their columns, a table with the rows of tenants, and an index of a
 * large table.
 */
const EXPANDING: Added = {
  drill_notes: `-- migrate:needs-program NNNN
alter table transactions add column drill_note text not null default '';
alter table accounts add column drill_note text not null default '';
alter table cards add column drill_note text not null default '';
alter table transfers add column drill_note text not null default '';
create table drill_notes (
  tenant_id uuid not null,
  id uuid not null,
  note text not null,
  primary key (tenant_id, id)
);
`,
  drill_index: `-- migrate:no-transaction
-- migrate:needs-program NNNN
drop index concurrently if exists transfers_by_drill_note;
create index concurrently transfers_by_drill_note on transfers (tenant_id, drill_note, id);
`,
}

/** A program that does not write the column can issue no card behind it. */
const CONTRACTING: Added = {
  drill_required: 'alter table cards alter column drill_note drop default;\n',
}

/** Makes the version that comes next, in a folder that does not exist. */
export function makeNext(root: string): Version {
  mkdirSync(root)
  const archive = `${root}.tar`
  for (const [program, args] of [
    ['git', ['-C', ROOT, 'archive', `--output=${archive}`, 'HEAD']],
    ['tar', ['-x', '-f', archive, '-C', root]],
  ] as const) {
    const { code, output } = run(locate(program, program), args)
    if (code !== 0) throw new DrillFault(`${program} ended with ${code}: ${output}`)
  }
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  cpSync(join(ROOT, CONSOLE), join(root, CONSOLE), { recursive: true })
  return release(root, '99.1.0', NUMBER, EXPANDING)
}

/** Makes the version after `next` in the same folder, whose processes keep what they have read. */
export const makeThird = ({ root, migrations }: Version): Version =>
  release(root, '99.2.0', NUMBER + STEP * migrations.length, CONTRACTING)

function release(root: string, version: string, last: number, added: Added): Version {
  const path = join(root, 'package.json')
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replace(/^ {2}"version": ".*"/m, `  "version": "${version}"`))
  const migrations = Object.entries(added).map(([name, statements], at) => {
    const file = `${written(last + STEP * (at + 1))}_${name}.sql`
    writeFileSync(join(root, 'migrations', file), statements.replace('NNNN', written(NUMBER)))
    return file
  })
  return { version, root, migrations }
}

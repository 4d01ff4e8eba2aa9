/** The files of migrations, and the directives in their first lines. */

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StartError } from '#kit/start_error.ts'

/** The migrations of this program. */
export const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url))

export type Migration = {
  name: string
  text: string
  sha256: string
  /** It runs statement by statement, outside a transaction (`-- migrate:no-transaction`). */
  bare: boolean
  /**
   * The number of the migration that a program has to know to work on the schema behind this one
   * (D-663): as `-- migrate:needs-program NNNN` says, or its own.
   */
  needs_program: string
}

/** The names of the migrations in `folder`, in their order. */
export function migrationNames(folder: string): string[] {
  // schema.sql is the dump after the last migration.
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql') && name !== 'schema.sql')
    .sort()
}

/** The migrations in their order. Throws a StartError if a name or a head is wrong. */
export function readMigrations(folder: string): Migration[] {
  const names = migrationNames(folder)
  for (const [index, name] of names.entries()) {
    if (!/^\d{4}_[a-z0-9_]+\.sql$/.test(name)) {
      throw new StartError(`${join(folder, name)} is not named as a migration: NNNN_name.sql`)
    }
    if (numberOf(name) === numberOf(names[index - 1] ?? '')) {
      throw new StartError(`${names[index - 1]} and ${name} have one number: give each its own`)
    }
  }
  return names.map((name, index) => {
    // Git on Windows may have changed the line ends.
    const text = readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n')
    const sha256 = createHash('sha256').update(text).digest('hex')
    return { name, text, sha256, ...headOf(name, text, names.slice(0, index)) }
  })
}

export const numberOf = (name: string): string => name.slice(0, 4)

function headOf(name: string, text: string, before: readonly string[]) {
  const head = { bare: false, needs_program: numberOf(name) }
  const [lines = ''] = HEAD.exec(text) ?? []
  if (text.slice(lines.length).search(SAID) >= 0) {
    throw new StartError(
      `${name} has a line "-- migrate:" behind others: put it on the first lines`,
    )
  }
  for (const [, said = ''] of lines.matchAll(SAID)) {
    const [word, needed = ''] = said.split(' ')
    if (said === 'no-transaction') head.bare = true
    else if (word === 'needs-program' && before.some((one) => numberOf(one) === needed)) {
      head.needs_program = needed
    } else {
      throw new StartError(
        `${name} begins with "-- migrate:${said}": it may be no-transaction, or needs-program ` +
          'with the number of an earlier migration',
      )
    }
  }
  return head
}

const HEAD = /^(?:-- migrate:.*\n)+/
const SAID = /^-- migrate:(.*)$/gm

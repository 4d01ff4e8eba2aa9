/**
 * The shapes of statements that a cluster refuses in a migration (D-1103). The program sends the
 * statements of a file and the changes of a table one by one, and spreads new tables itself.
 */

import type { Node } from 'libpg-query'
import { walk } from './levels.ts'
import { type Spread, shapesOf } from './shapes.ts'

export type Refused = { name: string; citus: string; use: string }

type Test = (kind: string, body: Record<string, unknown>) => boolean

const has = (node: unknown, is: Test): boolean => {
  let found = false
  walk(node, (kind, body) => {
    found ||= is(kind, body)
    return !found
  })
  return found
}

const KEPT_BESIDE = new Set(['CONSTR_NOTNULL', 'CONSTR_NULL', 'CONSTR_DEFAULT'])

/** A column that is added, not one of a new table. */
const isAdded = (statement: Node, is: Test): boolean =>
  has(statement, (kind, { subtype, def }) =>
    kind === 'AlterTableCmd' && subtype === 'AT_AddColumn' ? has(def, is) : false,
  )

const isDrawn = (node: unknown): boolean =>
  has(
    node,
    (_, { sval }) => typeof sval === 'string' && /^(nextval|(big|small)?serial)$/.test(sval),
  )

type MigrationShape = Refused & { finds: (statement: Node) => boolean }

export const MIGRATION_SHAPES: readonly MigrationShape[] = [
  {
    name: 'a constraint of a column that is added',
    citus: 'refuses it, since it has no name',
    use:
      'two changes: add column …, add constraint table_column_check check (…); the name is that ' +
      'which PostgreSQL would give it',
    finds: (statement) =>
      isAdded(
        statement,
        (kind, { contype }) => kind === 'Constraint' && !KEPT_BESIDE.has(String(contype)),
      ),
  },
  {
    name: 'a sequence of a column that is added',
    citus: 'refuses it for a table that is spread',
    use: 'a number that the program draws, or a new table',
    finds: (statement) =>
      isAdded(
        statement,
        (kind, body) =>
          (kind === 'Constraint' && body['contype'] === 'CONSTR_IDENTITY') || isDrawn(body),
      ),
  },
  {
    name: 'a default of a column that is added and that each node computes',
    citus: 'gives the copies of a reference table different values',
    use: 'null or a constant, and an update of the program or of a later migration',
    finds: (statement) =>
      isAdded(statement, (kind) => kind === 'FuncCall' || kind === 'SQLValueFunction'),
  },
  {
    name: 'a trigger',
    citus: 'has none on tables that are spread',
    use: 'privileges, or a condition of the statement that writes',
    finds: (statement) => 'CreateTrigStmt' in statement,
  },
  {
    name: 'a block of code',
    citus: 'runs it at the coordinator alone',
    use: 'the statements themselves: a test reads them',
    finds: (statement) => 'DoStmt' in statement,
  },
  {
    name: 'a table that is made of a query',
    citus: 'keeps it on the coordinator, with its rows',
    use: 'create table, and an insert of a later migration',
    finds: (statement) => 'CreateTableAsStmt' in statement,
  },
]

/** A migration may ask every shard, and is the owner's, who is outside row security. */
const PERMITTED = new Set([
  'several statements in one text',
  'a table of tenants without the value of its tenant',
])

/** The shapes of a statement of a migration. */
export function refusedIn(statement: Node, spread: Spread): Refused[] {
  const own = MIGRATION_SHAPES.filter(({ finds }) => finds(statement))
  const usual = shapesOf(statement, 1, spread)
    .map(([shape]) => shape)
    .filter(({ name }) => !PERMITTED.has(name))
  return [...own, ...usual]
}

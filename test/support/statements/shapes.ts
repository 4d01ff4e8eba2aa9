/**
 * The shapes of statements that Citus refuses, answers wrongly, or serves only by asking every node
 * (docs/cluster.md, D-688). PostgreSQL takes all of them.
 */

import type { Node } from 'libpg-query'
import { type Level, type Levels, levelsOf, nameOf, walk } from './levels.ts'

/** How the tables of the program are spread (D-685). */
export type Spread = {
  /** Tables of tenants, and views of such tables. */
  distributed: ReadonlySet<string>
  reference: ReadonlySet<string>
  /** Columns whose default is drawn from a sequence, by table. */
  drawn: ReadonlyMap<string, readonly string[]>
}

export type Shape = {
  name: string
  /** The behaviour of Citus. */
  citus: string
  /** The form to use. */
  use: string
  /** Whether a statement has it; a text names the place in it. */
  finds: (read: Read) => boolean | string | undefined
}

type Body = Record<string, unknown>
type Insert = {
  target: string
  columns: readonly string[]
  body: Body
  level: Level
  source: Level | undefined
}
/** `count` is how many statements the text has. */
type Read = {
  statement: Node
  count: number
  levels: Levels
  spread: Spread
  inserts: readonly Insert[]
}

export const SHAPES: readonly Shape[] = [
  {
    name: 'several statements in one text',
    citus: 'sends the whole text to other nodes',
    use: 'one statement for each text',
    finds: ({ count }) => count > 1,
  },
  {
    name: 'an insert that selects from no table of the tenant',
    citus:
      'collects the rows at the node that was asked; row security refuses or does not see them',
    use: 'from tenant_anchors anchor cross join unnest(…) g where anchor.tenant_id = $1, or values',
    finds: ({ inserts, spread }) =>
      inserts.find(({ source }) => source && !hasDistributed(source, spread))?.target,
  },
  {
    name: 'an insert that selects from a reference table',
    citus: 'asks every shard, most of which have nothing to do',
    use: 'from tables of the tenant alone; what the reference table says is read before and given',
    finds: ({ inserts, spread }) =>
      inserts.find(({ source }) => source && hasOf(source, spread.reference))?.target,
  },
  {
    name: 'an insert that selects beside a default of a sequence',
    citus: 'finds no node for it',
    use: 'values (…), (…), or the number drawn before and given',
    finds: ({ inserts, spread }) =>
      inserts.find(
        ({ target, source, columns }) =>
          source && spread.drawn.get(target)?.some((column) => !columns.includes(column)),
      )?.target,
  },
  {
    name: 'an insert within WITH',
    citus: 'takes none, or runs it in several steps',
    use: 'two statements of one group',
    finds: ({ inserts }) => inserts.find(({ level }) => level.way === 'with')?.target,
  },
  {
    name: 'an element of an array parameter in SET',
    citus: 'ends the server: SIGSEGV',
    use: 'set x = g.x from unnest($1::uuid[], $2::text[]) g (id, x), or set (a, b) = (select …)',
    finds: ({ statement }) => inSet(statement, isElement, (kind) => kind !== 'SubLink'),
  },
  {
    name: 'a simple CASE in SET',
    citus: 'sends it wrongly to the worker: 42883 text = boolean',
    use: "case when x = 'P0' then … end",
    finds: ({ statement }) => inSet(statement, (kind, { arg }) => kind === 'CaseExpr' && !!arg),
  },
  {
    name: 'the tenant in SET',
    citus: '0A000, also where it stays the same',
    use: 'the columns that change',
    finds: ({ levels, spread }) =>
      levels.all.find(
        ({ kind, tables, body }) =>
          kind === 'UpdateStmt' &&
          isOf(spread, [...tables.values()][0]) &&
          some(body['targetList'], isTenant, (one) => one !== 'SubLink'),
      )?.kind,
  },
  {
    name: 'a sum of a column and an interval in an update',
    citus: 'refuses it: the sum is STABLE, since it depends on the time zone of the session',
    use: "(due at time zone 'UTC' + interval) at time zone 'UTC', or the instant as a parameter",
    finds: ({ levels, spread }) =>
      levels.all.find(
        ({ kind, tables, body }) =>
          (kind === 'UpdateStmt' || kind === 'DeleteStmt') &&
          namesOf(tables, spread).length > 0 &&
          some([body['targetList'], body['whereClause']], isSum, (one) => one !== 'SubLink'),
      )?.kind,
  },
  {
    name: 'a function or a subquery in RETURNING',
    citus: 'refuses functions that are not immutable, and subqueries',
    use: 'plain columns; the rest is computed by the program or read by a second statement',
    finds: ({ statement, levels, spread }) =>
      touches(levels, spread) &&
      some(statement, (kind, body) => kind === 'returningClause' && some(body, isComputed)),
  },
  {
    name: 'a function or a cast in ON CONFLICT … DO UPDATE',
    citus: 'refuses what is not immutable',
    use: 'values of parameters; a version column; or delete what has expired before, do nothing',
    finds: ({ statement, levels, spread }) =>
      levels.all.some(
        ({ kind, tables }) => kind === 'InsertStmt' && isSpread(spread, [...tables.values()][0]),
      ) &&
      some(
        statement,
        (kind, { targetList, whereClause }) =>
          kind === 'onConflictClause' &&
          (some(targetList, isComputed) || some(whereClause, isComputedOrCast)),
      ),
  },
  {
    name: 'a function in CASE or COALESCE of an update',
    citus: 'refuses what is not immutable there',
    use: 'the value as a parameter, read by the program before',
    finds: ({ statement, levels, spread }) =>
      levels.all.some(
        ({ kind, tables }) => kind === 'UpdateStmt' && isSpread(spread, [...tables.values()][0]),
      ) &&
      inSet(
        statement,
        (kind, body) =>
          (kind === 'CaseExpr' || kind === 'CoalesceExpr') &&
          some(body, isCalled, (one) => one !== 'SubLink'),
        (kind) => kind !== 'SubLink',
      ),
  },
  {
    name: 'a reference table that is written by rows of tenants',
    citus: 'refuses it: 42601, or asks every shard',
    use: 'two statements: what the rows of tenants say is read before and given',
    finds: ({ levels, spread }) =>
      levels.all.find(({ kind, tables }) => {
        const [target] = tables.values()
        const writes = kind === 'UpdateStmt' || kind === 'DeleteStmt'
        return writes && spread.reference.has(target ?? '') && touches(levels, spread)
      })?.kind,
  },
  {
    name: 'a subquery of all tenants in one without a table',
    citus: 'refuses it: 0A000',
    use: 'the expression itself, at each of its places',
    finds: ({ levels, spread }) =>
      unrestricted(levels, spread) !== undefined &&
      levels.all.some(
        (level) =>
          level.way === 'expression' &&
          hasDistributed(level, spread) &&
          level.around?.way === 'from' &&
          level.around.body['targetList'] !== undefined &&
          level.around.body['fromClause'] === undefined,
      ),
  },
  {
    name: 'names of columns behind a name in WITH',
    citus: 'loses them: 42703',
    use: 'with named as (select x as a, y as b …)',
    finds: ({ statement, levels, spread }) =>
      touches(levels, spread) &&
      some(statement, (kind, { aliascolnames }) => kind === 'CommonTableExpr' && !!aliascolnames),
  },
  {
    name: 'a correlation with a reference table',
    citus: '0A000',
    use: 'from tenant_anchors a join tenants t on t.id = a.tenant_id where … = a.tenant_id',
    finds: ({ levels, spread }) => correlated(levels, spread),
  },
  {
    name: 'a table of tenants without the value of its tenant',
    citus: 'asks every shard; with a lock or a correlation it refuses',
    use: 'tenant_id = $1 at each table, also in a subquery: no tenant_id = outer.tenant_id',
    finds: ({ levels, spread }) => unrestricted(levels, spread),
  },
  {
    name: 'set_config',
    citus: 'sets it at the node that was asked alone',
    use: 'a lane or a transaction of the kit, which states the tenant (D-647)',
    finds: ({ statement }) => calls(statement, /^set_config$/),
  },
  {
    name: 'an advisory lock',
    citus: 'locks at the node that was asked alone',
    use: 'lockNames of kit/db/locks.ts, rows of the tenant (D-656)',
    finds: ({ statement }) => calls(statement, /^pg_(try_)?advisory_/),
  },
  {
    name: 'a notification',
    citus: 'is heard at the node that was asked alone',
    use: 'announce of kit/db/connections/announcements.ts, which is sent at the entry',
    finds: ({ statement }) =>
      calls(statement, /^pg_notify$/) || some(statement, (kind) => kind === 'NotifyStmt'),
  },
]

/** The shapes of one of the `count` statements of a text, each with its place. */
export function shapesOf(statement: Node, count: number, spread: Spread): [Shape, string][] {
  const read = readOf(statement, count, spread)
  return SHAPES.flatMap((shape): [Shape, string][] => {
    const found = shape.finds(read)
    return found === false || found === undefined ? [] : [[shape, found === true ? '' : found]]
  })
}

function readOf(statement: Node, count: number, spread: Spread): Read {
  const levels = levelsOf(statement)
  const inserts = levels.all.flatMap((level): Insert[] => {
    const { body } = level
    if (level.kind !== 'InsertStmt') return []
    const [target] = level.tables.values()
    if (target === undefined || !spread.distributed.has(target)) return []
    const selected = levels.all.find(({ around, isSource }) => around === level && isSource)
    const columns = (body['cols'] as Node[] | undefined) ?? []
    return [
      {
        target,
        body,
        level,
        columns: columns.flatMap((one) => ('ResTarget' in one ? (one.ResTarget.name ?? []) : [])),
        source: selected?.body['valuesLists'] ? undefined : selected,
      },
    ]
  })
  return { statement, count, levels, spread, inserts }
}

type Test = (kind: string, body: Body) => boolean

function some(node: unknown, is: Test, enter: Test = () => true): boolean {
  let found = false
  walk(node, (kind, body) => {
    found ||= is(kind, body)
    return !found && enter(kind, body)
  })
  return found
}

/** Looks in what an update or ON CONFLICT sets, without the nodes that `enter` leaves out. */
const inSet = (statement: Node, is: Test, enter: Test = () => true): boolean =>
  some(
    statement,
    (kind, { targetList }) =>
      (kind === 'UpdateStmt' || kind === 'onConflictClause') && some(targetList, is, enter),
  )

function isElement(kind: string, { arg, indirection }: Body): boolean {
  const isIndexed = some(indirection, (one) => one === 'A_Indices')
  return kind === 'A_Indirection' && isIndexed && some(arg, (one) => one === 'ParamRef')
}

const isTenant: Test = (kind, { name }) => kind === 'ResTarget' && name === 'tenant_id'

/**
 * Whether it adds an interval to a column; `at time zone` makes a time of day, whose sums are
 * IMMUTABLE.
 */
function isSum(kind: string, { name, lexpr, rexpr }: Body): boolean {
  if (kind !== 'A_Expr' || !some(name, (_, { sval }) => sval === '+' || sval === '-')) return false
  const isTimed: Test = (one, body) =>
    (one === 'FuncCall' && functionOf(body) === 'make_interval') ||
    (one === 'TypeCast' && some(body['typeName'], (_, { sval }) => sval === 'interval'))
  const isZone: Test = (one, body) => one === 'FuncCall' && functionOf(body) === 'timezone'
  return (
    some([lexpr, rexpr], isTimed) &&
    some(
      [lexpr, rexpr],
      (one) => one === 'ColumnRef',
      (one, body) => !isZone(one, body),
    )
  )
}

/** Functions that give the same for the same values, on each server. */
const IMMUTABLE = new Set(['coalesce', 'lower', 'upper', 'abs', 'greatest', 'least', 'length'])

function isComputed(kind: string, body: Body): boolean {
  if (kind === 'SubLink' || kind === 'SQLValueFunction') return true
  if (kind.startsWith('Json')) return true
  return kind === 'FuncCall' && !IMMUTABLE.has(functionOf(body))
}

const isCalled: Test = (kind, body) =>
  kind === 'SQLValueFunction' || (kind === 'FuncCall' && !IMMUTABLE.has(functionOf(body)))

const isComputedOrCast = (kind: string, body: Body): boolean =>
  isComputed(kind, body) || (kind === 'TypeCast' && some(body['arg'], (one) => one === 'ColumnRef'))

const functionOf = ({ funcname }: Body): string =>
  (Array.isArray(funcname) ? nameOf(funcname.at(-1) as Node) : undefined) ?? ''

const calls = (statement: Node, name: RegExp): boolean =>
  some(statement, (kind, body) => kind === 'FuncCall' && name.test(functionOf(body)))

const isOf = (spread: Spread, name: string | undefined): boolean =>
  name !== undefined && spread.distributed.has(name)

const isSpread = (spread: Spread, name: string | undefined): boolean =>
  isOf(spread, name) || spread.reference.has(name ?? '')

const namesOf = (tables: Level['tables'], spread: Spread) =>
  [...tables.values()].filter((name) => isOf(spread, name))

const touches = ({ all }: Levels, spread: Spread): boolean =>
  all.some(({ tables }) => namesOf(tables, spread).length > 0)

const hasDistributed = (level: Level, spread: Spread) => hasOf(level, spread.distributed)

/** Whether the level has one of these tables in its FROM, also behind a name. */
function hasOf(level: Level, names: ReadonlySet<string>): boolean {
  return (
    [...level.tables.values()].some((name) => names.has(name ?? '')) ||
    [...level.behind.values()].some((one) => hasOf(one, names)) ||
    level.sides.some((one) => hasOf(one, names))
  )
}

function correlated({ all, reaches, hasTenant }: Levels, spread: Spread): string | undefined {
  for (const level of all) {
    if (level.way !== 'expression') continue
    const open = [...level.tables].find(
      ([alias, name]) => isOf(spread, name) && !hasTenant(level, alias),
    )
    if (!open) continue
    const around = all.find(
      (one) =>
        reaches(level, one) &&
        [...one.tables.values()].some((name) => spread.reference.has(name ?? '')) &&
        !hasDistributed(one, spread),
    )
    if (around) return open[1]
  }
  return undefined
}

function unrestricted(levels: Levels, spread: Spread): string | undefined {
  if (correlated(levels, spread) !== undefined) return undefined
  const { all, hasTenant } = levels
  for (const level of all) {
    for (const [alias, name] of level.tables) {
      if (level.kind === 'InsertStmt') continue
      if (isOf(spread, name) && !hasTenant(level, alias)) return name
    }
  }
  return undefined
}

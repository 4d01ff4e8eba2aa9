/**
 * The levels of a statement: each select, insert, update and delete in it with the tables that it
 * names, and which of their columns equal one value.
 */

import type { Node, SelectStmt, WithClause } from 'libpg-query'

/** The column by which tables are spread. */
const TENANT = 'tenant_id'

/** How a level is reached from the one around it. */
type Way = 'statement' | 'from' | 'with' | 'expression'

export type Level = {
  kind: string
  body: Body
  way: Way
  /** Whether an insert takes its rows from it. */
  isSource: boolean
  around: Level | undefined
  /** Tables by alias: the name, or undefined for a function or a level of its own. */
  tables: Map<string, string | undefined>
  /** Names of the tables that are levels of the statement itself. */
  named: Map<string, Level>
  /** Its columns, in order: the name of each, and the column that it shows, if that is known. */
  columns: (readonly [name: string, of: string | undefined])[]
  /** The levels behind an alias. */
  behind: Map<string, Level>
  /** The sides of a union. */
  sides: Level[]
  id: number
}

export type Levels = {
  all: readonly Level[]
  /** Whether the tenant of a table is one value, also by what it is joined with. */
  hasTenant: (level: Level, alias: string) => boolean
  /** Whether a column of `level` is compared or shown in a level within an expression of it. */
  reaches: (level: Level, around: Level) => boolean
}

const VALUE = 'a value'

type Body = Record<string, unknown>
type Query = {
  relation?: { schemaname?: string; relname?: string; alias?: { aliasname?: string } }
  fromClause?: Node[]
  usingClause?: Node[]
  withClause?: WithClause
  whereClause?: Node
}

const QUERIES = new Set(['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt'])

const isObject = (value: unknown): value is Body => typeof value === 'object' && value !== null

/** Calls `visit` with each node below, and goes into those for which it does not answer false. */
export function walk(node: unknown, visit: (kind: string, body: Body) => unknown): void {
  if (Array.isArray(node)) for (const one of node) walk(one, visit)
  else if (isObject(node)) {
    for (const [kind, body] of Object.entries(node)) {
      if (!isObject(body)) continue
      if (!Array.isArray(body) && visit(kind, body) === false) continue
      walk(body, visit)
    }
  }
}

export function levelsOf(statement: Node): Levels {
  return new Reader().read(statement)
}

class Reader {
  readonly #all: Level[] = []
  readonly #sets = new Map<string, string>()
  /** Columns that are restricted from without: the outer one first. */
  readonly #passed: (readonly [outer: string, inner: string])[] = []
  readonly #reached = new Set<string>()

  read(statement: Node): Levels {
    this.#find(statement, 'statement', undefined)
    return {
      all: this.#all,
      hasTenant: (level, alias) => this.#isValue(columnOf(level, alias, TENANT)),
      reaches: (level, around) => this.#reached.has(`${level.id} ${around.id}`),
    }
  }

  /** The first queries below a node. */
  #find(node: unknown, way: Way, around: Level | undefined): Level[] {
    const found: Level[] = []
    walk(node, (kind, body) => {
      if (!QUERIES.has(kind)) return true
      found.push(this.#level(kind, body as Query & SelectStmt, way, around))
      return false
    })
    return found
  }

  #level(kind: string, query: Query & SelectStmt, way: Way, around: Level | undefined): Level {
    const level: Level = {
      kind,
      body: { ...query },
      way,
      around,
      isSource: false,
      tables: new Map(),
      named: new Map(),
      columns: [],
      behind: new Map(),
      sides: [],
      id: this.#all.length,
    }
    this.#all.push(level)
    for (const node of query.withClause?.ctes ?? []) {
      if (!('CommonTableExpr' in node)) continue
      const { ctename = '', ctequery } = node.CommonTableExpr
      const [own] = this.#find(ctequery, 'with', level)
      if (own) level.named.set(ctename, own)
    }
    for (const side of [query.larg, query.rarg]) {
      if (side) level.sides.push(this.#level('SelectStmt', side, 'from', level))
    }
    if (query.relation) this.#table(level, query.relation)
    this.#sources(level, [...(query.fromClause ?? []), ...(query.usingClause ?? [])])
    this.#conditions(level, query.whereClause)
    const { withClause: _w, larg: _l, rarg: _r, fromClause: _f, usingClause: _u, ...rest } = query
    const { selectStmt, ...others } = rest as typeof rest & { selectStmt?: Node }
    for (const source of this.#find(selectStmt, 'from', level)) source.isSource = true
    this.#find(others, 'expression', level)
    this.#note(level, others)
    this.#shown(level, query.targetList ?? [])
    return level
  }

  #table(level: Level, of: NonNullable<Query['relation']>): void {
    const { schemaname, relname = '', alias } = of
    const name = schemaname === undefined ? relname : `${schemaname}.${relname}`
    const as = alias?.aliasname ?? relname
    const own = schemaname === undefined ? namedAround(level, relname) : undefined
    level.tables.set(as, own ? undefined : name)
    if (own) this.#bind(level, as, own)
  }

  #sources(level: Level, nodes: readonly Node[]): void {
    for (const node of nodes) {
      if ('RangeVar' in node) this.#table(level, node.RangeVar)
      else if ('RangeSubselect' in node) {
        const { subquery, alias } = node.RangeSubselect
        const as = alias?.aliasname ?? ''
        level.tables.set(as, undefined)
        const [own] = this.#find(subquery, 'from', level)
        if (own) this.#bind(level, as, own)
      } else if ('RangeFunction' in node) {
        const { alias } = node.RangeFunction
        level.tables.set(alias?.aliasname ?? '', undefined)
        this.#find(node.RangeFunction.functions, 'expression', level)
      } else if ('JoinExpr' in node) {
        const { larg, rarg, quals, usingClause = [] } = node.JoinExpr
        const before = new Set(level.tables.keys())
        this.#sources(
          level,
          [larg, rarg].filter((one) => one !== undefined),
        )
        for (const one of usingClause) {
          if (!('String' in one)) continue
          const name = one.String.sval ?? ''
          const [first = '', ...rest] = [...level.tables.keys()]
          for (const alias of rest) {
            if (before.has(alias) && before.has(first)) continue
            this.#unite(columnOf(level, first, name), columnOf(level, alias, name))
          }
        }
        this.#conditions(level, quals)
        this.#find(quals, 'expression', level)
        this.#note(level, quals)
      }
    }
  }

  /** An alias shows columns of the level behind it; if that is a union, columns of each side. */
  #bind(level: Level, as: string, own: Level): void {
    level.behind.set(as, own)
    for (const [name, made] of own.columns) {
      if (made !== undefined) this.#unite(columnOf(level, as, name), made)
    }
    const sides = sidesOf(own)
    for (const [at, [name]] of (sides[0]?.columns ?? []).entries()) {
      for (const side of sides) {
        const made = side.columns[at]?.[1]
        if (made !== undefined) this.#passed.push([columnOf(level, as, name), made])
      }
    }
  }

  #shown(level: Level, targets: readonly Node[]): void {
    for (const target of targets) {
      if (!('ResTarget' in target)) continue
      const { name, val } = target.ResTarget
      if (!val) continue
      const fields = 'ColumnRef' in val ? (val.ColumnRef.fields ?? []) : []
      const last = fields.at(-1)
      if (last && 'A_Star' in last) {
        const only = fields.length > 1 ? nameOf(fields[0]) : undefined
        for (const alias of level.tables.keys()) {
          if (only !== undefined && alias !== only) continue
          level.columns.push([TENANT, columnOf(level, alias, TENANT)])
        }
      } else level.columns.push([name ?? nameOf(last) ?? '', this.#side(level, val)])
    }
  }

  #conditions(level: Level, node: Node | undefined): void {
    if (!node) return
    if ('BoolExpr' in node) {
      if (node.BoolExpr.boolop !== 'AND_EXPR') return
      for (const one of node.BoolExpr.args ?? []) this.#conditions(level, one)
    } else if ('A_Expr' in node) {
      const { name: [operator] = [], kind, lexpr, rexpr } = node.A_Expr
      if (kind !== 'AEXPR_OP' || nameOf(operator) !== '=' || !lexpr || !rexpr) return
      this.#equal(level, lexpr, rexpr)
    }
  }

  #equal(level: Level, left: Node, right: Node): void {
    if ('RowExpr' in left && 'RowExpr' in right) {
      const others = right.RowExpr.args ?? []
      for (const [at, one] of (left.RowExpr.args ?? []).entries()) {
        const other = others[at]
        if (other) this.#equal(level, one, other)
      }
      return
    }
    const [one, other] = [this.#side(level, left), this.#side(level, right)]
    if (one !== undefined && other !== undefined) this.#unite(one, other)
  }

  /** Undefined if it is neither a column of this level, or of one that it is joined with. */
  #side(level: Level, node: Node): string | undefined {
    if (isValue(node)) return VALUE
    const inner = 'TypeCast' in node && node.TypeCast.arg ? node.TypeCast.arg : node
    if (!('ColumnRef' in inner)) return undefined
    const names = (inner.ColumnRef.fields ?? []).map(nameOf)
    const [column = '', alias] = names.toReversed()
    if (alias === undefined) {
      const owner = ownerOf(level, column)
      return owner === undefined ? undefined : columnOf(level, owner, column)
    }
    for (let at: Level | undefined = level; at; at = at.around) {
      if (at.tables.has(alias)) return columnOf(at, alias, column)
      // A correlation is no join: Citus does not carry the value into it.
      if (at.way === 'expression') return undefined
    }
    return undefined
  }

  /** Notes which levels around are named in the expressions of this one. */
  #note(level: Level, node: unknown): void {
    walk(node, (kind, body) => {
      if (kind !== 'ColumnRef') return true
      const [first, second] = (body['fields'] as Node[] | undefined) ?? []
      const alias = second ? nameOf(first) : undefined
      if (alias === undefined || level.tables.has(alias)) return true
      for (let at = level.around; at; at = at.around) {
        if (!at.tables.has(alias)) continue
        this.#reached.add(`${level.id} ${at.id}`)
        break
      }
      return true
    })
  }

  #isValue(column: string): boolean {
    const root = this.#root(column)
    if (root === this.#root(VALUE)) return true
    return this.#passed.some(([outer, inner]) => this.#root(inner) === root && this.#isValue(outer))
  }

  #root(column: string): string {
    const next = this.#sets.get(column)
    return next === undefined ? column : this.#root(next)
  }

  #unite(one: string, other: string): void {
    const [a, b] = [this.#root(one), this.#root(other)]
    if (a !== b) this.#sets.set(a, b)
  }
}

/** The alias of the table that a column named alone belongs to. */
function ownerOf({ tables, behind }: Level, column: string): string | undefined {
  const shows = (own: Level) => (sidesOf(own)[0] ?? own).columns.some(([name]) => name === column)
  const shown = [...behind].find(([, own]) => shows(own))
  return shown?.[0] ?? [...tables].find(([, table]) => table !== undefined)?.[0]
}

const sidesOf = ({ sides }: Level): Level[] =>
  sides.flatMap((side) => (side.sides.length > 0 ? sidesOf(side) : [side]))

const columnOf = ({ id }: Level, alias: string, column: string): string =>
  `${id} ${alias} ${column}`

export const nameOf = (node: Node | undefined): string | undefined =>
  node && 'String' in node ? node.String.sval : undefined

function isValue(node: Node): boolean {
  if ('TypeCast' in node) return node.TypeCast.arg !== undefined && isValue(node.TypeCast.arg)
  return 'ParamRef' in node || 'A_Const' in node
}

function namedAround(level: Level, name: string): Level | undefined {
  for (let at: Level | undefined = level; at; at = at.around) {
    const own = at.named.get(name)
    if (own) return own
  }
  return undefined
}

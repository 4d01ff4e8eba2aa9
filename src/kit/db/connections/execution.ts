/**
 * How Kysely's statements become text and reach a connection. Most are templates (`sql`), of which
 * a batch of decisions has a dozen: they are written without the visitor of all kinds of nodes, and
 * sent without what the library has around a driver for others than this one.
 */

import {
  type CompiledQuery,
  DefaultQueryExecutor,
  type Kysely,
  type KyselyProps,
  type OperationNode,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  RawNode,
  ValueNode,
} from 'kysely'
import type { LeasingDriver } from './connection.ts'

type Compile = PostgresQueryCompiler['compileQuery']

/** The same text as that of the library. */
export class TemplateCompiler extends PostgresQueryCompiler {
  /** The texts of nodes that contain no value: literals and names. */
  readonly #texts = new WeakMap<OperationNode, string>()

  override compileQuery(...[query, queryId]: Parameters<Compile>): CompiledQuery {
    if (!RawNode.is(query)) return super.compileQuery(query, queryId)
    const parameters: unknown[] = []
    const sql = this.#textOf(query, parameters, queryId)
    return sql === undefined
      ? super.compileQuery(query, queryId)
      : { query, queryId, sql, parameters }
  }

  /** Adds its values; undefined if it has a node that contains values and is no template. */
  #textOf(
    { sqlFragments, parameters: nodes }: RawNode,
    values: unknown[],
    id: Parameters<Compile>[1],
  ): string | undefined {
    let text = sqlFragments[0] ?? ''
    for (const [at, node] of nodes.entries()) {
      const part = RawNode.is(node)
        ? this.#textOf(node, values, id)
        : ValueNode.is(node) && !node.immediate
          ? `$${values.push(node.value)}`
          : this.#fixed(node, id)
      if (part === undefined) return undefined
      text += part + (sqlFragments[at + 1] ?? '')
    }
    return text
  }

  #fixed(node: OperationNode, id: Parameters<Compile>[1]): string | undefined {
    const known = this.#texts.get(node)
    if (known !== undefined) return known
    const { sql, parameters } = super.compileQuery(RawNode.createWithChild(node), id)
    if (parameters.length > 0) return undefined
    this.#texts.set(node, sql)
    return sql
  }
}

/** Each statement on a connection of `driver`, which needs no preparation. */
export class Execution extends DefaultQueryExecutor {
  readonly #driver: LeasingDriver

  constructor(driver: LeasingDriver) {
    super(new TemplateCompiler(), new PostgresAdapter(), {
      async provideConnection(consumer) {
        const connection = await driver.acquireConnection()
        try {
          return await consumer(connection)
        } finally {
          await driver.releaseConnection(connection)
        }
      },
    })
    this.#driver = driver
  }

  override executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#driver.only?.executeQuery<Row>(query) ?? this.#execute(query)
  }

  async #execute<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const connection = await this.#driver.acquireConnection()
    try {
      return await connection.executeQuery<Row>(query)
    } finally {
      void this.#driver.releaseConnection(connection)
    }
  }
}

/** The props of a query builder over `driver`. */
export function propsOf(driver: LeasingDriver): KyselyProps {
  const dialect = {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
    createQueryCompiler: () => new TemplateCompiler(),
  }
  return { config: { dialect }, dialect, driver, executor: new Execution(driver) }
}

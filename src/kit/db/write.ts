/**
 * A write that was made and not started. All that can fail for a reason of its own (sealing,
 * rendering) has been done once there is a Write, so a COMMIT that travels with it lacks nothing
 * (D-945).
 */

import { channel } from 'node:diagnostics_channel'
import type {
  Compilable,
  CompiledQuery,
  QueryExecutorProvider,
  QueryResult,
  RawBuilder,
} from 'kysely'

/** The query builder of a transaction or line (db.ts). */
type Db = QueryExecutorProvider & {
  executeQuery: (query: CompiledQuery) => Promise<QueryResult<unknown>>
  /** Writes that were made and not started. */
  readonly unstarted: Set<Write>
}

/** A builder of Kysely, or a template. */
type Query = Compilable | RawBuilder<unknown>
export type Written = QueryResult<unknown>
/** Turns the error of a statement into that of the write. */
type Explain = (error: unknown) => unknown

type Statement = { query: CompiledQuery; explain: Explain | undefined }

/**
 * Publishes the code that made a statement, for subscribers that record statements; other code
 * starts it.
 */
const made = channel('bezant:write')

export class Write {
  readonly #db: Db
  readonly #statements: readonly Statement[]

  private constructor(db: Db, statements: readonly Statement[]) {
    this.#db = db
    this.#statements = statements
    if (statements.length > 0) db.unstarted.add(this)
    if (made.hasSubscribers) for (const { query } of statements) made.publish(query.sql)
  }

  static of(db: Db, ...queries: readonly Query[]): Write {
    return Write.explained(db, undefined, ...queries)
  }

  /** A write with its own errors in place of some of the database's. */
  static explained(db: Db, explain: Explain | undefined, ...queries: readonly Query[]): Write {
    return new Write(
      db,
      queries.map((query) => ({ query: query.compile(db), explain })),
    )
  }

  /** These in their order, as one; they are not started by themselves any more. */
  static all(db: Db, ...writes: readonly (Write | undefined | false)[]): Write {
    const parts = writes.filter((write) => write instanceof Write)
    for (const part of parts) db.unstarted.delete(part)
    return new Write(
      db,
      parts.flatMap((part) => part.#statements),
    )
  }

  /**
   * Starts its statements together, once. Returns the result of each; fails with the error of the
   * first that failed, when all are answered.
   */
  start(): Promise<readonly Written[]> {
    this.#db.unstarted.delete(this)
    return this.#answered(this.#statements.map(({ query }) => this.#db.executeQuery(query)))
  }

  async #answered(started: readonly Promise<Written>[]): Promise<readonly Written[]> {
    const answers = await Promise.allSettled(started)
    return answers.map((answer, at) => {
      if (answer.status === 'fulfilled') return answer.value
      throw this.#statements[at]?.explain?.(answer.reason) ?? answer.reason
    })
  }
}

/** How many rows all of its statements have changed. */
export const rowsWritten = (written: readonly Written[]): number =>
  written.reduce((sum, { numAffectedRows }) => sum + Number(numAffectedRows ?? 0n), 0)

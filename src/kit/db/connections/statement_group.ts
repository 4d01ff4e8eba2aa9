/**
 * Statements that are sent together: one write with one Sync behind them, so that the server
 * answers all of them with one write too. A statement apart costs both sides two to three times as
 * much. Outside a transaction a group is one of its own; where a statement fails, those behind it
 * are not run.
 */

import pg from 'pg'
import utils from 'pg/lib/utils.js'
import { serialize } from 'pg-protocol'
import { codeOf } from '#kit/start_error.ts'

/** `name` where the statement is to be prepared once for the connection. */
export type Statement = {
  text: string
  name: string | undefined
  values: readonly unknown[]
  resolve: (found: Found) => void
  reject: (error: unknown) => void
}

/** `count` as the command reports it: rows found, inserted or changed. */
export type Found = { rows: object[]; count: number | undefined }

/**
 * How a group ended that is a transaction of its own. FAILED: nothing of it was committed. UNKNOWN:
 * only the database knows.
 */
export type Outcome = { kind: 'COMMITTED' } | { kind: 'FAILED' | 'UNKNOWN'; error: unknown }

type Row = Record<string, unknown>
type Column = { name: string; parse: (text: string) => unknown }
/** How the rows of a statement are read; `empty` has all columns, so that all rows are alike. */
type Shape = { columns: readonly Column[]; empty: Row }

/** `shape` is known once the statement was answered; it stays as long as the statement does. */
type Prepared = { shape: Shape | undefined; failed: boolean }

/** Its columns have changed since it was prepared, or the server does not have it. */
const LOST: ReadonlySet<string> = new Set(['0A000', '26000'])

/** What fails at the end of a transaction, before it is committed: constraints and conflicts. */
const AT_COMMIT = /^(22|23|40)/

const NO_ROWS: Shape = { columns: [], empty: {} }
const DESCRIBE = serialize.describe({ type: 'P' })
const EXECUTE = serialize.execute()
const SYNC = serialize.sync()

/** By the names of statements, of each connection. */
const prepared = new WeakMap<pg.Connection, Map<string, Prepared>>()

/** A query of the driver, which takes no objects of other classes where it pipelines. */
export class StatementGroup extends pg.Query {
  readonly statements: readonly Statement[]
  readonly #prepared: (Prepared | undefined)[] = []
  /** The answered ones, in order. */
  readonly #found: Found[] = []
  readonly #outcome = Promise.withResolvers<Outcome>()
  #sent = false
  #rows: object[] = []
  #shape = NO_ROWS
  /** Replaced by the driver, which ends its timer in it. */
  callback = (error?: unknown): void => this.#end(error)

  constructor(statements: readonly Statement[]) {
    super('')
    this.statements = statements
  }

  get outcome(): Promise<Outcome> {
    return this.#outcome.promise
  }

  /** Called by the driver when the connection is ready; answers why nothing was sent. */
  override submit = (connection: pg.Connection): Error | null => {
    try {
      const messages = Buffer.concat([...this.#messages(connection), SYNC])
      this.#sent = true
      connection.stream.write(messages)
      return null
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }

  #messages(connection: pg.Connection): Buffer[] {
    const known = prepared.get(connection) ?? new Map<string, Prepared>()
    prepared.set(connection, known)
    // A value that the protocol can not have fails before anything is noted as sent.
    const bound = this.statements.map(({ name = '', values }) =>
      serialize.bind({
        statement: name,
        values: [...values],
        valueMapper: utils.prepareValue,
      }),
    )
    return this.statements.flatMap(({ name, text }, at) => {
      const messages: Buffer[] = []
      let of = name === undefined ? undefined : known.get(name)
      if (!of || of.failed) {
        // After a failure it is not known whether the statement is there; one that is not is closed
        // without an error.
        if (of?.failed && name !== undefined) messages.push(serialize.close({ type: 'S', name }))
        messages.push(serialize.parse({ name: name ?? '', text }))
        of = { shape: undefined, failed: false }
        if (name !== undefined) known.set(name, of)
      }
      this.#prepared[at] = of
      messages.push(bound[at] ?? Buffer.of())
      if (!of.shape) messages.push(DESCRIBE)
      messages.push(EXECUTE)
      return messages
    })
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    const columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: pg.types.getTypeParser(dataTypeID, 'text'),
    }))
    this.#shape = { columns, empty: Object.fromEntries(columns.map(({ name }) => [name, null])) }
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const { columns, empty } = this.#current()?.shape ?? this.#shape
    const row = { ...empty }
    for (let at = 0; at < fields.length; at++) {
      const [text, column] = [fields[at], columns[at]]
      if (column && text !== null && text !== undefined) row[column.name] = column.parse(text)
    }
    this.#rows.push(row)
  }

  handleCommandComplete({ text }: { text: string }): void {
    const current = this.#current()
    if (current) current.shape ??= this.#shape
    const count = Number(text.slice(text.lastIndexOf(' ') + 1))
    this.#found.push({ rows: this.#rows, count: Number.isNaN(count) ? undefined : count })
    this.#rows = []
    this.#shape = NO_ROWS
  }

  handleReadyForQuery(): void {
    this.callback()
  }

  handleError(error: unknown): void {
    const [of, ...behind] = this.#prepared.slice(this.#found.length)
    if (of && (!of.shape || LOST.has(codeOf(error) ?? ''))) of.failed = true
    // Where this group was to prepare them, they were not.
    for (const one of behind) if (one && !one.shape) one.failed = true
    this.callback(error)
  }

  #current(): Prepared | undefined {
    return this.#prepared[this.#found.length]
  }

  #end(error: unknown): void {
    for (const [at, { resolve, reject }] of this.statements.entries()) {
      const found = this.#found[at]
      if (found) resolve(found)
      else reject(error ?? new Error('the server has left a statement unanswered'))
    }
    this.#outcome.resolve(this.#outcomeOf(error))
  }

  /**
   * The server commits at the Sync, which it reaches only behind the last statement. An error that
   * it reports there may follow the commit.
   */
  #outcomeOf(error: unknown): Outcome {
    const missing = this.#found.length < this.statements.length
    if (!error && !missing) return { kind: 'COMMITTED' }
    const code = isAnswer(error) ? (codeOf(error) ?? '') : undefined
    const failed = !this.#sent || (code !== undefined && (missing || AT_COMMIT.test(code)))
    return { kind: failed ? 'FAILED' : 'UNKNOWN', error }
  }
}

/** Whether the server itself has sent this error. */
const isAnswer = (error: unknown): boolean =>
  error instanceof Error && 'severity' in error && typeof error.severity === 'string'

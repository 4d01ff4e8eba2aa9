/**
 * Statements that are sent together: one write with one Sync behind them, so that the server
 * answers all of them with one write too. A statement apart costs both sides two to three times as
 * much. If a statement fails, those behind it are not run.
 *
 * Outside a transaction a group is one by itself on PostgreSQL, which commits at the Sync. On Citus
 * it is not, since each write is committed alone on its node: there a group begins with `begin`,
 * and `commit` is behind the Sync in the same write (group_end.ts).
 */

import pg from 'pg'
import { serialize } from 'pg-protocol'
import { codeOf } from '#kit/start_error.ts'
import { GroupEnd } from './group_end.ts'
import { CommitInDoubt, isAnswer, isRefusedCommit } from './outage.ts'
import { Outgoing, type Value } from './outgoing.ts'

/** `name` if the statement is to be prepared once for the connection. */
export type Statement = {
  text: string
  name: string | undefined
  values: readonly Value[]
  resolve: (found: StatementResult) => void
  reject: (error: unknown) => void
}

/** `count` as the command reports it: rows found, inserted or changed. */
export type StatementResult = { rows: object[]; count: number | undefined }

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

const NO_ROWS: Shape = { columns: [], empty: {} }
const DESCRIBE = serialize.describe({ type: 'P' })
const EXECUTE = serialize.execute()
const SYNC = serialize.sync()
const outgoing = new Outgoing()

type Known = { statements: Map<string, Prepared>; schema: number }

/** The prepared statements of each connection, by their names. */
const prepared = new WeakMap<pg.Connection, Known>()
/** Raised when a statement is outdated, since those of other connections may be so too. */
let schema = 0

/**
 * Whether a statement has failed because its columns have changed since it was prepared: a newer
 * program has migrated. Nothing of its transaction was committed, and again it works (D-680).
 */
export const isOutdated = (error: unknown): boolean =>
  codeOf(error) === '0A000' &&
  error instanceof Error &&
  'routine' in error &&
  error.routine === 'RevalidateCachedQuery'

/** A query of the driver, which takes no objects of other classes if it pipelines. */
export class StatementGroup extends pg.Query {
  readonly statements: readonly Statement[]
  readonly #prepared: (Prepared | undefined)[] = []
  /** The answered ones, in order. */
  readonly #found: StatementResult[] = []
  readonly #outcome = Promise.withResolvers<Outcome>()
  /** The end, to be queried right behind the group, which has sent it. */
  readonly end: GroupEnd | undefined
  #error: unknown
  #sent = false
  #rows: object[] = []
  #shape = NO_ROWS
  /** Replaced by the driver, which ends its timer in it. */
  callback = (error?: unknown): void => {
    this.#error = error
    if (!this.end) this.#settle()
  }

  /** With `commits` its statements begin with `begin`, and `commit` is sent behind them. */
  constructor(statements: readonly Statement[], { commits = false } = {}) {
    super('')
    this.statements = statements
    this.end = commits
      ? new GroupEnd({ isSent: () => this.#sent, onEnd: () => this.#settle() })
      : undefined
  }

  /** Whether the driver has written it; not if its connection has ended. */
  get isSent(): boolean {
    return this.#sent
  }

  get outcome(): Promise<Outcome> {
    return this.#outcome.promise
  }

  /** Called by the driver when the connection is ready; answers why nothing was sent. */
  override submit = (connection: pg.Connection): Error | null => {
    try {
      const messages = this.#messages(connection)
      this.#sent = true
      connection.stream.write(messages)
      return null
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }

  #messages(connection: pg.Connection): Buffer {
    const known = knownOf(connection)
    outgoing.begin()
    for (const [at, { name, text, values }] of this.statements.entries()) {
      let of = name === undefined ? undefined : known.get(name)
      if (!of || of.failed) {
        // After a failure it is not known whether the statement is there; one that is not is closed
        // without an error.
        if (of?.failed && name !== undefined) outgoing.add(serialize.close({ type: 'S', name }))
        outgoing.add(serialize.parse({ name: name ?? '', text }))
        of = { shape: undefined, failed: false }
        if (name !== undefined) known.set(name, of)
      }
      this.#prepared[at] = of
      outgoing.bind(name ?? '', values)
      if (!of.shape) outgoing.add(DESCRIBE)
      outgoing.add(EXECUTE)
    }
    outgoing.add(SYNC)
    if (this.end) outgoing.add(GroupEnd.message)
    return outgoing.take()
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
    if (isOutdated(error)) schema += 1
    // If this group was to prepare them, they were not.
    for (const one of behind) if (one && !one.shape) one.failed = true
    this.callback(error)
  }

  #current(): Prepared | undefined {
    return this.#prepared[this.#found.length]
  }

  /** A statement that was answered is not done if the commit behind it was not. */
  #settle(): void {
    const outcome = this.#outcomeOf()
    const cut = this.#isCut()
    const inDoubt = this.end && !cut && outcome.kind === 'UNKNOWN'
    const error = outcome.kind === 'COMMITTED' ? undefined : outcome.error
    for (const [at, { resolve, reject }] of this.statements.entries()) {
      const found = this.#found[at]
      if (found && (cut || outcome.kind === 'COMMITTED')) resolve(found)
      else reject(inDoubt ? new CommitInDoubt(error) : error)
    }
    this.#outcome.resolve(outcome)
  }

  /** Whether a statement was not answered. */
  #isCut(): boolean {
    return this.#found.length < this.statements.length
  }

  /**
   * The server commits behind the last statement only. An error that it reports there may follow
   * the commit.
   */
  #outcomeOf(): Outcome {
    const cut = this.#isCut()
    const error = this.#error ?? this.end?.error
    if (!error && !cut && (!this.end || this.end.tag === 'COMMIT')) return { kind: 'COMMITTED' }
    const failed = !this.#sent || (cut ? isAnswer(error) : isRefusedCommit(error))
    return {
      kind: failed || this.end?.tag === 'ROLLBACK' ? 'FAILED' : 'UNKNOWN',
      error: error ?? new Error('the server has left a statement unanswered'),
    }
  }
}

function knownOf(connection: pg.Connection): Map<string, Prepared> {
  const known = prepared.get(connection) ?? { statements: new Map<string, Prepared>(), schema }
  prepared.set(connection, known)
  if (known.schema !== schema) {
    for (const one of known.statements.values()) one.failed = true
    known.schema = schema
  }
  return known.statements
}

/** Connections behind Kysely: named statements, sent in groups as they are started. */

import { channel } from 'node:diagnostics_channel'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import utils from 'pg/lib/utils.js'
import { codeOf } from '#kit/start_error.ts'
import { microtasks } from '#lib/promises.ts'
import {
  ALL_TENANTS,
  beginning,
  STATE_TENANTS,
  settingOf,
  stating,
  type TenantsSeen,
} from '../security/tenants_seen.ts'
import { LINE_UP } from './copied_tables.ts'
import { asOutage, DatabaseUnavailable, endsConnection } from './outage.ts'
import type { Value } from './outgoing.ts'
import type { ConnectionSource, Lane, Lease } from './pool.ts'
import {
  isOutdated,
  type Outcome,
  type Statement,
  StatementGroup,
  type StatementResult,
} from './statement_group.ts'
import { spanOfStatement } from './statement_spans.ts'

const NAMED_STATEMENTS = 1000
/** A statement after one that has failed, in the same transaction. */
const ABORTED = '25P02'

/**
 * Publishes each statement, with its values, to subscribers: tests record the distinct ones
 * (D-687).
 */
const statements = channel('bezant:statement')
const statementNames = new Map<string, string>()

/** Every text that recurs is prepared once per connection; past the bound a text stays unnamed. */
function statementName(text: string): string | undefined {
  const known = statementNames.get(text)
  if (known !== undefined || statementNames.size >= NAMED_STATEMENTS) return known
  const name = `s${statementNames.size}`
  statementNames.set(text, name)
  return name
}

/**
 * A connection on loan, as Kysely uses it. Statements that are started in one turn of the event
 * loop are sent together.
 */
export class Connection implements DatabaseConnection {
  /** Undefined while it is on no loan. */
  lease: Lease | undefined
  /**
   * The newest error but ABORTED: the one that has ended a transaction whose statements get that.
   */
  #failure: unknown
  /** The error of a statement of this loan that was started and not handed to the server. */
  #unsent: { error: unknown } | undefined
  #started: Statement[] = []
  readonly #unanswered = new Set<Promise<unknown>>()
  #hasLinedUp = false
  begin(lease: Lease): void {
    this.lease = lease
    this.#failure = undefined
    this.#unsent = undefined
    this.#hasLinedUp = false
  }
  /**
   * Rejects the statements that are not sent yet: no statement of this loan may reach the next
   * borrower.
   */
  end(): void {
    this.lease = undefined
    for (const { reject } of this.#started.splice(0)) reject(new Error(ENDED))
  }
  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      const { rows, count } = await spanOfStatement(sql, () =>
        this.#noted(this.#start(sql, parameters)),
      )
      return { rows: rows as Row[], numAffectedRows: BigInt(count ?? 0) }
    } catch (error) {
      // It names where the statement was started, not where its answer was read.
      if (error instanceof Error) Error.captureStackTrace(error)
      if (codeOf(error) === ABORTED) throw asOutage(this.#failure ?? error)
      this.#failure = error
      if (endsConnection(error)) this.lease?.spoil()
      throw asOutage(error)
    }
  }
  #start(text: string, given: readonly unknown[]): Promise<StatementResult> {
    if (!this.lease) return Promise.reject(new Error(ENDED))
    if (this.#started.length === 0) this.schedule()
    if (statements.hasSubscribers) statements.publish({ text, values: given })
    const values = this.#prepared(given)
    return new Promise((resolve, reject) => {
      this.#started.push({ text, name: statementName(text), values, resolve, reject })
    })
  }
  async #noted(answer: Promise<StatementResult>): Promise<StatementResult> {
    this.#unanswered.add(answer)
    try {
      return await answer
    } finally {
      this.#unanswered.delete(answer)
    }
  }
  /**
   * Resolves when no statement is unanswered, and the code that waited for the last one starts
   * none.
   */
  async quiet(): Promise<void> {
    while (this.#unanswered.size > 0) {
      await Promise.allSettled(this.#unanswered)
      await microtasks()
    }
  }
  /** A value that the protocol can not have fails before anything is sent beside it. */
  #prepared(values: readonly unknown[]): Value[] {
    try {
      return values.map((value) => utils.prepareValue(value))
    } catch (error) {
      this.#unsent ??= { error }
      throw error
    }
  }
  /**
   * Fails if a statement of this loan was not handed to the server: a COMMIT would be without it.
   */
  assertWhole(): void {
    if (this.#unsent) throw this.#unsent.error
  }
  /** Called when the first statement of a group is started. */
  protected schedule(): void {
    process.nextTick(() => this.send())
  }
  /** Sends what was started; undefined if that is nothing. */
  send(): Promise<Outcome> | undefined {
    const started = this.#started.splice(0)
    if (started.length === 0) return undefined
    if (!this.lease) return undefined
    const group = this.grouped(started, this.lease)
    const outcome = sendGroup(this.lease, group)
    if (!group.isSent) this.#unsent ??= { error: new Error('a statement could not be sent') }
    return outcome
  }
  /** The group that is sent for these statements, which are some of a transaction. */
  protected grouped(started: readonly Statement[], lease: Lease): StatementGroup {
    const before = this.#hasLinedUp ? [] : liningUp(lease, started)
    this.#hasLinedUp ||= before.length > 0
    return new StatementGroup([...before, ...started])
  }
  // biome-ignore lint/correctness/useYield: the interface requires it and nothing here streams.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('streaming is not supported')
  }
}

const ENDED = 'a statement was started after the end of its transaction or session'

/** Sends the group in one write, also with its `commit`. */
function sendGroup({ client }: Lease, group: StatementGroup): Promise<Outcome> {
  client.query(group)
  if (group.end) client.query(group.end)
  return group.outcome
}

/** Knows whose rows it sees, once it is on loan. */
class SeeingConnection extends Connection {
  #seen: TenantsSeen = null
  /** Throws if `seen` is no tenant. */
  see(seen: TenantsSeen): void {
    settingOf(seen)
    this.#seen = seen
  }
  protected seenOn({ unstated }: Lease): TenantsSeen {
    return this.#seen ?? unstated
  }
}

/**
 * Outside a transaction each group is one of its own, which states the tenant. A single statement
 * that states none is one by itself everywhere.
 */
export class TenantConnection extends SeeingConnection {
  protected override grouped(started: readonly Statement[], lease: Lease): StatementGroup {
    const seen = this.seenOn(lease)
    const frame = seen === null ? [] : [statingOn(lease, seen), ...waitingOn(lease)]
    const stated = [...frame, ...liningUp(lease, started), ...started]
    return lease.explicit && stated.length > 1
      ? new StatementGroup([framing('begin'), ...stated], { commits: true })
      : new StatementGroup(stated)
  }
}

/**
 * A connection for one statement, which is a transaction of its own: an outdated one is sent once
 * more.
 */
class LoneConnection extends TenantConnection {
  override async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      return await super.executeQuery(query)
    } catch (error) {
      if (!isOutdated(error)) throw error
      return super.executeQuery(query)
    }
  }
}

/**
 * A connection for transactions of one group each: the group is sent when all of it has been
 * started.
 */
export class LineConnection extends TenantConnection {
  protected override schedule(): void {}
}

/** A connection for single statements over all tenants within a transaction that has stated one. */
export class AllTenantsConnection extends SeeingConnection {
  protected override grouped(started: readonly Statement[], lease: Lease): StatementGroup {
    const back = statingOn(lease, this.seenOn(lease))
    const before = [statingOn(lease, ALL_TENANTS), ...liningUp(lease, started)]
    return new StatementGroup([...before, ...started, back])
  }
}

/**
 * Opens a transaction, whose statements may be sent behind at once. On Citus the parts are
 * statements of their own: it sends the whole text of a message to other nodes.
 */
export async function openTransaction(lease: Lease, given: TenantsSeen): Promise<void> {
  const seen = given ?? lease.unstated
  if (!lease.explicit) {
    await lease.client.query(beginning(seen))
    return
  }
  const parts = seen === null ? [] : [statingOn(lease, seen), ...waitingOn(lease)]
  const begun = await sendGroup(lease, new StatementGroup([framing('begin'), ...parts]))
  if (begun.kind !== 'COMMITTED') throw begun.error
}

/** Sets the wait for locks until the end of the transaction. */
const waitingOn = ({ lock_ms }: Lease): Statement[] =>
  lock_ms === undefined ? [] : [framing(`set local lock_timeout = ${lock_ms}`)]

/** States the tenant until the end of the transaction, or until another such statement. */
const statingOn = ({ explicit }: Lease, seen: TenantsSeen): Statement =>
  explicit
    ? { ...framing(stating(seen)), name: undefined }
    : { ...framing(STATE_TENANTS), values: [settingOf(seen)] }

/** Before statements that lock a table for all nodes; once in a transaction is enough. */
const liningUp = ({ copied }: Lease, started: readonly Statement[]): Statement[] =>
  started.some(({ text }) => copied.isLockedBy(text)) ? [framing(LINE_UP)] : []

/** If it fails, so do the statements behind it. */
const framing = (text: string): Statement => ({
  text,
  name: statementName(text),
  values: [],
  resolve: () => {},
  reject: () => {},
})

/** Hands out connections without Kysely's queue, so that statements of one transaction pipeline. */
export class LeasingDriver implements Driver {
  readonly #acquire: () => Promise<Connection>
  readonly #release: (connection: Connection) => void
  /** The one of all statements, which has no need to wait for it. */
  readonly only: Connection | undefined
  constructor(
    acquire: () => Promise<Connection>,
    release: (connection: Connection) => void = () => {},
    only?: Connection,
  ) {
    this.#acquire = acquire
    this.#release = release
    this.only = only
  }
  /** Over one connection. */
  static over(only: Connection): LeasingDriver {
    return new LeasingDriver(async () => only, undefined, only)
  }
  async init(): Promise<void> {}
  acquireConnection(): Promise<Connection> {
    return this.#acquire()
  }
  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    if (connection instanceof Connection) this.#release(connection)
  }
  beginTransaction = rejectTransaction
  commitTransaction = rejectTransaction
  rollbackTransaction = rejectTransaction
  async destroy(): Promise<void> {}
}

async function rejectTransaction(): Promise<void> {
  throw new Error('transactions are opened by transact() of kit/context.ts')
}

/** A connection of its own for each statement. */
export function leasingDriver(source: ConnectionSource, lane: Lane): LeasingDriver {
  return new LeasingDriver(
    async () => {
      const connection = new LoneConnection()
      connection.see(lane.seen)
      connection.begin(await leaseFrom(source, lane))
      return connection
    },
    ({ lease }) => lease?.release(),
  )
}

export async function leaseFrom(source: ConnectionSource, lane: Lane): Promise<Lease> {
  try {
    return await source.lease(lane)
  } catch (error) {
    // Without a connection no statement was sent.
    throw new DatabaseUnavailable(error)
  }
}

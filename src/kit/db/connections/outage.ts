/** Errors of the database that are no fault of a statement. */

import { codeOf } from '#kit/start_error.ts'

/** The database cannot be reached or did not answer in time. HTTP 503 (D-9). */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('the database is not available', { cause })
    this.name = 'DatabaseUnavailable'
  }
}

/**
 * COMMIT, or a group that is a transaction, was sent and its answer never came: the transaction is
 * either committed or not, and only the database knows. Over HTTP it is a 503 like any outage:
 * a repeat under the same idempotency key is safe. A caller that needs certainty writes a row of a
 * known id in the transaction, and takes the place of that row to find out
 * (authorization/engine/doubt.ts).
 */
export class CommitInDoubt extends DatabaseUnavailable {
  override name = 'CommitInDoubt'
}

// Connection exceptions, operator intervention, resources, a statement or a lock over its time, and
// a write on a server that takes none: a standby, or a former primary (D-661).
const OUTAGE_STATES = /^(08|57P|53|57014|25P03|55P03|25006)/
const OUTAGE_SOCKET = /^(ECONN|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND)/
const OUTAGE_MESSAGE = /Connection terminated|does not answer|not queryable|Query read timeout/

/** After these the server closes the connection, or another server is to be found. */
const ENDS_CONNECTION = /^(08|57P|25P03|25006)/
/** pg closes a connection whose statement has got no answer in time, a moment after it says so. */
const UNANSWERED = 'Query read timeout'

/** Whether a connection is of no use after an error on it. */
export const endsConnection = (error: unknown): boolean =>
  ENDS_CONNECTION.test(codeOf(error) ?? '') ||
  (error instanceof Error && error.message === UNANSWERED)

/** The error as an outage, if it is one. */
export function asOutage(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseUnavailable) return error
  const code = 'code' in error ? String(error.code) : ''
  const outage =
    OUTAGE_STATES.test(code) || OUTAGE_SOCKET.test(code) || OUTAGE_MESSAGE.test(error.message)
  return outage ? new DatabaseUnavailable(error) : error
}

/**
 * The codes of failures at the end of a transaction, before it is committed: constraints and
 * conflicts.
 */
const AT_COMMIT = /^(22|23|40)/

/** Whether the server has refused a commit. Another error of a commit may follow it. */
export const isRefusedCommit = (error: unknown): boolean =>
  isAnswer(error) && AT_COMMIT.test(codeOf(error) ?? '')

/** Whether the server itself has sent this error. */
export const isAnswer = (error: unknown): boolean =>
  error instanceof Error && 'severity' in error && typeof error.severity === 'string'

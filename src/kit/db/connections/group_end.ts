/**
 * The `commit` of a group that is a transaction by its own `begin`. It is sent in the write of the
 * group, behind its Sync: the server reads it also if a statement before it has failed, and answers
 * ROLLBACK, so that the group behind starts clean.
 */

import pg from 'pg'
import { serialize } from 'pg-protocol'

type Group = { isSent: () => boolean; onEnd: () => void }

/** A query of the driver, which waits for an answer of its own after each Sync. */
export class GroupEnd extends pg.Query {
  static readonly message = serialize.query('commit')
  /** COMMIT or ROLLBACK; undefined without an answer. */
  tag: string | undefined
  error: unknown
  readonly #group: Group

  constructor(group: Group) {
    super('')
    this.#group = group
  }

  /** Replaced by the driver, which ends its timer in it. */
  callback = (error?: unknown): void => {
    this.error = error
    this.#group.onEnd()
  }

  /** The group has written it. */
  override submit = (): Error | null =>
    this.#group.isSent() ? null : new Error('the group before it was not sent')

  handleCommandComplete({ text }: { text: string }): void {
    this.tag = text
  }

  handleReadyForQuery(): void {
    this.callback()
  }

  handleError(error: unknown): void {
    this.callback(error)
  }
}

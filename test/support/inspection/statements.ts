/** Counts what this process sends to PostgreSQL. */

import pg from 'pg'
import { IS_CLUSTER } from '#kit/db/connections/cluster.ts'
import { type Statement, StatementGroup } from '#kit/db/connections/statement_group.ts'
import { isFrame } from '#kit/db/security/tenants_seen.ts'

/** `round_trips`: how often something was sent after an answer, so that it had to wait. */
export type Sent = { statements: number; round_trips: number; texts: string[] }

type Query = (this: pg.Client, ...given: unknown[]) => unknown

/**
 * The beat of kit/db/connections/pulse.ts, the portion of a rate bucket that serves many requests,
 * and what is written together behind the answers: last uses, and messages of the card network.
 */
const isOfNoRequest = (text: string) =>
  text === 'select' ||
  text === IS_CLUSTER ||
  /into (rate_buckets|wire_messages)|set last_used = /.test(text)

/**
 * Counts the statements of all connections to a database, BEGIN and COMMIT too, until it is
 * disposed of. Sweeps of other databases run in the same process.
 */
export function watchStatements(database_url: string): { take: () => Sent } & Disposable {
  const database = new URL(database_url).pathname.slice(1)
  const client: { query: Query } = pg.Client.prototype as never
  const { query } = client
  let sent: Sent = { statements: 0, round_trips: 0, texts: [] }
  let isAnswered = true
  const watch = (texts: readonly string[], answers: readonly Promise<unknown>[]) => {
    sent.statements += texts.length
    sent.texts.push(...texts.map((text) => text.replace(/\s+/g, ' ').trim()))
    if (isAnswered) sent.round_trips += 1
    isAnswered = false
    const ended = () => {
      isAnswered = true
    }
    for (const answer of answers) answer.then(ended, ended)
  }
  client.query = function (...given) {
    if (this.database !== database) return query.apply(this, given)
    const [first] = given
    if (first instanceof StatementGroup) {
      const { statements } = first
      // Statements that state the tenant travel with those that need it.
      const counted = statements.filter(({ text }) => !isFrame(text) && !isOfNoRequest(text))
      const answered = counted.map((one) => new Promise<void>((resolve) => observe(one, resolve)))
      if (counted.length > 0)
        watch(
          counted.map(({ text }) => text),
          answered,
        )
      return query.apply(this, given)
    }
    const answer = query.apply(this, given)
    const text = typeof first === 'string' ? first : (first as { text: string }).text
    if (!isOfNoRequest(text) && answer instanceof Promise) watch([text], [answer])
    return answer
  }
  return {
    take() {
      const taken = sent
      sent = { statements: 0, round_trips: 0, texts: [] }
      isAnswered = true
      return taken
    },
    [Symbol.dispose]() {
      client.query = query
    },
  }
}

/** Calls `ended` as soon as the statement is answered, before the program sees the answer. */
function observe(statement: Statement, ended: () => void): void {
  const { resolve, reject } = statement
  statement.resolve = (found) => {
    ended()
    resolve(found)
  }
  statement.reject = (error) => {
    ended()
    reject(error)
  }
}

/** Counts what this process sends to PostgreSQL. */

import pg from 'pg'
import { END_OF_READS } from '#kit/db/tenants_seen.ts'

/** `round_trips`: how often something was sent after an answer, so that it had to wait. */
export type Sent = { statements: number; round_trips: number; texts: string[] }

type Query = (this: pg.Client, ...given: unknown[]) => unknown

/** The beat of kit/db/pulse.ts, and the portion of a rate bucket that serves many requests. */
const isOfNoRequest = (text: string) =>
  text === 'select' || text.includes('into rate_buckets') || isAround(text)
/** What states the tenant of a single statement travels with that statement. */
const isAround = (text: string) =>
  /^(start transaction; )?set local bezant.tenant = '[^']*'$/.test(text) || text === END_OF_READS

/** Counts the statements of all connections, BEGIN and COMMIT too, until it is disposed of. */
export function watchStatements(): { take: () => Sent } & Disposable {
  const client: { query: Query } = pg.Client.prototype as never
  const { query } = client
  let sent: Sent = { statements: 0, round_trips: 0, texts: [] }
  let isAnswered = true
  client.query = function (...given) {
    const answer = query.apply(this, given)
    const [first] = given
    const text = typeof first === 'string' ? first : (first as { text: string }).text
    if (isOfNoRequest(text) || !(answer instanceof Promise)) return answer
    sent.statements += 1
    sent.texts.push(text.replace(/\s+/g, ' ').trim())
    if (isAnswered) sent.round_trips += 1
    isAnswered = false
    const ended = () => {
      isAnswered = true
    }
    answer.then(ended, ended)
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

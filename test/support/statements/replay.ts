/**
 * Recorded statements on a database of a cluster, as the program's role: planned, explained and run
 * often enough for a generic plan, in transactions that are rolled back (D-689).
 */

import pg from 'pg'
import { USUAL_ROLE } from '#kit/db/security/program_role.ts'
import { codeOf } from '#kit/start_error.ts'
import type { Recorded } from './folder.ts'

/**
 * `fault` is what the cluster says; `cost` why it takes more than one message to the tenant's node.
 * Both are undefined if a statement is as it should be.
 */
export type Replayed = Recorded & Result
type Result = { fault: string | undefined; cost: string | undefined }

/** Codes of a lost connection, and of a server that ends or starts. */
const LOST = /^(57P|E)/
/** PostgreSQL makes a generic plan for the sixth. */
const TIMES = 7
const STATEMENT_TIMEOUT_MS = 10_000
/** Statements that touch no rows, and end or divide a transaction. */
const FRAMING =
  /^\s*(begin|commit|rollback|savepoint|release|set|reset|listen|notify|alter|create|drop|analyze)\b/i
/** Faults of the made-up values, not of the form: a key, a cast, a check, a division. */
const isOfValues = (code: string, message: string): boolean =>
  // A check of a reference table comes as an error of the other node.
  /^(22|23|P0)/.test(code) ||
  // A table that a test has made for itself.
  (code === '42P01' && /^(error: )?relation ".*" does not exist$/.test(message)) ||
  (code === 'XX000' && / violates check constraint /.test(message))

export async function replay(url: string, recorded: readonly Recorded[]): Promise<Replayed[]> {
  const replayed: Replayed[] = []
  let client = await connect(url)
  for (const one of recorded) {
    if (FRAMING.test(one.text)) continue
    try {
      replayed.push({ ...one, ...(await replayOne(client, one)) })
    } catch (error) {
      const fault = `the server ended the session: ${String(error)}`
      replayed.push({ ...one, fault, cost: undefined })
      await client.end().catch(() => {})
      client = await connect(url)
    }
  }
  await client.end()
  return replayed
}

/** After a crash the server takes connections again within seconds. */
async function connect(url: string): Promise<pg.Client> {
  const end = performance.now() + 30_000
  for (;;) {
    const client = new pg.Client({
      connectionString: url,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      options: `-c role=${USUAL_ROLE} -c citus.propagate_set_commands=local`,
    })
    client.on('error', () => {})
    try {
      await client.connect()
      return client
    } catch (error) {
      if (performance.now() > end) throw error
    }
  }
}

/** Rejects where the connection is lost. */
async function replayOne(client: pg.Client, { text, kinds }: Recorded): Promise<Result> {
  await client.query('begin')
  await client.query("set local bezant.tenant = '*'")
  let cost: string | undefined
  try {
    await client.query(`prepare replayed as ${text}`)
    const { rows } = await client.query<{ types: string[] }>(
      "select parameter_types::text[] as types from pg_prepared_statements where name = 'replayed'",
    )
    const values = (rows[0]?.types ?? []).map((type, at) => sampleOf(type, kinds[at] ?? ''))
    const call = `execute replayed${values.length > 0 ? `(${values.join(', ')})` : ''}`
    const explained = await client.query<{ 'QUERY PLAN': string }>(`explain (costs off) ${call}`)
    cost = costOf(explained.rows.map((line) => line['QUERY PLAN']).join('\n'))
    for (let time = 0; time < TIMES; time++) await run(client, call)
    return { fault: undefined, cost }
  } catch (error) {
    const code = codeOf(error)
    if (code === undefined || LOST.test(code)) throw error
    const { message } = error as Error
    return { fault: isOfValues(code, message) ? undefined : `${code} ${message}`, cost }
  } finally {
    await client.query('rollback')
    await client.query('deallocate all')
  }
}

function costOf(plan: string): string | undefined {
  const counts = [...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => Number(count))
  const most = Math.max(0, ...counts)
  if (most > 1) return `asks ${most} shards`
  if (/Distributed Subplan/.test(plan)) return 'runs in several steps'
  const [, method = 'pushdown'] = /INSERT\/SELECT method: (.*)/.exec(plan) ?? []
  return method === 'pushdown' ? undefined : method
}

/** Its effect is undone, so that it can be run once more. */
async function run(client: pg.Client, call: string): Promise<void> {
  await client.query('savepoint one')
  try {
    await client.query(call)
  } catch (error) {
    if (!isOfValues(codeOf(error) ?? '', String(error))) throw error
  }
  await client.query('rollback to one')
}

const ID = '01a00000-0000-7000-8000-000000000001'
const VALUES: Readonly<Record<string, string>> = {
  uuid: `'${ID}'`,
  boolean: 'true',
  bytea: String.raw`'\x00'`,
  inet: "'127.0.0.1'",
  date: "'2026-01-01'",
  interval: "'1 day'",
  'timestamp with time zone': "'2026-01-01Z'",
}
const NUMBERS = /^(smallint|integer|bigint|numeric|real|double precision)$/

/** One of the type, as SQL. */
function sampleOf(type: string, kind: string): string {
  if (type.endsWith('[]')) return `array[${sampleOf(type.slice(0, -2), '')}]::${type}`
  const made = NUMBERS.test(type) ? '1' : /^jsonb?$/.test(type) ? jsonOf(kind) : VALUES[type]
  return `${made ?? "'a'"}::${type}`
}

const jsonOf = (kind: string): string => (kind === 'bracketed' ? "'[{}]'" : "'{}'")

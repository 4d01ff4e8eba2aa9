/**
 * The address of the tests' PostgreSQL: test/run.ts starts it once and passes its address to every
 * test file.
 */

import { randomBytes } from 'node:crypto'
import pg from 'pg'

const SERVER = 'TEST_SERVER_URL'
const TEMPLATE = 'TEST_TEMPLATE'
/** The other nodes of a cluster, of which the server is the coordinator. */
const WORKERS = 'TEST_WORKER_URLS'
/** The id of the process of tests, of which the names of its databases begin. */
const JOB = 'TEST_JOB'

export function passServerToTests(
  url: string,
  template: string,
  workers: readonly string[] = [],
): void {
  process.env[SERVER] = url
  process.env[TEMPLATE] = template
  process.env[WORKERS] = workers.join(' ')
}

/** The URL of another database on the same server. */
export function databaseUrl(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}

export async function onServer<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function passed(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set: run tests with node test/run.ts`)
  return value
}

/** A database of a cluster is one of that name on each node. */
async function onServers(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const workers = (process.env[WORKERS] ?? '').split(' ').filter((url) => url !== '')
  await Promise.all([passed(SERVER), ...workers].map((url) => onServer(url, work)))
}

export type TestDatabase = { url: string; drop: () => Promise<void> }

/** A migrated database of the caller's own, copied from the template in a tenth of a second. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = passed(SERVER)
  const name = `${prefixOf(process.env[JOB] ?? '')}${randomBytes(8).toString('hex')}`
  // The usual way writes each page to the log as well, and takes twice the processor time.
  const copy = `create database ${name} template ${passed(TEMPLATE)} strategy file_copy`
  await onServers((client) => client.query(copy))
  return {
    url: databaseUrl(server, name),
    drop: () => onServers((client) => client.query(`drop database if exists ${name} with (force)`)),
  }
}

const prefixOf = (job: string) => `t_${job}_`

/** Drops what a process of tests has left. */
export async function dropDatabasesOf(job: string): Promise<void> {
  await onServers(async (client) => {
    const sql = 'select datname from pg_database where starts_with(datname, $1)'
    const { rows } = await client.query<{ datname: string }>(sql, [prefixOf(job)])
    for (const { datname } of rows) {
      await client.query(`drop database if exists ${datname} with (force)`)
    }
  })
}

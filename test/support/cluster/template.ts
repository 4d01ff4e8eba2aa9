/**
 * A database of a cluster for tests: its template is spread over the nodes once, and then copied on
 * each node, with the catalog of its shards (D-689).
 */

import { openDatabase } from '#kit/db/database.ts'
import { distribute, planDistribution } from '#kit/db/distribution.ts'
import { identifyRows } from '#kit/db/partitions/partitions.ts'
import { USUAL_ROLE } from '#kit/db/security/program_role.ts'
import { bringUpToDate, createSchema, partitioned } from '#src/program/partitioned.ts'
import { databaseUrl, onServer } from '../processes/server.ts'

/** Shards of each table: with the usual 32 a copy takes some seconds. */
const SHARDS = 4
const LONGEST_MS = 10 * 60_000

/** `servers` are the URLs of the coordinator and of the workers, as a superuser. */
export async function createTemplate(servers: readonly string[], name: string): Promise<void> {
  const [coordinator = '', ...workers] = servers
  for (const server of servers) {
    await onServer(server, (client) => client.query(`create database ${name}`))
    await onServer(databaseUrl(server, name), (client) => client.query('create extension citus'))
  }
  const url = databaseUrl(coordinator, name)
  await onServer(url, async (client) => {
    const node = 'select citus_set_coordinator_host($1, $2::int)'
    await client.query(node, addressOf(coordinator))
    for (const worker of workers) {
      await client.query('select citus_add_node($1, $2::int)', addressOf(worker))
    }
  })
  await createSchema(url)
  await spread(url)
}

async function spread(url: string): Promise<void> {
  await onServer(url, async (client) => {
    await client.query(`set citus.shard_count = ${SHARDS}`)
    await distribute(client, await planDistribution(client), () => {})
  })
  const database = openDatabase(url, 1, { role: USUAL_ROLE, longest_ms: LONGEST_MS })
  try {
    await identifyRows(database.owner, partitioned)
    await bringUpToDate(database, USUAL_ROLE)
  } finally {
    await database.close()
  }
}

/** Ends its sessions, also those of Citus itself, and permits no others: it can be copied then. */
export async function closeTemplate(servers: readonly string[], name: string): Promise<void> {
  for (const server of servers) {
    await onServer(server, async (client) => {
      await client.query(`alter database ${name} with allow_connections false`)
      await client.query(
        'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1',
        [name],
      )
    })
  }
}

export async function dropTemplate(servers: readonly string[], name: string): Promise<void> {
  for (const server of servers) {
    await onServer(server, (client) => client.query(`drop database if exists ${name} with (force)`))
  }
}

function addressOf(server: string): [host: string, port: string] {
  const { hostname, port } = new URL(server)
  return [hostname, port === '' ? '5432' : port]
}

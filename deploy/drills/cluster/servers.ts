/** A Citus cluster of a drill: a coordinator and workers, on the PostgreSQL that has the extension. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { urlOf } from '#kit/db/connections/nodes.ts'
import { DrillFault } from '../fault.ts'
import { type Environment, freePorts, runToEnd, startProcess } from '../stage/platform.ts'
import { configure, makeServer, OWNER, type Server } from '../stage/postgres.ts'
import type { Transcript } from '../transcript.ts'

/** The settings that docs/cluster.md requires, with room for the processes that move shards. */
const SETTINGS = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_prepared_transactions: '200',
  max_worker_processes: '32',
  'citus.node_conninfo': 'sslmode=disable',
  'citus.enable_statistics_collection': 'off',
}
/** Nodes reach each other as the program's role and as the owner, on loopback without a password. */
const ACCESS = 'host all all 127.0.0.1/32 trust\n'

/** Makes and starts a node, which is not of the cluster yet. */
export async function makeNode(folder: string): Promise<Server> {
  const node = await makeServer(folder)
  configure(folder, SETTINGS)
  const access = join(folder, 'pg_hba.conf')
  writeFileSync(access, ACCESS + readFileSync(access, 'utf8'))
  await node.stop()
  await node.start()
  try {
    await node.query('create extension citus')
  } catch (error) {
    throw new DrillFault(`Citus is not installed for this PostgreSQL: ${String(error)}`)
  }
  return node
}

export async function makeCoordinator(node: Server, transcript: Transcript): Promise<void> {
  const statement = `select citus_set_coordinator_host('127.0.0.1', ${node.port})`
  await node.query(statement)
  transcript.print(`$ psql -c "${statement}"`)
}

/** A node becomes a worker; shards come to it only when they are distributed or moved. */
export async function addWorker(
  coordinator: Server,
  worker: Server,
  transcript: Transcript,
): Promise<void> {
  const statement = `select citus_add_node('127.0.0.1', ${worker.port})`
  await coordinator.query(statement)
  transcript.print(`$ psql -c "${statement}"`)
}

/** The port of the node that has a tenant's rows. */
export async function workerOf(coordinator: Server, tenant_id: string): Promise<number> {
  const [row] = await coordinator.query<{ port: number }>(`
    select n.nodeport as port from pg_dist_placement p join pg_dist_node n using (groupid)
    where n.noderole = 'primary'
      and p.shardid = get_shard_id_for_distribution_column('feeds', '${tenant_id}'::uuid)`)
  return row?.port ?? 0
}

/**
 * Makes the schema of the program at the coordinator and spreads it over the workers, with so many
 * shards of each table where it is given.
 */
export async function spread(
  coordinator: Server,
  env: Environment,
  transcript: Transcript,
  shards?: number,
): Promise<void> {
  if (shards !== undefined) {
    const statement = `alter database ${OWNER} set citus.shard_count = ${shards}`
    await coordinator.query(statement)
    transcript.print(`$ psql -c "${statement}"`)
  }
  const ports = await freePorts()
  const program = await startProcess(env, ports)
  await program[Symbol.asyncDispose]()
  const { code, output } = await runToEnd(['apps/cli/bezant.mjs', 'distribute'], env)
  if (code !== 0) throw new DrillFault(output)
  transcript.print(`$ bezant distribute\n${output.trimEnd().split('\n').at(-1)}`)
}

export const addressOn = (coordinator: Server, node: Server): string =>
  urlOf(coordinator.url(), { host: '127.0.0.1', port: node.port })

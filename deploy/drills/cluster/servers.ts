/** A Citus cluster of a drill: a coordinator and workers, on the PostgreSQL that has the extension. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { urlOf } from '#kit/db/connections/nodes.ts'
import { USUAL_ROLE } from '#kit/db/security/program_role.ts'
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
  await equip(node)
  return node
}

/** Gives a server the extension, with the settings and the access that nodes need. */
export async function equip(node: Server): Promise<void> {
  const { folder } = node
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

/** The roles of a server that had the program are of the cluster from then on (docs/cluster.md). */
export async function gatherRoles(coordinator: Server, database = OWNER): Promise<void> {
  const text = `begin;
    create table roles_of_bezant (a int);
    alter table roles_of_bezant owner to ${OWNER};
    grant select on roles_of_bezant to ${USUAL_ROLE};
    select create_reference_table('roles_of_bezant');
    drop table roles_of_bezant;
    commit`
  await coordinator.query(text, database)
}

/** Makes the schema of the program at the coordinator and spreads it over the workers. */
export async function spread(env: Environment, transcript: Transcript): Promise<void> {
  const program = await startProcess(env, await freePorts())
  await program[Symbol.asyncDispose]()
  await distribute(env, transcript)
}

/** So many shards of each table from then on. */
export async function setShards(
  coordinator: Server,
  shards: number,
  transcript: Transcript,
): Promise<void> {
  const statement = `alter database ${OWNER} set citus.shard_count = ${shards}`
  await coordinator.query(statement)
  transcript.print(`$ psql -c "${statement}"`)
}

/** Runs `bezant distribute`, of the version at `root` where it is given, and prints its end. */
export async function distribute(
  env: Environment,
  transcript: Transcript,
  args: readonly string[] = [],
  root?: string,
): Promise<void> {
  const { code, output } = await runToEnd(['apps/cli/bezant.mjs', 'distribute', ...args], env, root)
  if (code !== 0) throw new DrillFault(output)
  const lines = output.trimEnd().split('\n')
  const [first, last] = [lines[0], lines.at(-1)]
  const shown = first === last ? [first] : [first, last]
  transcript.print([`$ bezant distribute ${args.join(' ')}`.trimEnd(), ...shown].join('\n'))
}

export const addressOn = (coordinator: Server, node: Server): string =>
  urlOf(coordinator.url(), { host: '127.0.0.1', port: node.port })

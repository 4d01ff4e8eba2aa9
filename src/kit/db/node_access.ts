/**
 * Whether the nodes of a cluster let each other in, as `bezant distribute` asks beforehand
 * (D-1100). Each node connects to each, and to itself, as the user who asks it; Citus does its own
 * work as a superuser.
 */

import type pg from 'pg'
import { inRole } from './security/program_role.ts'

type Way = { of: string; to: string }

/** The faults of access, a sentence each: as the current user, to oneself, and as the superuser. */
export async function listFaultsOfAccess(client: pg.ClientBase, role: string): Promise<string[]> {
  const { rows } = await client.query<{ user: string }>('select current_user as user')
  const found = [
    ...(await listClosedWays(client, rows[0]?.user ?? '')),
    ...(await listClosedLoops(client)),
    ...(await listUnspreadRoles(client, role)),
  ]
  // Each of them would also fail the proof of the superuser.
  return found.length > 0 ? found : listClosedToSuperuser(client)
}

/** The same as the program's role, which can log in and be taken by the current user. */
export const listFaultsOfRoleAccess = (client: pg.ClientBase, role: string): Promise<string[]> =>
  inRole(client, role, () => listClosedWays(client, role))

async function listClosedWays(client: pg.ClientBase, user: string): Promise<string[]> {
  const { rows, warnings } = await warned(client, () => client.query<Way>(CLOSED))
  const [reason = 'it does not answer'] = warnings.flatMap((text) => REASON.exec(text)?.[1] ?? [])
  return rows.map(
    ({ of, to }) =>
      `the node ${of} cannot connect to ${to} as ${user} (${reason}): let it in there ` +
      '(pg_hba.conf), and give each node the password (pg_dist_authinfo)',
  )
}

const CLOSED = `
  select from_nodename || ':' || from_nodeport as of, to_nodename || ':' || to_nodeport as to
  from citus_check_cluster_node_health() where result is not true order by 1, 2`
/** How Citus warns of a connection that could not be made. */
const REASON = /failed with the following error: (?:.*FATAL: +)?(.*)/

async function listClosedLoops(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ node: string; host: string }>(LOOPS)
  return rows.map(
    ({ node, host }) =>
      `the node ${node} cannot connect to itself as ${host}: let it in there (pg_hba.conf), with ` +
      'the password (pg_dist_authinfo), or set citus.local_hostname to its own address',
  )
}

const LOOPS = `
  select n.nodename || ':' || n.nodeport as node, current_setting('citus.local_hostname') as host
  from run_command_on_all_nodes($$select citus_check_connection_to_node(
    current_setting('citus.local_hostname'), current_setting('port')::int)$$) r
    join pg_dist_node n using (nodeid)
  where r.success and r.result <> 't' order by 1`

/**
 * Citus makes tables at the other nodes as a superuser, whose password a worker may have changed
 * since. A table that is rolled back, beside none of the others, proves that it can.
 */
async function listClosedToSuperuser(client: pg.ClientBase): Promise<string[]> {
  await client.query('begin')
  try {
    await client.query('create table proof_of_access (a int)')
    await client.query(PROOF)
    return []
  } catch (error) {
    const [, user, node, reason] = REFUSED.exec(error instanceof Error ? error.message : '') ?? []
    if (node === undefined) throw error
    return [
      `the coordinator cannot connect to ${node} as the superuser ${user} (${reason?.trim()}): ` +
        'let it in there (pg_hba.conf), and give the coordinator the password (pg_dist_authinfo)',
    ]
  } finally {
    await client.query('rollback')
  }
}

const PROOF = `select create_distributed_table('proof_of_access', 'a', colocate_with => 'none',
  shard_count => 1)`
/** How Citus refuses a statement for which it cannot connect. */
const REFUSED = /remote node (.+)@(\S+:\d+) failed with the following error: (?:.*FATAL: +)?(.*)/

/**
 * Citus makes the role of a table at each node, and only a superuser may do so with one that is
 * there already.
 */
async function listUnspreadRoles(client: pg.ClientBase, role: string): Promise<string[]> {
  const { rows } = await client.query<{ owner: string; role: string; nodes: string }>(UNSPREAD, [
    role,
  ])
  return rows.map(
    (found) =>
      `the role ${role} is at ${found.nodes} and not of the cluster: let a superuser run at the ` +
      `coordinator "${spreading(found.owner, found.role)}"`,
  )
}

/** A table of a moment takes both roles to each node. The names are ready for use in SQL. */
const spreading = (owner: string, role: string): string =>
  [
    'begin',
    'create table roles_of_bezant (a int)',
    `alter table roles_of_bezant owner to ${owner}`,
    `grant select on roles_of_bezant to ${role}`,
    "select create_reference_table('roles_of_bezant')",
    'drop table roles_of_bezant',
    'commit',
  ].join('; ')

const UNSPREAD = `
  select quote_ident(current_user) as owner, quote_ident($1) as role,
    string_agg(n.nodename || ':' || n.nodeport, ', ' order by n.nodename, n.nodeport) as nodes
  from run_command_on_workers(format(
      'select count(*) from pg_roles where rolname = %L', $1::text)) r
    join pg_dist_node n using (nodename, nodeport)
  where r.success and r.result = '1'
    and not (select rolsuper from pg_roles where rolname = current_user)
    and not exists (select from pg_dist_object o join pg_roles p on p.oid = o.objid
      where o.classid = 'pg_authid'::regclass and p.rolname = $1)
  having count(*) > 0`

/** Warnings are beside the result. */
async function warned<Result extends object>(client: pg.ClientBase, work: () => Promise<Result>) {
  const warnings: string[] = []
  const listen = ({ message = '' }: { message?: string | undefined }) => warnings.push(message)
  client.on('notice', listen)
  try {
    return { ...(await work()), warnings }
  } finally {
    client.off('notice', listen)
  }
}

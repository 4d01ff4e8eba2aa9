/**
 * A cluster of one PostgreSQL: its database has tables and a function like those by which Citus
 * shows the place of rows, and each node is a way to it.
 */

import { sql } from 'kysely'
import type { Db } from '#kit/db/database.ts'
import { USUAL_ROLE } from '#kit/db/security/program_role.ts'

/** A tenant with the port of its node; 0 is the server itself. */
export type Placed = { tenant: string; port: number }

const CATALOG = (shards: number) => `
  create table pg_dist_local_group as select 1 as groupid;
  create table pg_dist_shard as select shard as shardid, 'feeds'::regclass as logicalrelid
    from generate_series(1, ${shards}) shard;
  create table pg_dist_placement as select shard as shardid, shard as groupid
    from generate_series(1, ${shards}) shard;
  create table pg_dist_node (groupid int, nodename text, nodeport int,
    noderole text default 'primary', isactive boolean default true);
  create table placed (tenant uuid, shard int);
  create function get_shard_id_for_distribution_column(text, uuid) returns int
    language sql stable as 'select shard from placed where tenant = $2';
  grant select on pg_dist_local_group, pg_dist_shard, pg_dist_placement, pg_dist_node, placed
    to ${USUAL_ROLE}`

/** By the owner. The first tenant is at the server itself, and each has a shard of its own. */
export async function imitateCluster(owner: Db, placed: readonly Placed[]): Promise<void> {
  for (const text of CATALOG(placed.length).split(';\n')) await sql.raw(text).execute(owner)
  for (const [at, { tenant, port }] of placed.entries()) {
    await sql`insert into placed values (${tenant}, ${at + 1})`.execute(owner)
    await sql`insert into pg_dist_node values (${at + 1}, '127.0.0.1', ${port})`.execute(owner)
  }
}

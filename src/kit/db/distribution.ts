/**
 * Spreads the tables of a database over the nodes of a cluster (Citus, D-685). All rows of a tenant
 * are on one node, in shards that lie together. A table whose rows belong to no tenant, or are
 * unique across tenants, is a reference table, of which each node has a copy.
 */

import type pg from 'pg'
import { StartError } from '#kit/start_error.ts'
import { isOfCluster } from './connections/cluster.ts'

export type Kind = 'distributed' | 'reference'

/** A table that is to be spread. `rows` is the estimate of the last ANALYZE; -1 without one. */
export type Step = { table: string; kind: Kind; rows: number; bytes: number; unlogged: boolean }

type Client = pg.ClientBase | pg.Pool

type PlannedStep = Step & {
  /** Whether it lies on one server still. */
  is_local: boolean
  /** The tables that it refers to. */
  parents: string[]
}

const NOT_SPREAD = 'not exists (select from pg_dist_partition d where d.logicalrelid = t.oid)'

/**
 * A table is of a tenant if its every row has one and its every key contains it: Citus enforces no
 * other key over the nodes. Partitions follow their table.
 */
const TABLES = (isCluster: boolean) => `
  with tables as (
    select c.oid, c.oid::regclass::text as name, c.relpersistence = 'u' as unlogged,
      exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id'
        and a.attnotnull and not a.attisdropped)
      and not exists (select from pg_index i where i.indrelid = c.oid and i.indisunique
        and not exists (select from pg_attribute a where a.attrelid = c.oid
          and a.attname = 'tenant_id' and a.attnum = any (i.indkey::int2[]))) as is_of_tenant
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition and n.nspname = any ($1))
  select t.name as table, case when t.is_of_tenant then 'distributed' else 'reference' end as kind,
    leaves.rows, leaves.bytes,
    t.unlogged, ${isCluster ? NOT_SPREAD : 'true'} as is_local,
    array(select distinct k.confrelid::regclass::text from pg_constraint k
      where k.conrelid = t.oid and k.contype = 'f' and k.confrelid <> t.oid) as parents
  from tables t cross join lateral (
    select coalesce(sum(nullif(c.reltuples, -1)), -1)::float8 as rows,
      sum(pg_total_relation_size(c.oid))::float8 as bytes
    from pg_class c where c.oid = t.oid or c.oid in (
      select relid from pg_partition_tree(t.oid))) leaves
  order by t.name`

/** The schemas of this program. */
const SCHEMAS = ['public', 'vault', 'merchant_vault']

/** The tables that are not spread yet, in the order of their foreign keys; none if all are. */
export async function planDistribution(client: Client): Promise<Step[]> {
  const found = await findTables(client)
  if (found.length === 0) throw new StartError('the database is empty: start the program once')
  const of = new Map(found.map((one) => [one.table, one]))
  for (const { table, kind, parents } of found) {
    const parent = parents.find((one) => of.get(one)?.kind === 'distributed')
    if (kind === 'reference' && parent !== undefined) {
      throw new Error(`${table} has rows of no tenant but refers to ${parent}, which is spread`)
    }
  }
  return inOrder(found)
    .filter(({ is_local }) => is_local)
    .map(({ is_local: _local, parents: _parents, ...step }) => step)
}

async function findTables(client: Client): Promise<PlannedStep[]> {
  const isCluster = await isOfCluster(client)
  const { rows } = await client.query<PlannedStep>(TABLES(isCluster), [SCHEMAS])
  return rows
}

/**
 * Reference tables first: distributed ones refer to them. Then each behind the tables that it
 * refers to.
 */
function inOrder(found: readonly PlannedStep[]): PlannedStep[] {
  const left = new Map(found.map((one) => [one.table, one]))
  const ordered: PlannedStep[] = []
  const add = (one: PlannedStep) => {
    if (!left.delete(one.table)) return
    for (const parent of one.parents) {
      const of = left.get(parent)
      if (of) add(of)
    }
    ordered.push(one)
  }
  for (const kind of ['reference', 'distributed']) {
    for (const one of found) if (one.kind === kind) add(one)
  }
  return ordered
}

/**
 * Spreads the tables of the plan, one after another. If it is ended, finished steps stay, and the
 * rest is the plan of the next run. `onStep` is called before each.
 */
export async function distribute(
  client: pg.ClientBase,
  plan: readonly Step[],
  onStep: (step: Step, at: number) => void,
): Promise<void> {
  await client.query('set statement_timeout = 0')
  // The triggers of the audit log only refuse; they stay on each shard.
  await client.query('set citus.enable_unsafe_triggers = on')
  // Tables with foreign keys to reference tables are copied by one connection to a node.
  await client.query("set citus.multi_shard_modify_mode = 'sequential'")
  let beside = await findDistributed(client)
  for (const [at, step] of plan.entries()) {
    onStep(step, at)
    // An unlogged table is copied to no other node, so its shards could not be moved.
    if (step.unlogged) await client.query(`alter table ${step.table} set logged`)
    if (step.kind === 'reference') {
      await client.query('select create_reference_table($1::regclass)', [step.table])
    } else {
      await client.query(
        "select create_distributed_table($1::regclass, 'tenant_id', colocate_with => $2)",
        [step.table, beside ?? 'none'],
      )
      beside ??= step.table
    }
  }
}

/** One that an earlier run has spread: all others are to lie beside it. */
async function findDistributed(client: pg.ClientBase): Promise<string | undefined> {
  const { rows } = await client.query<{ table: string }>(
    `select logicalrelid::text as table from pg_dist_partition p
      join pg_class c on c.oid = p.logicalrelid
      where partmethod = 'h' and not c.relispartition order by c.relname limit 1`,
  )
  return rows[0]?.table
}

/** Whether the tables of the program are spread, so that a new one has to be as well. */
export async function areSpread(client: Client): Promise<boolean> {
  if (!(await isOfCluster(client))) return false
  const { rows } = await client.query<{ are: boolean }>(ARE_SPREAD)
  return rows[0]?.are ?? false
}

/** A table of the first migration, which all others lie beside. */
const ARE_SPREAD = `
  select exists (select from pg_dist_partition where logicalrelid = to_regclass('feeds')) as are`

/** The names of the tables that lie on one server. */
export async function listLocal(client: Client): Promise<ReadonlySet<string>> {
  const found = await findTables(client)
  return new Set(found.flatMap(({ table, is_local }) => (is_local ? [table] : [])))
}

/** Spreads the tables that are local and were not `before`, within a transaction where one is open. */
export async function spreadNew(client: pg.ClientBase, before: ReadonlySet<string>): Promise<void> {
  const plan = await planDistribution(client)
  const steps = plan.filter(({ table }) => !before.has(table))
  if (steps.length > 0) await distribute(client, steps, () => {})
}

export type Progress = { spread: number; of: number }

/** How many tables of the program are spread. */
export async function readProgress(client: Client): Promise<Progress> {
  const found = await findTables(client)
  return { spread: found.filter(({ is_local }) => !is_local).length, of: found.length }
}

/** Throws a StartError if tables cannot be spread from here. */
export async function assertCoordinator(client: Client): Promise<void> {
  if (!(await isOfCluster(client))) {
    throw new StartError(
      'the database is of one server: install Citus on each server, and in this database on each ' +
        'of them `create extension citus`',
    )
  }
  const { rows } = await client.query<{ is_coordinator: boolean; workers: number }>(NODES)
  const [{ is_coordinator, workers } = { is_coordinator: false, workers: 0 }] = rows
  if (!is_coordinator) throw new StartError('DATABASE_URL is of a worker: name the coordinator')
  if (workers === 0) {
    throw new StartError('the cluster has no node for shards: select citus_add_node(host, port)')
  }
}

const NODES = `
  select (select groupid = 0 from pg_dist_local_group) as is_coordinator,
    (select count(*) from pg_dist_node
      where shouldhaveshards and isactive and noderole = 'primary')::int as workers`

/** The connections of processes of the program at the server of the client. */
export async function countSessions(client: Client): Promise<number> {
  const { rows } = await client.query<{ sessions: number }>(
    `select count(*)::int as sessions from pg_stat_activity where datname = current_database()
      and application_name in ('bezant', 'bezant pulse') and pid <> pg_backend_pid()`,
  )
  return rows[0]?.sessions ?? 0
}

/**
 * Throws a StartError if so many sessions of the program are beside a plan that needs it stopped:
 * its statements would wait for the copy of a table, and its prepared ones fail afterwards. Tables
 * without rows that a newer version has made beside spread ones are safe.
 */
export async function assertNotBeside(
  sessions: number,
  client: Client,
  plan: readonly Step[],
): Promise<void> {
  if (sessions === 0 || plan.length === 0) return
  const { spread } = await readProgress(client)
  if (spread > 0 && (await areEmpty(client, plan))) return
  throw new StartError(`stop the program first: it has ${sessions} connections to this database`)
}

async function areEmpty(client: Client, plan: readonly Step[]): Promise<boolean> {
  for (const { table } of plan) {
    const { rows } = await client.query(`select from ${table} limit 1`)
    if (rows.length > 0) return false
  }
  return true
}

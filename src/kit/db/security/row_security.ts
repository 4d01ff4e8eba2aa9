/**
 * Row security (D-505): the second wall behind the tenant of every condition. Every table with the
 * column `tenant_id` has one policy for the rows of the tenant that the transaction states, also
 * for the table's owner. Tables get it after the migrations, so a slice writes nothing for it.
 */

import type pg from 'pg'
import { StartError } from '#kit/start_error.ts'
import { isOfCluster } from '../connections/cluster.ts'
import { inTransaction } from '../ddl.ts'
import { ALL_TENANTS, TENANT_SETTING } from './tenants_seen.ts'

type Client = pg.Pool | pg.ClientBase

const POLICY = 'rows_of_tenant'
/** The one further policy that a migration may make: rows of no tenant are read by all. */
const SHARED_POLICY = 'rows_of_all'
const SHARED_ROWS = '(tenant_id IS NULL)'

const STATED = `current_setting('${TENANT_SETTING}', true)`
/**
 * A tenant's id as PostgreSQL writes it. A regular expression that counts digits takes ten times as
 * long: PostgreSQL makes the states of its automaton anew each time (D-856).
 */
const IS_ID =
  `${STATED} !~ '[^0-9a-f-]' and length(replace(${STATED}, '-', '')) = 32 ` +
  `and ${STATED} ~~ '________-____-____-____-____________'`
/**
 * Without the setting there are no rows and no error, nor with anything in it but a tenant's id as
 * PostgreSQL writes it, in small letters. The selects are computed once a statement, so that a row
 * costs one comparison, and the planner expects the rows of a tenant rather than one in a hundred.
 */
const OF_TENANT =
  `tenant_id = (select case when ${IS_ID} then ${STATED}::uuid end as stated) ` +
  `or (select ${STATED} = '${ALL_TENANTS}' as stated)`
/** The same for Citus, which takes no subquery in a policy (D-644). */
const OF_TENANT_IN_CLUSTER = `tenant_id::text = ${STATED} or ${STATED} = '${ALL_TENANTS}'`

const ofTenant = (forced: boolean): string => (forced ? OF_TENANT : OF_TENANT_IN_CLUSTER)

/**
 * The statements that give a table its policy. `table` is ready for use in SQL. A table is `forced`
 * to keep its owner under it but on a cluster, where its shards could not be moved then.
 */
export function securing(table: string, forced: boolean): string[] {
  const [force, rows] = [forced ? 'force' : 'no force', ofTenant(forced)]
  return [
    `alter table ${table} enable row level security, ${force} row level security`,
    `drop policy if exists ${POLICY} on ${table}`,
    `create policy ${POLICY} on ${table} using (${rows}) with check (${rows})`,
  ]
}

/**
 * Gives every table of a tenant its policy and every view the rights of its reader, if they lack
 * it. To be called by the owner of the tables.
 */
export async function secureRows(client: pg.ClientBase): Promise<void> {
  const [forced, relations] = [!(await isOfCluster(client)), await listRelations(client)]
  const lacking = relations.filter((one) => one.is_own && faultOf(one, forced) !== undefined)
  for (const { name, kind } of lacking) {
    const texts =
      kind === 'v' ? [`alter view ${name} set (security_invoker = true)`] : securing(name, forced)
    // Citus passes the text of a message on as a whole, and a node takes one statement of it.
    await inTransaction(client, async () => {
      for (const text of texts) await client.query(text)
    })
  }
}

/** The gaps in row security, one line each; none is expected. `role` is that of the program. */
export async function listOpenRows(client: Client, role: string): Promise<string[]> {
  const [forced, relations] = [!(await isOfCluster(client)), await listRelations(client)]
  return [
    ...relations.flatMap((one) => faultOf(one, forced) ?? []),
    ...(await listFaultsOfRole(client, role)),
  ]
}

/** Throws a StartError that names what is open. */
export async function assertRowsClosed(client: Client, role: string): Promise<void> {
  const open = await listOpenRows(client, role)
  if (open.length === 0) return
  throw new StartError(
    `the rows of tenants are not kept apart in this database: ${open.join('; ')}. ` +
      'Let the user of DATABASE_URL own every table, or remove what is not of this program',
  )
}

type Policy = { name: string; command: string; permissive: boolean; using: string; check: string }
type Relation = {
  name: string
  /** The kind of pg_class: r and p are tables, v is a view. */
  kind: string
  /** Whether the current user may change it. */
  is_own: boolean
  enabled: boolean
  forced: boolean
  invoker: boolean
  policies: Policy[]
}

/** Relations with tenants' rows, and every view, but for those of extensions. */
async function listRelations(client: Client): Promise<Relation[]> {
  const { rows } = await client.query<Relation>(`
    select quote_ident(n.nspname) || '.' || quote_ident(c.relname) as name, c.relkind as kind,
      pg_has_role(c.relowner, 'usage') as is_own,
      c.relrowsecurity as enabled, c.relforcerowsecurity as forced,
      coalesce('security_invoker=true' = any (c.reloptions), false) as invoker,
      coalesce((select jsonb_agg(jsonb_build_object('name', p.polname, 'command', p.polcmd,
        'permissive', p.polpermissive, 'using', pg_get_expr(p.polqual, p.polrelid),
        'check', pg_get_expr(p.polwithcheck, p.polrelid)))
        from pg_policy p where p.polrelid = c.oid), '[]') as policies
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
      and c.relkind in ('r', 'p', 'f', 'm', 'v')
      and (c.relkind = 'v' or exists (select from pg_attribute a where a.attrelid = c.oid
        and a.attname = 'tenant_id' and not a.attisdropped))
      and not exists (select from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by 1`)
  return rows
}

function faultOf(relation: Relation, mustForce: boolean): string | undefined {
  const { name, kind, enabled, forced, invoker, policies } = relation
  if (kind === 'v') return invoker ? undefined : `the view ${name} reads with its owner's rights`
  if (kind !== 'r' && kind !== 'p') return `${name} has rows of tenants and can have no policy`
  if (!enabled) return `the table ${name} has no row security`
  if (mustForce && !forced) return `the table ${name} has no row security that its owner is under`
  if (!mustForce && forced) return `the table ${name} forces row security, so it cannot be moved`
  const usual = policies.find((policy) => policy.name === POLICY)
  if (!usual || !isUsual(usual, ofTenant(mustForce)))
    return `the table ${name} has no policy for rows of the tenant`
  const other = policies.find((policy) => policy !== usual && !isShared(policy))
  return other && `the table ${name} has another policy, ${other.name}`
}

const isUsual = ({ command, permissive, using, check }: Policy, usual: string): boolean =>
  command === '*' && permissive && [using, check].every((text) => plain(text) === plain(usual))

const isShared = ({ name, command, using }: Policy): boolean =>
  name === SHARED_POLICY && command === 'r' && using === SHARED_ROWS

/** The server returns an expression with casts, brackets and line ends of its own. */
const plain = (text: string | null): string =>
  (text ?? '').toLowerCase().replace(/::text|else null::uuid|["()\s]/g, '')

async function listFaultsOfRole(client: Client, role: string): Promise<string[]> {
  const { rows } = await client.query<{ super: boolean; bypass: boolean; owner: boolean }>(
    `select rolsuper as super, rolbypassrls as bypass, exists (
      select from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
        and c.relkind in ('r', 'p') and pg_has_role($1, c.relowner, 'usage')) as owner
    from pg_roles where rolname = $1`,
    [role],
  )
  const [found] = rows
  if (!found) return [`there is no role ${role}`]
  if (found.super) return [`the role ${role} is a superuser`]
  if (found.bypass) return [`the role ${role} has BYPASSRLS`]
  return found.owner ? [`the role ${role} has the rights of an owner of tables`] : []
}

/**
 * The role as which the program works (D-506): neither owner nor superuser, so that row security
 * applies to it. The user of the database's address owns the tables and takes this role for every
 * connection but the one that migrates and makes partitions. It has no login but on a cluster,
 * whose servers connect to each other as it; their pg_hba.conf decides who may do so.
 */

import pg from 'pg'
import { codeOf, StartError } from '#kit/start_error.ts'
import { isOfCluster } from '../connections/cluster.ts'
import { inTransaction } from '../ddl.ts'
import { APPEND_ONLY_TABLES } from './append_only.ts'

/** Another installation on the same server with another owner gives the role another name. */
export const USUAL_ROLE = 'bezant_program'

/** Written by migrations and at the start only. */
const READ_ONLY_TABLES = ['schema_migrations', 'installation']

const NOT_PERMITTED = '42501'
/** Another process has just made it: the name of a role is of the whole server. */
const MADE_MEANWHILE = new Set(['42710', '23505', 'XX000'])

/**
 * Makes the role if it is missing, lets the current user take it and grants it what the program
 * needs. Throws a StartError with the statements to run by hand if this user may not.
 */
export async function prepareRole(client: pg.ClientBase, role: string): Promise<void> {
  await assertNotOwnRole(client, role)
  const login = (await isOfCluster(client)) ? 'login' : 'nologin'
  if (!(await hasRole(client, role))) await createRole(client, role, login)
  if (login === 'login') await permitLogin(client, role)
  if (!(await mayTake(client, role))) await takeMembership(client, role)
  await grantPrivileges(client, role)
}

/** The options with which each of the server's processes begins in the role. */
export const asRole = (role: string): string => `-c role=${role}`

/** Does the work as the role, in a transaction that is rolled back. */
export async function inRole<Result>(
  client: pg.ClientBase,
  role: string,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query('begin')
  try {
    await client.query(`set local role ${named(role)}`)
    return await work()
  } finally {
    await client.query('rollback')
  }
}

async function assertNotOwnRole(client: pg.ClientBase, role: string): Promise<void> {
  const { rows } = await client.query('select where current_user = $1', [role])
  if (rows.length === 0) return
  throw new StartError(
    `DATABASE_ROLE is ${role}, the user of DATABASE_URL itself, who owns the tables: name ` +
      'another role, or leave it out',
  )
}

async function hasRole(client: pg.ClientBase, role: string): Promise<boolean> {
  const { rows } = await client.query('select from pg_roles where rolname = $1', [role])
  return rows.length > 0
}

type Login = 'login' | 'nologin'

async function createRole(client: pg.ClientBase, role: string, login: Login): Promise<void> {
  try {
    await client.query(`create role ${named(role)} ${login}`)
  } catch (error) {
    const code = codeOf(error) ?? ''
    if (code === NOT_PERMITTED) throw await byHand(client, role, login)
    if (!MADE_MEANWHILE.has(code) || !(await hasRole(client, role))) throw error
  }
}

/** Permits the login of a role that was made before the server was one of a cluster. */
async function permitLogin(client: pg.ClientBase, role: string): Promise<void> {
  const { rows } = await client.query(
    'select from pg_roles where rolname = $1 and not rolcanlogin',
    [role],
  )
  if (rows.length === 0) return
  const text = `alter role ${named(role)} login`
  try {
    await client.query(text)
  } catch (error) {
    if (codeOf(error) !== NOT_PERMITTED) throw error
    throw new StartError(
      `the servers of a cluster connect to each other as ${role}, which the user of DATABASE_URL ` +
        `may not permit: let an administrator run "${text}"`,
    )
  }
}

/** Finds out by doing it: the meaning of membership differs between versions of the server. */
async function mayTake(client: pg.ClientBase, role: string): Promise<boolean> {
  try {
    await inRole(client, role, async () => {})
    return true
  } catch (error) {
    if (codeOf(error) !== NOT_PERMITTED) throw error
    return false
  }
}

async function takeMembership(client: pg.ClientBase, role: string): Promise<void> {
  try {
    await client.query(`grant ${named(role)} to current_user`)
  } catch (error) {
    const code = codeOf(error) ?? ''
    if (!MADE_MEANWHILE.has(code) && code !== NOT_PERMITTED) throw error
  }
  if (!(await mayTake(client, role))) throw await byHand(client, role)
}

async function byHand(
  client: pg.ClientBase,
  role: string,
  login: Login = 'nologin',
): Promise<StartError> {
  const { rows } = await client.query<{ name: string; there: boolean }>(
    `select quote_ident(current_user) as name,
      exists (select from pg_roles where rolname = $1) as there`,
    [role],
  )
  const user = rows[0]?.name ?? ''
  const made = rows[0]?.there === true ? '' : `create role ${named(role)} ${login}; `
  return new StartError(
    `the user of DATABASE_URL may not ${made === '' ? 'take' : 'create'} the role ${role} that ` +
      `the program works as: let an administrator run "${made}grant ${named(role)} to ${user}", ` +
      'or set DATABASE_ROLE to a role that this user may take',
  )
}

type Granted = { name: string; wanted: string[]; granted: string[]; kind: string }

/** Only what differs is changed, so that a start on a prepared database writes nothing. */
async function grantPrivileges(client: pg.ClientBase, role: string): Promise<void> {
  const { rows } = await client.query<Granted>(GRANTED, [
    role,
    READ_ONLY_TABLES,
    APPEND_ONLY_TABLES,
  ])
  const texts = rows
    .filter(({ wanted, granted }) => [...wanted].sort().join() !== [...granted].sort().join())
    .map(
      ({ name, wanted, kind }) =>
        // One transaction: a process that runs never lacks the privileges in between.
        `revoke all on ${kind} ${name} from ${named(role)}; ` +
        `grant ${wanted.join(', ')} on ${kind} ${name} to ${named(role)}`,
    )
  for (const text of texts) await inTransaction(client, () => client.query(text))
}

/**
 * The rights that the role ($1) has and those that it gets, by the kind of the object. Partitions
 * are reached through their tables only, so the role gets nothing on them.
 */
const GRANTED = `
  with role as (select oid from pg_roles where rolname = $1),
  schemas as (
    select oid, nspname, nspacl from pg_namespace
    where nspname !~ '^pg_' and nspname <> 'information_schema'
      and exists (select from pg_class c where c.relnamespace = pg_namespace.oid
        and c.relkind in ('r', 'p') and pg_has_role(c.relowner, 'usage'))
  ), relations as (
    select c.*, quote_ident(s.nspname) || '.' || quote_ident(c.relname) as name
    from pg_class c join schemas s on s.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'S') and not c.relispartition
      and pg_has_role(c.relowner, 'usage')
      and not exists (select from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  )
  select quote_ident(nspname) as name, 'schema' as kind, array['USAGE'] as wanted, array(
    select privilege_type from aclexplode(nspacl), role where grantee = role.oid) as granted
  from schemas
  union all
  select name, case when relkind = 'S' then 'sequence' else 'table' end,
    case when relkind = 'S' then array['USAGE', 'SELECT']
      when relkind = 'v' or relname = any ($2::text[]) then array['SELECT']
      when relname = any ($3::text[]) then array['SELECT', 'INSERT']
      else array['SELECT', 'INSERT', 'UPDATE', 'DELETE'] end,
    array(select privilege_type from aclexplode(relacl), role where grantee = role.oid)
  from relations
  order by 1`

export const named = (role: string): string => pg.escapeIdentifier(role)

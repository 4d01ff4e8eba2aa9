/**
 * The program's role at the nodes of a cluster. Citus passes a role on with its membership only if
 * both were made while the cluster was there, privileges of tables always, and those of views
 * never.
 */

import { sql } from 'kysely'
import { StartError } from '#kit/start_error.ts'
import type { Db, Entry } from '../database.ts'
import { askEach } from '../each_node.ts'
import { named } from './program_role.ts'

/** How the role is at a node. `views` are those that it cannot read. */
type Found = { user: string; taken: boolean; views: string[] }

/**
 * Lets the owner take the role at each node that answers, and the role read the views there. Throws
 * a StartError with the statement to run by hand if the owner may not permit it.
 */
export async function prepareRoleOnNodes(entries: readonly Entry[], role: string): Promise<void> {
  const find = () => askEach(entries, ({ owner }) => findAt(owner, role))
  if (entries.length === 1) return
  if (await areTaken(find)) return grantViews(entries, role)
  const [coordinator] = entries
  // Citus passes it on, also if it was granted here before.
  if (coordinator) {
    await sql`grant ${sql.raw(named(role))} to current_user`.execute(coordinator.owner)
  }
  for (const { name, result } of (await find()).answers) {
    if (result.taken) continue
    throw new StartError(
      `the node ${name} does not let ${result.user} take the role ${role}: let an administrator ` +
        `run there "grant ${named(role)} to ${named(result.user)}"`,
    )
  }
  await grantViews(entries, role)
}

const areTaken = async (find: () => ReturnType<typeof askEach<Entry, Found>>): Promise<boolean> =>
  (await find()).answers.every(({ result }) => result.taken)

async function findAt(owner: Db, role: string): Promise<Found> {
  const { rows } = await sql<Found>`
    select current_user as user,
      coalesce((select pg_has_role(oid, 'member') from pg_roles where rolname = ${role}), false)
        as taken,
      array(select c.oid::regclass::text from pg_class c
        join pg_namespace n on n.oid = c.relnamespace
        join pg_roles r on r.rolname = ${role}
        where c.relkind = 'v' and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
          and pg_has_role(c.relowner, 'usage')
          and not has_table_privilege(r.oid, c.oid, 'select')
          and not exists (select from pg_depend d
            where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
        order by 1) as views`.execute(owner)
  const [found] = rows
  if (!found) throw new Error('a select without a table has no row')
  return found
}

async function grantViews(entries: readonly Entry[], role: string): Promise<void> {
  await askEach(entries, async ({ owner }) => {
    const { views } = await findAt(owner, role)
    if (views.length === 0) return
    await owner.runTransaction(async (tx) => {
      await sql`set local citus.enable_ddl_propagation = off`.execute(tx)
      for (const view of views) {
        await sql.raw(`grant select on ${view} to ${named(role)}`).execute(tx)
      }
    })
  })
}

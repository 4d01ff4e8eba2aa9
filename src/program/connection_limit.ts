/** Whether the server allows as many connections as this process may need (D-132). */

import type pg from 'pg'
import { StartError } from '#kit/start_error.ts'

type Limit = { what: string; most: number }

/** Throws a StartError that names the limit if it is below `needed`. */
export async function assertConnections(pool: pg.Pool, needed: number): Promise<void> {
  const limits = (await pool.query<Limit>(LIMITS)).rows
  const short = limits.find(({ most }) => most < needed)
  if (!short) return
  const { what, most } = short
  throw new StartError(
    `DATABASE_CONNECTIONS is ${needed}, but the database allows ${most} (${what}): ` +
      `set it to ${most} or less for all processes together, or raise the limit`,
  )
}

/** The server's limit less its reserved connections, and those of the role and the database. */
const LIMITS = `
  select 'max_connections ' || total || ' less ' || kept || ' reserved' as what,
    (total - kept)::int as most
  from (select current_setting('max_connections')::int as total,
    current_setting('superuser_reserved_connections')::int
      + coalesce(current_setting('reserved_connections', true)::int, 0) as kept) server
  union all
  select 'connection limit of the role ' || rolname, rolconnlimit
  from pg_roles where rolname = current_user and rolconnlimit >= 0
  union all
  select 'connection limit of the database ' || datname, datconnlimit
  from pg_database where datname = current_database() and datconnlimit >= 0
  order by most`

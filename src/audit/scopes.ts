/** The parts in which a database is checked. */

import { ofAll, ofTenant, type Scope } from '#kit/audit.ts'
import type { Db } from '#kit/db/database.ts'

/**
 * All of it at once; on a cluster each tenant by itself, since one node can join its tables. Those
 * of the nodes that are away are left out.
 */
export async function scopesOf(db: Db, away: readonly string[] = []): Promise<Scope[]> {
  if (!(await db.isSpread())) return [ofAll]
  const tenants = await db.selectFrom('tenants').select('id').orderBy('id').execute()
  const reached = await db.listReached(away)
  return tenants.filter(({ id }) => !reached || reached.includes(id)).map(({ id }) => ofTenant(id))
}

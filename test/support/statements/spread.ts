/** How the tables of a database would be spread over a cluster, for the check of statements. */

import type pg from 'pg'
import { planDistribution } from '#kit/db/distribution.ts'
import type { Spread } from './shapes.ts'

const DRAWN = `
  select a.attrelid::regclass::text as table, array_agg(a.attname::text) as columns
  from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
  where pg_get_expr(d.adbin, d.adrelid) like 'nextval(%' group by 1`

/** Rows of a view are those of its tables. */
const VIEWS = `
  select c.oid::regclass::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relkind = 'v' and a.attname = 'tenant_id' and c.relnamespace = 'public'::regnamespace`

export async function readSpread(client: pg.ClientBase): Promise<Spread> {
  const plan = await planDistribution(client)
  const { rows: drawn } = await client.query<{ table: string; columns: string[] }>(DRAWN)
  const { rows: views } = await client.query<{ name: string }>(VIEWS)
  const of = (kind: string) => plan.filter((step) => step.kind === kind).map(({ table }) => table)
  return {
    distributed: new Set([...of('distributed'), ...views.map(({ name }) => name)]),
    reference: new Set(of('reference')),
    drawn: new Map(drawn.map(({ table, columns }) => [table, columns])),
  }
}

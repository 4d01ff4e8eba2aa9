/**
 * Whether the nodes of a cluster agree (D-1101): the tables with their columns, policies and
 * privileges, the program's role, and the rows of each reference table, of which each node has a
 * copy. Each node is asked by itself.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Db, Entry } from './database.ts'
import { askEach } from './each_node.ts'

export type Difference = { node: string; subject: string; detail: string }

/** How often copies that differ are read again: a write may have come between two nodes. */
const READINGS = 5
const AGAIN_MS = 200

export async function listDifferences(
  entries: readonly Entry[],
  role: string,
): Promise<{ found: Difference[]; away: string[] }> {
  const { answers, away } = await askEach(entries, async ({ owner }) => ({
    shapes: await shapesOf(owner, role),
    role: await roleAt(owner, role),
  }))
  const [first, ...others] = answers
  if (!first) return { found: [], away }
  const found = others.flatMap(({ name, result }) => [
    ...differencesOfShapes(name, first.result.shapes, result.shapes),
    ...(result.role === first.result.role
      ? []
      : [{ node: name, subject: `role ${role}`, detail: result.role }]),
  ])
  return { found: [...found, ...(await listDifferentCopies(entries))], away }
}

/** The shape of a table on a node. */
type Shape = { name: string; columns: string; policies: string; privileges: string }
const PARTS = ['columns', 'policies', 'privileges'] as const

function differencesOfShapes(
  node: string,
  of: readonly Shape[],
  there: readonly Shape[],
): Difference[] {
  const known = new Map(there.map((one) => [one.name, one]))
  return of.flatMap((one) => {
    const subject = `table ${one.name}`
    const same = known.get(one.name)
    if (!same) return [{ node, subject, detail: 'is not there' }]
    return PARTS.filter((part) => one[part] !== same[part]).map((part) => ({
      node,
      subject,
      detail: `has other ${part}`,
    }))
  })
}

async function shapesOf(owner: Db, role: string): Promise<Shape[]> {
  const { rows } = await sql<Shape>`
    select c.oid::regclass::text as name,
      (select string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || a.attnotnull,
        ', ' order by a.attname)
        from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)
        as columns,
      c.relrowsecurity || ' ' || coalesce((select string_agg(p.polname || p.polcmd::text || ' ' ||
          pg_get_expr(p.polqual, p.polrelid), ', ' order by p.polname)
        from pg_policy p where p.polrelid = c.oid), '') as policies,
      coalesce((select string_agg(a.privilege_type, ', ' order by a.privilege_type)
        from aclexplode(c.relacl) a join pg_roles r on r.oid = a.grantee
        where r.rolname = ${role}), '') as privileges
    from pg_dist_partition d join pg_class c on c.oid = d.logicalrelid
    order by 1`.execute(owner)
  return rows
}

async function roleAt(owner: Db, role: string): Promise<string> {
  const { rows } = await sql<{ is: string }>`
    select format('login %s, superuser %s, past row security %s', rolcanlogin, rolsuper,
      rolbypassrls) as is
    from pg_roles where rolname = ${role}`.execute(owner)
  return rows[0]?.is ?? 'is not there'
}

/** The copies that differ in two readings, between which they have not changed. */
async function listDifferentCopies(entries: readonly Entry[]): Promise<Difference[]> {
  let before: readonly Differing[] = []
  for (let reading = 1; reading <= READINGS; reading += 1) {
    const tables = reading === 1 ? undefined : [...new Set(before.map(({ table }) => table))]
    const differing = differingIn(await readCopies(entries, tables))
    const remains = differing.filter((one) => before.some((other) => isDeepStrictEqual(one, other)))
    if (remains.length > 0 || differing.length === 0) return remains.map(shown)
    before = differing
    await pause(AGAIN_MS)
  }
  return []
}

/** `node` is empty for the first one, with which the others are compared. */
type Copy = { node: string; table: string; rows: string; sum: string }
type Differing = Copy & { from: Copy }

function differingIn(copies: readonly Copy[]): Differing[] {
  const first = new Map(copies.flatMap((one) => (one.node === '' ? [[one.table, one]] : [])))
  return copies.flatMap((one) => {
    const from = first.get(one.table)
    const isSame = !from || (from.rows === one.rows && from.sum === one.sum)
    return isSame ? [] : [{ ...one, from }]
  })
}

const shown = ({ node, table, rows, from }: Differing): Difference => ({
  node,
  subject: `table ${table}`,
  detail: `has another copy, of ${rows} rows (${from.rows} at the database)`,
})

/** Copies of the named reference tables, or of all. A sum of hashes depends on no order. */
async function readCopies(
  entries: readonly Entry[],
  named: readonly string[] | undefined,
): Promise<Copy[]> {
  const { answers } = await askEach(entries, async ({ owner }) => {
    const tables = named ?? (await listReferenceTables(owner))
    const copies: Omit<Copy, 'node'>[] = []
    for (const table of tables) {
      const { rows } = await sql<Omit<Copy, 'node'>>`
        select ${table}::text as table, count(*)::text as rows,
          coalesce(sum(hash_record_extended(t.*::record, 0)::numeric), 0)::text as sum
        from ${sql.raw(table)} t`.execute(owner)
      copies.push(...rows)
    }
    return copies
  })
  return answers.flatMap(({ name, result }, at) =>
    result.map((copy) => ({ node: at === 0 ? '' : name, ...copy })),
  )
}

async function listReferenceTables(owner: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select logicalrelid::text as name from pg_dist_partition
    where partmethod = 'n' and repmodel = 't' order by 1`.execute(owner)
  return rows.map(({ name }) => name)
}

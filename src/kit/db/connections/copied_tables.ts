/**
 * Writes to the tables of a cluster of which each node has a copy (Citus: reference tables). A
 * statement that writes one locks that table for the whole cluster, then those that it refers to,
 * until its transaction ends. Two transactions that write two such tables would each wait for the
 * other, in whatever order the program writes. So the first such statement of a transaction is
 * behind a lock of the table that nearly all others refer to (D-863).
 */

import type pg from 'pg'

/** The root of the tables that copied tables refer to. */
const ROOT = 'tenants'
/** Locks no row: Citus locks the table for a statement that would. */
export const LINE_UP = `
  select from ${ROOT} where id = '00000000-0000-0000-0000-000000000000' for no key update`

/** The copied tables with foreign keys, either way: any other is locked alone. */
const COPIED_TABLES = `
  select relname::text as name from pg_dist_partition d join pg_class c on c.oid = d.logicalrelid
  where d.partmethod = 'n' and exists (
    select from pg_constraint k where k.contype = 'f' and c.oid in (k.conrelid, k.confrelid))`

/** Tables that are written, or locked by a select. */
const WRITTEN = /\b(?:insert into|update|delete from)\s+"?(\w+)/gi
const READ = /\b(?:from|join)\s+"?(\w+)/gi
const LOCKS = /\bfor (?:update|no key update|share|key share)\b/i
/** Texts are few; past the bound each is read anew. */
const TEXTS_KEPT = 1_000

/** None if the tables are not spread yet. */
export async function findCopiedTables(client: pg.ClientBase): Promise<CopiedTables> {
  const { rows } = await client.query<{ name: string }>(COPIED_TABLES)
  return new CopiedTables(rows.map(({ name }) => name))
}

export class CopiedTables {
  readonly #names: ReadonlySet<string>
  readonly #known = new Map<string, boolean>()

  constructor(names: readonly string[]) {
    this.#names = new Set(names.includes(ROOT) ? names : [])
  }

  get isEmpty(): boolean {
    return this.#names.size === 0
  }

  /** Whether a statement locks one of them. */
  isLockedBy(text: string): boolean {
    if (this.isEmpty) return false
    const known = this.#known.get(text)
    if (known !== undefined) return known
    const patterns = LOCKS.test(text) ? [WRITTEN, READ] : [WRITTEN]
    const tables = patterns.flatMap((pattern) => [...text.matchAll(pattern)])
    const isLocked = tables.some(([, name = '']) => this.#names.has(name))
    if (this.#known.size < TEXTS_KEPT) this.#known.set(text, isLocked)
    return isLocked
  }
}

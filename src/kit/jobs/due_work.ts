/**
 * When a sweep has to look at a tenant next (D-691). One row of `due_work` for a tenant and a kind
 * has a time that is at or before the due time of each of the tenant's rows of that kind. So one
 * small statement finds the tenants of all sweeps (look.ts); without it each sweep would ask its
 * own tables for every tenant, on a cluster at every shard.
 */

import { type RawBuilder, sql } from 'kysely'
import { databaseNow, tenantNow } from '#kit/clock.ts'
import type { Context, Tx } from '#kit/context.ts'
import { upsertDueTimes, type When } from '#kit/db/due_times.ts'
import { Write } from '#kit/db/write.ts'
import { type DueTenants, tenantsWith } from './due_tenants.ts'

/** The work of a sweep that is found by `due_work`; a Sweep is made of it. */
export type DueKind = {
  /** The name of the sweep, and the kind in `due_work`. */
  name: string
  /** Tenants whose rows are due, by the rows themselves. */
  dueTenants: DueTenants
  /**
   * The earliest due time of a tenant's rows, as a subquery; null if none is pending. A row that a
   * process has claimed is due at the end of its claim.
   */
  earliest: (tenant_id: RawBuilder<unknown>) => RawBuilder<unknown>
  /**
   * The same for the rows that `due_work` has to know at any time, if those are not all of them.
   */
  earliestKnown?: DueKind['earliest']
  /** Due times are of real time, not of the tenant's clock. */
  realTime?: true
}

type DueRows = {
  name: string
  table: string
  /** The column; `due` if it is left out. */
  due?: string
  /**
   * The condition of rows that count; the row is `d`. Rows with a due time count if it is left out.
   */
  when?: RawBuilder<unknown>
  realTime?: true
}

/** A kind for rows with an index on (tenant_id, due), partial on `when`. */
export function dueKind({ name, table, due = 'due', when, realTime }: DueRows): DueKind {
  const [rows, column] = [sql.table(table), sql.ref(`d.${due}`)]
  const counts = when ?? sql`${column} is not null`
  const now = realTime ? databaseNow : tenantNow
  return {
    name,
    ...(realTime && { realTime }),
    dueTenants: tenantsWith(sql`exists (
      select from ${rows} d
      where d.tenant_id = t.tenant_id and ${counts} and ${column} <= ${now})`),
    earliest: (tenant_id) => sql`(
      select min(${column}) from ${rows} d where d.tenant_id = ${tenant_id} and ${counts})`,
  }
}

/**
 * The rows of that kind that this transaction writes are due at the earliest of `whens`, or later;
 * nothing is due if there is none. To be called wherever a row becomes due that was not, or earlier
 * than it was; to put a row off needs nothing. It is one statement for all kinds of the
 * transaction, which travels with the COMMIT. If a write is sent together with others, this is
 * called without waiting before it, so that it keeps its place.
 */
export async function dueBy(...of: Parameters<typeof dueWrite>): Promise<void> {
  await dueWrite(...of).start()
}

/** The same, not started; usually it only notes the time and has no statement. */
export function dueWrite(
  tx: Tx,
  { name }: Pick<DueKind, 'name'>,
  ...whens: readonly (When | null | undefined)[]
): Write {
  const { db, tenant_id, dueTimes } = tx
  const [when] = whens
    .filter((one) => one !== null && one !== undefined)
    .sort((one, other) => Number(one) - Number(other))
  if (when === undefined) return Write.of(db)
  if (dueTimes?.tenant_id !== tenant_id) {
    return upsertDueTimes(db, { tenant_id, times: new Map([[name, when]]) })
  }
  const before = dueTimes.times.get(name)
  if (before === undefined || when < before) dueTimes.times.set(name, when)
  return Write.of(db)
}

/**
 * Sets the time of a kind to that of the tenant's earliest row, or deletes it if none is left. To
 * be called when a turn has left nothing that is due.
 *
 * No wake-up is lost. A transaction that relies on the time as it is holds the row until it ends;
 * then this leaves the row alone, and another turn follows. If this holds the row first, such a
 * transaction waits for it and sees its writes. The rows are read by a statement behind the lock,
 * so by a snapshot that has all rows written in reliance on the earlier time.
 */
export async function settle(tx: Tx, { name, earliest }: DueKind): Promise<void> {
  const { db, tenant_id } = tx
  const row = sql`tenant_id = ${tenant_id} and kind = ${name}`
  // Sent together and run in this order.
  const [held, left] = await Promise.all([
    sql<{ due: Date }>`
      select due from due_work where ${row} for update skip locked`.execute(db),
    sql<{ due: Date | null }>`select ${earliest(sql`${tenant_id}`)} as due`.execute(db),
  ])
  const before = held.rows[0]?.due
  const due = left.rows[0]?.due ?? null
  if (before === undefined || (due !== null && due <= before)) return
  const write =
    due === null
      ? sql`delete from due_work where ${row}`
      : sql`update due_work set due = ${due} where ${row}`
  void tx.withCommit(Write.of(db, write))
}

/** A kind with a row of the tenant that is due before the sweep would look for it. */
export type Unrecorded = { kind: string; due: Date; recorded: Date | null }

/**
 * The kinds of one tenant whose due work is not recorded, in one snapshot; empty when all will be
 * found.
 */
export async function listUnrecorded(
  { db, tenant_id }: Pick<Context, 'db' | 'tenant_id'>,
  kinds: readonly DueKind[],
): Promise<Unrecorded[]> {
  if (kinds.length === 0) return []
  const all = kinds.map(
    ({ name, earliest, earliestKnown = earliest }) => sql`
      select ${name}::text as kind, ${earliestKnown(sql`${tenant_id}::uuid`)} as due, (
        select w.due from due_work w
        where w.tenant_id = ${tenant_id} and w.kind = ${name}) as recorded`,
  )
  const { rows } = await sql<Unrecorded>`
    select kind, due, recorded from (${sql.join(all, sql` union all `)}) k
    where due < coalesce(recorded, 'infinity') order by kind`.execute(db)
  return rows
}

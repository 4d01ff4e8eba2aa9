/** Portions of work: calls to a provider, which are claimed, or rows that are found again. */

import { type Selectable, sql } from 'kysely'
import type { Context } from '#kit/context.ts'
import type { Database } from '#kit/db/tables.ts'

/** Tables whose rows wait for a call of a provider. */
type Calls = 'identity_checks' | 'kyc_requests' | 'screenings'

const CALLS_A_PORTION = 5
/** Longer than the calls of a portion can last; after it another process takes over. */
const LEASE_MS = 900_000

/**
 * Claims a portion of the calls that are due, and makes them. `lease_ms` 0 is for a provider that
 * answers in the process.
 */
export async function callDue<Table extends Calls>(
  ctx: Context,
  table: Table,
  call: (row: Selectable<Database[Table]>) => Promise<void>,
  {
    lease_ms = LEASE_MS,
    postpone,
  }: { lease_ms?: number; postpone?: (row: Selectable<Database[Table]>) => Promise<void> } = {},
): Promise<{ more: boolean }> {
  const until = new Date(ctx.now.getTime() + lease_ms)
  const rows = await claimDue(ctx, table, until, CALLS_A_PORTION)
  await callEach(rows, call, postpone)
  return { more: rows.length === CALLS_A_PORTION }
}

/** Claims rows that are due; no other process claims them before `until`. */
async function claimDue<Table extends Calls>(
  { db, tenant_id, now }: Context,
  table: Table,
  until: Date,
  limit: number,
): Promise<Selectable<Database[Table]>[]> {
  const { rows } = await sql<Selectable<Database[Table]>>`
    update ${sql.table(table)} set due = ${until}, attempts = attempts + 1
    where tenant_id = ${tenant_id} and id in (
      select id from ${sql.table(table)}
      where tenant_id = ${tenant_id} and due <= ${now}
      order by due limit ${limit} for no key update skip locked)
    returning *`.execute(db)
  return rows
}

/**
 * Does one portion, one item after the other. An item that fails is postponed; if that fails too,
 * its lease runs out. Throws the first failure when all are done.
 */
export async function callEach<Item>(
  portion: readonly Item[],
  call: (item: Item) => Promise<void>,
  postpone: (item: Item) => Promise<void> = async () => {},
): Promise<void> {
  const failures: unknown[] = []
  for (const item of portion) {
    try {
      await call(item)
    } catch (error) {
      failures.push(error)
      await postpone(item).catch((cause: unknown) => failures.push(cause))
    }
  }
  if (failures.length > 0) throw failures[0]
}

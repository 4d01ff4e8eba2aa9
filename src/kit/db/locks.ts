/**
 * Locks by name, for rows that do not exist yet and for sets of rows. They are rows of a tenant, so
 * that they hold on a cluster wherever a process enters; advisory locks are of one server (D-656).
 */

import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '#kit/context.ts'
import { Write } from '#kit/db/write.ts'
import { hasCode } from '#kit/start_error.ts'
import { textArray } from './arrays.ts'
import type { Database } from './tables.ts'

/** Waits for the locks of these names, and holds them until the transaction ends. */
export async function lockNames(
  { db, tenant_id }: Pick<Tx, 'db' | 'tenant_id'>,
  names: readonly string[],
): Promise<void> {
  // Sorted, so that two transactions that lock several never wait for each other.
  const sorted = sql`${textArray([...new Set(names)].sort())}::text[]`
  // Sent together and run in this order. The transaction that makes a row holds its lock; the next
  // to make it waits.
  await Promise.all([
    sql`
      insert into locks (tenant_id, name)
      select anchor.tenant_id, given.name
      from tenant_anchors anchor cross join unnest(${sorted}) as given (name)
      where anchor.tenant_id = ${tenant_id}
      on conflict (tenant_id, name) do nothing`.execute(db),
    sql`
      select from locks where tenant_id = ${tenant_id} and name = any (${sorted})
      order by name collate "C" for update`.execute(db),
  ])
}

/** Waits for the lock of one row of the tenant, and holds it until the transaction ends. */
export async function lockRow(
  { db, tenant_id }: Pick<Tx, 'db' | 'tenant_id'>,
  table: keyof Database,
  id: string,
): Promise<void> {
  await sql`
    select from ${sql.table(table)}
    where tenant_id = ${tenant_id} and id = ${id} for no key update`.execute(db)
}

/** A row that stays locked for so long, in milliseconds, delays no shared transaction further. */
export const SHARED_MS = 50

/**
 * Until the transaction ends, a lock that takes longer fails. For transactions that requests share.
 */
export const limitLocks = ({ db }: Pick<Tx, 'db'>, lock_ms = SHARED_MS): Write =>
  Write.of(db, sql`select set_config('lock_timeout', ${String(Math.ceil(lock_ms))}, true)`)

const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK = '40P01'

/** Whether a statement has failed because another transaction holds what it needs. */
export const isLocked = (error: unknown): boolean =>
  hasCode(error, LOCK_NOT_AVAILABLE) || hasCode(error, DEADLOCK)

/**
 * One of 65,536 names of a kind, for objects of any number, so that the rows have an end. Two
 * transactions that lock 32 of them each hardly have one in common.
 */
export const sharedName = (kind: string, what: string): string =>
  `${kind} ${hash('sha256', what, 'buffer').readUInt16BE()}`

/** The lock of all counters of a user, so that a transaction has one for a user. */
export const nameOfUser = (user_id: string): string => `user ${user_id.toLowerCase()}`

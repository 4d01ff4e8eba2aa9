/** The counters of accounts, in the rows of the accounts, and those of users. */

import { sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import { idArray, jsonArray, plainArray } from '#kit/db/arrays.ts'
import { expectRows, ifUnchanged } from '#kit/db/conflict.ts'
import type { HolderCounters } from './rules.ts'

/**
 * Of the accounts that exist, with their versions. They are written with the account alone
 * (writeLedger), so an account that is locked keeps them.
 */
export async function listAccountCounters(
  { db, tenant_id }: Context,
  account_ids: readonly string[],
): Promise<HolderCounters[]> {
  if (account_ids.length === 0) return []
  const { rows } = await sql<HolderCounters>`
    select id as holder_id, version, coalesce(counters, '[]') as counters from accounts
    where tenant_id = ${tenant_id} and id = any (${idArray(account_ids)}::uuid[])`.execute(db)
  return rows
}

/** One for each user, with version 0 where none are stored. */
export async function listUserCounters(
  { db, tenant_id }: Context,
  user_ids: readonly string[],
): Promise<HolderCounters[]> {
  if (user_ids.length === 0) return []
  const { rows } = await sql<HolderCounters>`
    select given.id as holder_id, coalesce(c.version, 0) as version,
      coalesce(c.counters, '[]') as counters
    from unnest(${idArray(user_ids)}::uuid[]) as given (id)
    left join lateral (
      select version, counters from user_counters
      where tenant_id = ${tenant_id} and user_id = given.id limit 1) c on true`.execute(db)
  return rows
}

/** The same, each row locked until the transaction ends, and made where it is missing. */
export async function lockUserCounters(
  tx: Tx,
  user_ids: readonly string[],
): Promise<HolderCounters[]> {
  if (user_ids.length === 0) return []
  const sorted = plainArray([...user_ids].sort())
  // Raised, so that what was decided on the row before is not written (kit/db/conflict.ts).
  const { rows } = await sql<HolderCounters>`
    insert into user_counters as c (tenant_id, user_id, counters, version)
    select anchor.tenant_id, given.id, '[]', 1
    from tenant_anchors anchor cross join unnest(${sorted}::uuid[]) as given (id)
    where anchor.tenant_id = ${tx.tenant_id}
    on conflict (tenant_id, user_id) do update set version = c.version + 1
    returning user_id as holder_id, version, counters`.execute(tx.db)
  return rows
}

/**
 * Writes counters of users and raises their versions. A statement fails (kit/db/conflict.ts) where
 * one has another version than it was read with.
 */
export async function upsertUserCounters(
  tx: Tx,
  changed: readonly HolderCounters[],
): Promise<void> {
  const isStored = ({ version }: HolderCounters) => version > 0n
  await Promise.all([
    insertCounters(
      tx,
      changed.filter((one) => !isStored(one)),
    ),
    updateCounters(tx, changed.filter(isStored)),
  ])
}

async function insertCounters(tx: Tx, added: readonly HolderCounters[]): Promise<void> {
  if (added.length === 0) return
  // A stored row has a version above 0: another has inserted it since.
  const version = ifUnchanged(sql`excluded.version`, sql`c.version = 0`)
  await sql`
    insert into user_counters as c (tenant_id, user_id, counters, version)
    select anchor.tenant_id, given.id, given.counters, 1
    from tenant_anchors anchor cross join rows from (unnest(${idsOf(added)}::uuid[]),
      unnest(${jsonArray(added.map(textOf))})) as given (id, counters)
    where anchor.tenant_id = ${tx.tenant_id}
    on conflict (tenant_id, user_id) do update set version = ${version}`.execute(tx.db)
}

async function updateCounters(tx: Tx, changed: readonly HolderCounters[]): Promise<void> {
  if (changed.length === 0) return
  const ids = sql`${idsOf(changed)}::uuid[]`
  const versions = plainArray(changed.map(({ version }) => version))
  // The values by the place of the id, not by a join: PostgreSQL can only use the primary key.
  const updated = sql`
    update user_counters c set (version, counters) = (
        select c.version + 1, (select ${jsonArray(changed.map(textOf))})[at]
        from array_position(${ids}, c.user_id) as at)
    where c.tenant_id = ${tx.tenant_id} and c.user_id = any (${ids})
      and c.version = (${versions}::bigint[])[array_position(${ids}, c.user_id)]
    returning 1`
  await expectRows(updated, changed.length).execute(tx.db)
}

const idsOf = (holders: readonly HolderCounters[]): Buffer =>
  idArray(holders.map(({ holder_id }) => holder_id))
const textOf = ({ counters }: HolderCounters): string => JSON.stringify(counters)

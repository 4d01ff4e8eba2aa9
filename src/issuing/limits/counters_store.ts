/** The counters of accounts, in the rows of the accounts or beside them, and those of users. */

import { sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import { idArray, jsonArray, plainArray } from '#kit/db/arrays.ts'
import { expectRows, ifUnchanged } from '#kit/db/conflict.ts'
import { Write } from '#kit/db/write.ts'
import type { ChangedChain, GroupCounters, HolderCounters } from './rules.ts'

/**
 * The counters of the accounts that exist, with their versions and the counters of these chains of
 * their cards. They are written with the account alone (writeLedger), so an account that is locked
 * keeps them.
 */
export async function listAccountCounters(
  { db, tenant_id }: Context,
  accounts: ReadonlyMap<string, Iterable<string>>,
): Promise<HolderCounters[]> {
  if (accounts.size === 0) return []
  const ids = idArray([...accounts.keys()])
  const chain_ids = idArray([...new Set([...accounts.values()].flatMap((of) => [...of]))])
  const { rows } = await sql<AccountRow>`
    select a.id as holder_id, a.version, coalesce(a.counters, '[]') as counters, k.chains
    from accounts a
    left join lateral (
      select json_agg(json_build_array(chain_id, counters)) as chains from chain_counters
      where tenant_id = ${tenant_id} and account_id = a.id
        and chain_id = any (${chain_ids}::uuid[])) k on true
    where a.tenant_id = ${tenant_id} and a.id = any (${ids}::uuid[])`.execute(db)
  return rows.map(({ chains, ...one }) => {
    const found = new Map(chains)
    const asked = [...(accounts.get(one.holder_id) ?? [])]
    return { ...one, chains: new Map(asked.map((chain) => [chain, found.get(chain)])) }
  })
}

type AccountRow = Omit<HolderCounters, 'chains'> & { chains: [string, GroupCounters][] | null }

/**
 * Writes chains of accounts that the transaction writes (writeLedger): another one then finds other
 * versions.
 */
export function upsertChainCounters(tx: Tx, changed: readonly ChangedChain[]): Write {
  if (changed.length === 0) return Write.of(tx.db)
  const texts = changed.map(({ counters }) => JSON.stringify(counters))
  const upserted = sql`
    insert into chain_counters (tenant_id, account_id, chain_id, counters)
    select anchor.tenant_id, given.account_id, given.chain_id, given.counters
    from tenant_anchors anchor cross join rows from (
      unnest(${idArray(changed.map(({ account_id }) => account_id))}::uuid[]),
      unnest(${idArray(changed.map(({ chain_id }) => chain_id))}::uuid[]),
      unnest(${jsonArray(texts)})) as given (account_id, chain_id, counters)
    where anchor.tenant_id = ${tx.tenant_id}
    on conflict (tenant_id, account_id, chain_id)
      do update set counters = excluded.counters`
  return Write.of(tx.db, upserted)
}

/** One for each user, with version 0 if none are stored. */
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

/** The same, each row locked until the transaction ends, and made if it is missing. */
export async function lockUserCounters(
  tx: Tx,
  user_ids: readonly string[],
): Promise<HolderCounters[]> {
  if (user_ids.length === 0) return []
  const sorted = plainArray([...user_ids].sort())
  // The version is raised, so that a decision on the earlier row is not written
  // (kit/db/conflict.ts).
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
 * Writes counters of users and raises their versions. A statement fails (kit/db/conflict.ts) if one
 * has another version than it was read with.
 */
export function upsertUserCounters(tx: Tx, changed: readonly HolderCounters[]): Write {
  const isStored = ({ version }: HolderCounters) => version > 0n
  const added = changed.filter((one) => !isStored(one))
  return Write.all(tx.db, insertCounters(tx, added), updateCounters(tx, changed.filter(isStored)))
}

function insertCounters(tx: Tx, added: readonly HolderCounters[]): Write {
  if (added.length === 0) return Write.of(tx.db)
  // A stored row has a version above 0: another has inserted it since.
  const version = ifUnchanged(sql`excluded.version`, sql`c.version = 0`)
  const inserted = sql`
    insert into user_counters as c (tenant_id, user_id, counters, version)
    select anchor.tenant_id, given.id, given.counters, 1
    from tenant_anchors anchor cross join rows from (unnest(${idsOf(added)}::uuid[]),
      unnest(${jsonArray(added.map(textOf))})) as given (id, counters)
    where anchor.tenant_id = ${tx.tenant_id}
    on conflict (tenant_id, user_id) do update set version = ${version}`
  return Write.of(tx.db, inserted)
}

function updateCounters(tx: Tx, changed: readonly HolderCounters[]): Write {
  if (changed.length === 0) return Write.of(tx.db)
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
  return Write.of(tx.db, expectRows(updated, changed.length))
}

const idsOf = (holders: readonly HolderCounters[]): Buffer =>
  idArray(holders.map(({ holder_id }) => holder_id))
const textOf = ({ counters }: HolderCounters): string => JSON.stringify(counters)

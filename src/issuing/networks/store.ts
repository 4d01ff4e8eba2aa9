/** Keys of networks and the requests for new ones: rows of no tenant (D-1032). */

import { type RawBuilder, sql } from 'kysely'
import { databaseNow, databaseNowPlus } from '#kit/clock.ts'
import type { Db } from '#kit/db/database.ts'
import { SEALED_MORE } from '#kit/keys/keyring.ts'
import type { SealedColumn } from '#kit/keys/sealed_columns.ts'
import type { NetworkKeyUse } from './cryptography.ts'

export type KeyRow = {
  id: string
  use: NetworkKeyUse
  check_value: string
  sealed: Buffer
  created: Date
}

export const bindingOfNetworkKey = ({ id }: { id: string }): string => `network_key|${id}`

export const sealedNetworkKeys: SealedColumn<'id'> = {
  purpose: 'keysets',
  table: 'network_keys',
  column: 'sealed',
  by: { id: 'uuid' },
  bind: bindingOfNetworkKey,
}

/** Hex digits of a key in software; a module's has its check value with it, and other lengths. */
const SOFTWARE_DIGITS = [32, 48, 64]

/** The custody that a row of `network_keys` is of, which its length says: the letter, then the key. */
export const custodyOfKey: RawBuilder<'SOFTWARE' | 'MODULE'> = sql`case
  when octet_length(sealed) = any (
    ${SOFTWARE_DIGITS.map((digits) => SEALED_MORE + 1 + digits)}::int[]) then 'SOFTWARE'
  else 'MODULE' end`

/** Whether any key of a network is in software. */
export async function hasKeyInSoftware(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from network_keys where ${custodyOfKey} = 'SOFTWARE' limit 1`.execute(db)
  return rows.length > 0
}

/** A key that another has replaced is honoured for so long. */
const HONOURED_MS = 5 * 60_000
/** A request without an answer is sent again after so long, and given up after so long. */
const AGAIN_MS = 60_000
const GIVEN_UP_MS = 3_600_000

/**
 * The keys that are honoured now, the newest first: by the time of the database, since ids have
 * that of the process that made them.
 */
export async function listKeyRows(db: Db, network: string): Promise<KeyRow[]> {
  const { rows } = await sql<KeyRow>`
    select id, use, check_value, sealed, created from (
      select k.*,
        lag(k.created) over (partition by k.use order by k.created desc, k.id desc) as replaced
      from network_keys k where k.network = ${network}) k
    where replaced is null or replaced > ${databaseNowPlus(-HONOURED_MS)}
    order by created desc, id desc limit 100`.execute(db)
  return rows
}

export async function insertKeyRow(
  db: Db,
  network: string,
  { id, use, check_value, sealed }: Omit<KeyRow, 'created'>,
): Promise<void> {
  await sql`
    insert into network_keys (id, network, use, check_value, sealed, created)
    values (${id}, ${network}, ${use}, ${check_value}, ${sealed}, ${databaseNow})`.execute(db)
}

/** Keys that were replaced a day ago are not kept. */
const KEPT_MS = 24 * 60 * 60_000

export async function deleteReplacedKeys(db: Db, network: string): Promise<void> {
  await sql`
    delete from network_keys k using network_keys n
    where k.network = ${network} and n.network = k.network and n.use = k.use
      and (n.created, n.id) > (k.created, k.id)
      and n.created < ${databaseNowPlus(-KEPT_MS)}`.execute(db)
}

/** All keys of all networks, also those that are honoured no more. */
export async function listAllKeyRows(db: Db): Promise<(KeyRow & { network: string })[]> {
  const { rows } = await sql<KeyRow & { network: string }>`
    select id, network, use, check_value, sealed, created from network_keys
    order by id`.execute(db)
  return rows
}

export async function updateSealedKey(
  db: Db,
  { id, sealed }: Pick<KeyRow, 'id' | 'sealed'>,
): Promise<void> {
  await sql`update network_keys set sealed = ${sealed} where id = ${id}`.execute(db)
}

export type ExchangeState = 'REQUESTED' | 'SENT' | 'DONE' | 'FAILED'
export type ExchangeRow = {
  id: string
  network: string
  use: NetworkKeyUse
  state: ExchangeState
  created: Date
}

export async function insertExchange(
  db: Db,
  { id, network, use }: Pick<ExchangeRow, 'id' | 'network' | 'use'>,
): Promise<ExchangeRow> {
  const { rows } = await sql<ExchangeRow>`
    insert into network_exchanges (id, network, use, state, created, modified)
    values (${id}, ${network}, ${use}, 'REQUESTED', ${databaseNow}, ${databaseNow})
    returning id, network, use, state, created`.execute(db)
  const [row] = rows
  if (!row) throw new Error('an insert returned no row')
  return row
}

/** Takes the oldest request that nobody has sent, or that got no answer. */
export async function claimExchange(db: Db, network: string): Promise<ExchangeRow | undefined> {
  const { rows } = await sql<ExchangeRow>`
    update network_exchanges e set state = 'SENT', modified = ${databaseNow}
    where e.id = (
      select x.id from network_exchanges x where x.network = ${network}
        and x.created > ${databaseNowPlus(-GIVEN_UP_MS)}
        and (x.state = 'REQUESTED'
          or (x.state = 'SENT' and x.modified < ${databaseNowPlus(-AGAIN_MS)}))
      order by x.id limit 1 for update skip locked)
    returning id, network, use, state, created`.execute(db)
  return rows[0]
}

/** The requests for a key of this use have come to an end. */
export async function setExchanges(
  db: Db,
  { network, use, state }: { network: string; use: NetworkKeyUse; state: 'DONE' | 'FAILED' },
): Promise<void> {
  await sql`
    update network_exchanges set state = ${state}, modified = ${databaseNow}
    where network = ${network} and use = ${use} and state = 'SENT'`.execute(db)
}

/** The last requests of a network, the newest first. */
export async function listExchanges(db: Db, network: string): Promise<ExchangeRow[]> {
  const { rows } = await sql<ExchangeRow>`
    select id, network, use, state, created from network_exchanges
    where network = ${network} order by id desc limit 5`.execute(db)
  return rows
}

/**
 * Merchants and their keys: reference tables that are read before the tenant is known, so their
 * statements filter by the merchant or the key instead of the tenant.
 */

import { type Selectable, sql } from 'kysely'
import { bucketSettings } from '#callers/keys.ts'
import { tenantNow } from '#kit/clock.ts'
import type { Context, Tx } from '#kit/context.ts'
import type { Db } from '#kit/db/database.ts'
import type { Database } from '#kit/db/tables.ts'
import { takeTokens } from '#kit/http/callers/buckets.ts'
import type { BucketState, Portion } from '#kit/http/callers/caller_cache.ts'
import { type PageRange, selectRange } from '#kit/http/lists.ts'
import type { StoredFee } from './rules.ts'

export type MerchantRow = Omit<Selectable<Database['merchants']>, 'fees'> & { fees: StoredFee[] }
export type MerchantKeyRow = Selectable<Database['merchant_keys']>

/** False if another merchant has that id. */
export async function insertMerchant({ db }: Tx, row: MerchantRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('merchants')
    .values({ ...row, fees: JSON.stringify(row.fees) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export async function updateMerchant({ db }: Tx, row: MerchantRow): Promise<void> {
  const { id, tenant_id: _tenant, created: _created, ...settings } = row
  const changed = { ...settings, fees: JSON.stringify(row.fees) }
  await db.updateTable('merchants').set(changed).where('id', '=', id).execute()
}

export function findMerchant({ db }: Context, id: string): Promise<MerchantRow | undefined> {
  return db.selectFrom('merchants').selectAll().where('id', '=', id).executeTakeFirst()
}

export function findFees(
  { db }: Context,
  id: string,
): Promise<Pick<MerchantRow, 'fees'> | undefined> {
  return db.selectFrom('merchants').select('fees').where('id', '=', id).executeTakeFirst()
}

export function lockMerchant({ db }: Tx, id: string): Promise<MerchantRow | undefined> {
  return db.selectFrom('merchants').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function hasTenant({ db }: Tx, id: string): Promise<boolean> {
  const row = await db.selectFrom('tenants').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}

/** The merchants of the caller's tenant: the one of that id, or any of them. */
export function listActiveMerchants(
  { db, tenant_id }: Context,
  id: string | undefined,
  limit: number,
): Promise<{ id: string }[]> {
  const active = db
    .selectFrom('merchants')
    .select('id')
    .where('tenant_id', '=', tenant_id)
    .where('status', '=', 'ACTIVE')
    .limit(limit)
  return (id === undefined ? active : active.where('id', '=', id)).execute()
}

/** Newest first. */
export function listMerchantRows({ db }: Context, tenant_id: string | undefined, range: PageRange) {
  let query = db
    .selectFrom('merchants')
    .selectAll()
    .select(sql<string>`created::text`.as('created_text'))
  if (tenant_id !== undefined) query = query.where('tenant_id', '=', tenant_id)
  return selectRange(query, range).execute()
}

export async function insertKey({ db }: Tx, row: MerchantKeyRow): Promise<void> {
  await db.insertInto('merchant_keys').values(row).execute()
}

export function listKeyRows({ db }: Context, merchant_id: string, range: PageRange) {
  const query = db
    .selectFrom('merchant_keys')
    .selectAll()
    .select(sql<string>`created::text`.as('created_text'))
    .where('merchant_id', '=', merchant_id)
  return selectRange(query, range).execute()
}

/** The tenant of that key, if the merchant has it; a revoked key keeps its time of revocation. */
export async function updateKeyRevoked(
  tx: Tx,
  merchant_id: string,
  id: string,
): Promise<string | undefined> {
  const { db, now } = tx
  const row = await db
    .updateTable('merchant_keys')
    .set({ revoked: sql<Date>`coalesce(revoked, ${now})` })
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .returning('tenant_id')
    .executeTakeFirst()
  return row?.tenant_id
}

export type Claimant = {
  key_id: string
  merchant_id: string
  tenant_id: string
  private_key_hash: Buffer
  token_minutes: number
  /** The time by its tenant's clock. */
  now: Date
}

/** The active merchant of a public key that is not revoked. */
export async function findClaimant(db: Db, public_key: string): Promise<Claimant | undefined> {
  const { rows } = await sql<Claimant>`
    select k.id as key_id, m.id as merchant_id, m.tenant_id, k.private_key_hash, m.token_minutes,
      ${tenantNow} as now
    from merchant_keys k
    join merchants m on m.id = k.merchant_id
    join tenants t on t.id = m.tenant_id
    where k.public_key = ${public_key} and k.revoked is null and m.status = 'ACTIVE'`.execute(db)
  return rows[0]
}

export type Bearer = BucketState & { merchant_id: string; tenant_id: string }

/**
 * The active merchant of a token's key that is not revoked. Takes a portion of its bucket
 * with it.
 */
export function findBearer(
  db: Db,
  key_id: string,
  bucket: Buffer,
  portion: Portion,
): Promise<Bearer | undefined> {
  const caller = sql`
    select m.id as merchant_id, m.tenant_id, ${bucketSettings(sql`m.tenant_id`)}
    from merchant_keys k
    join merchants m on m.id = k.merchant_id
    join tenants t on t.id = m.tenant_id
    where k.id = ${key_id} and k.revoked is null and m.status = 'ACTIVE'`
  return takeTokens(db, caller, bucket, portion)
}

/** Tenants and API keys: the platform's own reference tables, so the tenant is the key itself. */

import { type Selectable, sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import type { Database } from '#kit/db/tables.ts'
import { type PageRange, selectRange } from '#kit/http/lists.ts'
import type { StoredSettings } from './schema.ts'

export type TenantRow = Selectable<Database['tenants']>
export type ApiKeyRow = Selectable<Database['api_keys']>
type NewTenantRow = { id: string; name: string; settings: StoredSettings; now: Date } & Secrets
/** The columns of the responder's secrets that change; sealed. */
export type Secrets = Partial<
  Pick<
    TenantRow,
    | 'sealed_responder_secret'
    | 'sealed_previous_responder_secret'
    | 'previous_responder_secret_until'
  >
>

/** Undefined when the id exists. The row from which its inserts are made comes with it. */
export async function insertTenant(
  { db }: Tx,
  { id, name, settings, now, ...secrets }: NewTenantRow,
): Promise<TenantRow | undefined> {
  const inserted = db
    .insertInto('tenants')
    .values({
      id,
      name,
      settings: JSON.stringify(settings),
      created: now,
      modified: now,
      ...secrets,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returningAll()
    .executeTakeFirst()
  const anchored = db
    .insertInto('tenant_anchors')
    .values({ tenant_id: id })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const [row] = await Promise.all([inserted, anchored])
  return row
}

export function findTenantRow({ db }: Context, id: string): Promise<TenantRow | undefined> {
  return db.selectFrom('tenants').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Blocks other changes of the tenant until the transaction ends. */
export function lockTenant({ db }: Tx, id: string): Promise<TenantRow | undefined> {
  return db
    .selectFrom('tenants')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function updateSettings(
  { db, now }: Tx,
  id: string,
  settings: StoredSettings,
  secrets: Secrets,
): Promise<void> {
  await db
    .updateTable('tenants')
    .set({ settings: JSON.stringify(settings), ...secrets, modified: now })
    .where('id', '=', id)
    .execute()
}

export async function updateResponderSecrets(
  { db, now }: Tx,
  id: string,
  secrets: Secrets,
): Promise<void> {
  await db
    .updateTable('tenants')
    .set({ ...secrets, modified: now })
    .where('id', '=', id)
    .execute()
}

export function listTenantRows({ db }: Context, range: PageRange): Promise<TenantRow[]> {
  return selectRange(db.selectFrom('tenants').selectAll(), range).execute()
}

export async function insertApiKey(
  db: Context['db'],
  key: Omit<ApiKeyRow, 'revoked' | 'last_used'>,
): Promise<void> {
  await db.insertInto('api_keys').values(key).execute()
}

/** Keys that are valid; revoked ones are absent. */
export function listApiKeyRows(
  { db }: Context,
  { tenant_id, created_by }: { tenant_id: string; created_by?: string | undefined },
  range: PageRange,
): Promise<ApiKeyRow[]> {
  const valid = db
    .selectFrom('api_keys')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('revoked', 'is', null)
  const found = created_by === undefined ? valid : valid.where('created_by', '=', created_by)
  return selectRange(found, range).execute()
}

export async function countApiKeys({ db }: Context, tenant_id: string): Promise<number> {
  const { count } = await db
    .selectFrom('api_keys')
    .select((row) => row.fn.countAll<bigint>().as('count'))
    .where('tenant_id', '=', tenant_id)
    .where('revoked', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The keys of one person, locked in the order of the list. */
export function findKeysOf(
  { db }: Tx,
  tenant_id: string,
  created_by: string,
): Promise<ApiKeyRow[]> {
  return db
    .selectFrom('api_keys')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('created_by', '=', created_by)
    .where('revoked', 'is', null)
    .orderBy('created', 'desc')
    .orderBy('id', 'desc')
    .forUpdate()
    .execute()
}

export async function updateKeysRevoked(
  { db, now }: Tx,
  tenant_id: string,
  created_by: string,
): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ revoked: now })
    .where('tenant_id', '=', tenant_id)
    .where('created_by', '=', created_by)
    .where('revoked', 'is', null)
    .execute()
}

/** False when the tenant has no such key, or it was revoked before. */
export async function updateApiKeyRevoked(
  { db, now }: Tx,
  tenant_id: string,
  id: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('api_keys')
    .set({ revoked: now })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .where('revoked', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Two processes that start at once do not both see that the operator has no key. */
export async function lockOperator({ db }: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('operator key', 0))`.execute(db)
}

export async function hasOperatorKey({ db }: Tx): Promise<boolean> {
  const row = await db
    .selectFrom('api_keys')
    .select('id')
    .where('tenant_id', 'is', null)
    .where('revoked', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** False, and counts nothing, if there would be more than `most` bytes. */
export async function upsertStoredBytes(
  { db, tenant_id }: Tx,
  bytes: bigint,
  most: number | undefined,
): Promise<boolean> {
  if (most !== undefined && bytes > most) return false
  const { rows } = await sql`
    insert into stored_bytes as s (tenant_id, bytes) values (${tenant_id}, ${bytes})
    on conflict (tenant_id) do update set bytes = s.bytes + excluded.bytes
    where s.bytes + excluded.bytes <= coalesce(${most ?? null}::bigint, s.bytes + excluded.bytes)
    returning bytes`.execute(db)
  return rows.length > 0
}

export async function updateStoredBytes({ db, tenant_id }: Tx, bytes: bigint): Promise<void> {
  await db
    .updateTable('stored_bytes')
    .set((row) => ({ bytes: row('bytes', '-', bytes) }))
    .where('tenant_id', '=', tenant_id)
    .execute()
}

export async function findStoredBytes({ db, tenant_id }: Context): Promise<bigint> {
  const row = await db
    .selectFrom('stored_bytes')
    .select('bytes')
    .where('tenant_id', '=', tenant_id)
    .executeTakeFirst()
  return row?.bytes ?? 0n
}

/** Tables whose rows the operator names by their ids alone. */
export type TableOfIds =
  | 'users'
  | 'identifications'
  | 'kyc_requests'
  | 'screening_matches'
  | 'cards'
  | 'disputes'

/** The tenants that use this id; two are enough to know that it is not one. */
export function listHolders(
  { db }: Context,
  table: TableOfIds,
  id: string,
  tenant_id: string | undefined,
): Promise<{ tenant_id: string; clock_offset_ms: bigint }[]> {
  return db
    .selectFrom('tenants')
    .select(['tenants.id as tenant_id', 'clock_offset_ms'])
    .where('tenants.id', 'in', (query) => {
      const held = query
        .selectFrom(table)
        .select(`${table}.tenant_id`)
        .where(`${table}.id`, '=', id)
      return tenant_id === undefined ? held : held.where(`${table}.tenant_id`, '=', tenant_id)
    })
    .limit(2)
    .execute()
}

/** How far a tenant's clock is ahead (D-70); undefined for a tenant that does not exist. */
export function findTenantClock(
  { db }: Context | Tx,
  tenant_id: string,
): Promise<{ id: string; clock_offset_ms: bigint } | undefined> {
  return db
    .selectFrom('tenants')
    .select(['id', 'clock_offset_ms'])
    .where('id', '=', tenant_id)
    .executeTakeFirst()
}

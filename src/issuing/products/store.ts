import { type Selectable, sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import { lockNames } from '#kit/db/locks.ts'
import type { Database } from '#kit/db/tables.ts'
import { Write } from '#kit/db/write.ts'
import { NO_TENANT } from '#kit/http/callers/callers.ts'
import { type PageRange, selectRange } from '#kit/http/lists.ts'
import type { ProductTerms, TermChanges } from './rules/terms.ts'

type Columns = Selectable<Database['card_products']>
/** The JSON columns hold what `columnsOf` wrote. */
export type ProductRow = Omit<Columns, keyof ProductTerms> & ProductTerms

const columnsOf = <Terms extends TermChanges>(terms: Terms) => {
  const { pin, auth_settings, charges, production, ...plain } = terms
  return {
    ...plain,
    pin: JSON.stringify(pin),
    auth_settings: JSON.stringify(auth_settings),
    charges: JSON.stringify(charges),
    ...(production !== undefined && {
      production: production === null ? null : JSON.stringify(production),
    }),
  }
}

/** Undefined when the id is taken. */
export function insertProduct(
  { db, tenant_id, now }: Tx,
  id: string,
  terms: ProductTerms,
): Promise<ProductRow | undefined> {
  return db
    .insertInto('card_products')
    .values({
      tenant_id,
      id,
      status: 'INACTIVE',
      ...columnsOf(terms),
      created: now,
      modified: now,
    })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'id']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

export function updateTerms(
  { db, tenant_id, now }: Tx,
  id: string,
  changes: TermChanges,
): Promise<ProductRow> {
  return db
    .updateTable('card_products')
    .set({ ...columnsOf(changes), modified: now, version: sql`version + 1` })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

const productById = ({ db, tenant_id }: Context, id: string) =>
  db.selectFrom('card_products').selectAll().where('tenant_id', '=', tenant_id).where('id', '=', id)

export function findProductRow(ctx: Context, id: string): Promise<ProductRow | undefined> {
  return productById(ctx, id).executeTakeFirst()
}

/** Locks the product against all transactions that rely on its terms. */
export function lockProduct(tx: Tx, id: string): Promise<ProductRow | undefined> {
  return productById(tx, id).forUpdate().executeTakeFirst()
}

/** Its terms cannot change until the transaction ends; others may issue under it meanwhile. */
export function lockProductShared(tx: Tx, id: string): Promise<ProductRow | undefined> {
  return productById(tx, id).forKeyShare().executeTakeFirst()
}

export function listProductRows(
  { db, tenant_id }: Context,
  range: PageRange,
): Promise<ProductRow[]> {
  const all = db.selectFrom('card_products').selectAll().where('tenant_id', '=', tenant_id)
  return selectRange(all, range).execute()
}

/** The first card of a product makes it ACTIVE; for later cards this writes nothing. */
export function updateProductActive({ db, tenant_id, now }: Tx, id: string): Write {
  const updated = db
    .updateTable('card_products')
    .set({ status: 'ACTIVE', modified: now, version: sql`version + 1` })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .where('status', '=', 'INACTIVE')
  return Write.of(db, updated)
}

/**
 * BINs that overlap have their first six digits in common: a transaction that claims or releases
 * one of them, or numbers under it, waits here until the other transaction has ended.
 */
export async function lockBins({ db }: Tx, bins: readonly string[]): Promise<void> {
  const ofAll = { db: db.overAllTenants(), tenant_id: NO_TENANT }
  await lockNames(
    ofAll,
    bins.map((bin) => `bins ${bin.slice(0, 6)}`),
  )
}

/** True when another tenant has this BIN, one that begins it or one that it begins. */
export async function isBinOfAnother({ db, tenant_id }: Tx, bin: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from bins where tenant_id <> ${tenant_id}
        and (starts_with(bin, ${bin}) or starts_with(${bin}, bin))
    ) as found`.execute(db.overAllTenants())
  return rows[0]?.found === true
}

export async function insertBin({ db, tenant_id }: Tx, bin: string): Promise<void> {
  await db
    .insertInto('bins')
    .values({ bin, tenant_id })
    .onConflict((conflict) => conflict.column('bin').doNothing())
    .execute()
}

/** Releases a BIN when no product of the tenant has it. The caller has locked the BIN. */
export async function deleteBinUnlessUsed({ db, tenant_id }: Tx, bin: string): Promise<void> {
  const product = await db
    .selectFrom('card_products')
    .select('id')
    .where('tenant_id', '=', tenant_id)
    .where('bin', '=', bin)
    .limit(1)
    .executeTakeFirst()
  if (product) return
  await db.deleteFrom('bins').where('tenant_id', '=', tenant_id).where('bin', '=', bin).execute()
}

/**
 * The name of another product of the tenant that has numbers of this range, also under a longer
 * or shorter BIN: both are compared as whole numbers without their check digits. The numbers of a
 * product's wallet tokens are all of their BIN.
 */
export async function findOverlap(
  { db, tenant_id }: Tx,
  id: string,
  { bin, pan_range_start, pan_range_end }: ProductTerms,
): Promise<string | undefined> {
  const [first, last] = [bin + pan_range_start, bin + pan_range_end]
  const row = await db
    .selectFrom('card_products')
    .select('name')
    .where('tenant_id', '=', tenant_id)
    .where(
      sql<boolean>`((id <> ${id} and bin || pan_range_start <= ${last}
          and bin || pan_range_end >= ${first})
        or (rpad(token_bin, length(${last}), '0') <= ${last}
          and rpad(token_bin, length(${first}), '9') >= ${first}))`,
    )
    .executeTakeFirst()
  return row?.name
}

/** True when any tenant has this BIN, one that begins it or one that it begins. */
export async function isBinTaken({ db }: Tx, bin: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from bins where starts_with(bin, ${bin}) or starts_with(${bin}, bin)
    ) as found`.execute(db.overAllTenants())
  return rows[0]?.found === true
}

/** Locks the product for a change that does not affect its terms. */
export function lockProductForTokens(tx: Tx, id: string): Promise<ProductRow | undefined> {
  return productById(tx, id).forNoKeyUpdate().executeTakeFirst()
}

export async function updateTokenBin(
  { db, tenant_id }: Tx,
  id: string,
  token_bin: string,
): Promise<void> {
  await db
    .updateTable('card_products')
    .set({ token_bin, version: sql`version + 1` })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .execute()
}

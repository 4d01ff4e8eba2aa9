/** Kept cards without their numbers, which are sealed in the vault of the acquirer. */

import type { Selectable } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import type { Database } from '#kit/db/tables.ts'
import { type PageRange, selectRange } from '#kit/http/lists.ts'

export type KeptCardRow = Selectable<Database['merchant_kept_cards']>

export async function insertKeptCard({ db }: Tx, row: KeptCardRow): Promise<void> {
  await db.insertInto('merchant_kept_cards').values(row).execute()
}

/** The customer's cards of a merchant, oldest first. */
export function listCustomerCards(
  { db, tenant_id }: Context,
  merchant_id: string,
  customer: string,
  limit: number,
): Promise<KeptCardRow[]> {
  return db
    .selectFrom('merchant_kept_cards')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('merchant_id', '=', merchant_id)
    .where('customer', '=', customer)
    .orderBy('created')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Newest first. */
export function listKeptCardRows(
  { db, tenant_id }: Context,
  { merchant_id, customer }: { merchant_id: string; customer: string | undefined },
  range: PageRange,
): Promise<KeptCardRow[]> {
  const found = db
    .selectFrom('merchant_kept_cards')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('merchant_id', '=', merchant_id)
    .$if(customer !== undefined, (query) => query.where('customer', '=', customer ?? ''))
  return selectRange(found, range).execute()
}

const ofMerchant = ({ db, tenant_id }: Context, merchant_id: string, id: string) =>
  db
    .selectFrom('merchant_kept_cards')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)

export function findKeptCard(
  ctx: Context,
  merchant_id: string,
  id: string,
): Promise<KeptCardRow | undefined> {
  return ofMerchant(ctx, merchant_id, id).executeTakeFirst()
}

export function lockKeptCard(
  tx: Tx,
  merchant_id: string,
  id: string,
): Promise<KeptCardRow | undefined> {
  return ofMerchant(tx, merchant_id, id).forUpdate().executeTakeFirst()
}

type Changes = Partial<Pick<KeptCardRow, 'brand' | 'expiry' | 'consent' | 'consented' | 'used'>>

/** The caller has locked the row, or the cards of its customer. */
export async function updateKeptCard(tx: Tx, id: string, changes: Changes): Promise<void> {
  await tx.db
    .updateTable('merchant_kept_cards')
    .set({ ...changes, modified: tx.now })
    .where('tenant_id', '=', tx.tenant_id)
    .where('id', '=', id)
    .execute()
}

/** False if there is none, or no longer one. */
export async function deleteKeptCardRow(
  { db, tenant_id }: Tx,
  { merchant_id, id, customer }: { merchant_id: string; id: string; customer?: string | undefined },
): Promise<boolean> {
  let found = db
    .deleteFrom('merchant_kept_cards')
    .where('tenant_id', '=', tenant_id)
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
  if (customer !== undefined) found = found.where('customer', '=', customer)
  const { numDeletedRows } = await found.executeTakeFirst()
  return numDeletedRows > 0n
}

import { type Selectable, sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import { plainArray, textArray } from '#kit/db/arrays.ts'
import type { Database } from '#kit/db/tables.ts'
import { type PageRange, selectRange } from '#kit/http/lists.ts'

export type StopOrderRow = Selectable<Database['stop_orders']>

/** Undefined when the id is taken. The caller has locked the first card of the chain. */
export function insertStopOrder(
  { db, tenant_id, now }: Tx,
  order: Pick<StopOrderRow, 'id' | 'card_id' | 'chain_id' | 'merchant_id'>,
): Promise<StopOrderRow | undefined> {
  return db
    .insertInto('stop_orders')
    .values({ tenant_id, ...order, created: now })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'id']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** How many orders the chain has, and whether one is for the merchant. */
export async function countStopOrders(
  { db, tenant_id }: Tx,
  chain_id: string,
  merchant_id: string,
): Promise<{ count: number; exists: boolean }> {
  const row = await db
    .selectFrom('stop_orders')
    .select((of) => [
      of.fn.countAll<bigint>().as('count'),
      sql<boolean>`coalesce(bool_or(merchant_id = ${merchant_id}), false)`.as('exists'),
    ])
    .where('tenant_id', '=', tenant_id)
    .where('chain_id', '=', chain_id)
    .executeTakeFirstOrThrow()
  return { count: Number(row.count), exists: row.exists }
}

/** An order of the chain that the card is in. */
export function findStopOrderRow(
  { db, tenant_id }: Context,
  card_id: string,
  id: string,
): Promise<StopOrderRow | undefined> {
  return db
    .selectFrom('stop_orders')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .where('chain_id', '=', (of) =>
      of
        .selectFrom('cards')
        .select('chain_id')
        .where('tenant_id', '=', tenant_id)
        .where('id', '=', card_id),
    )
    .executeTakeFirst()
}

export function listStopOrderRows(
  { db, tenant_id }: Context,
  chain_id: string,
  range: PageRange,
): Promise<StopOrderRow[]> {
  const ofChain = db
    .selectFrom('stop_orders')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('chain_id', '=', chain_id)
  return selectRange(ofChain, range).execute()
}

/** False if the chain has no such order. */
export async function deleteStopOrderRow(
  { db, tenant_id }: Tx,
  chain_id: string,
  id: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('stop_orders')
    .where('tenant_id', '=', tenant_id)
    .where('chain_id', '=', chain_id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

/** A recurring payment: the card, and the merchant that asks for it. */
export type CardPayment = { card_id: string; merchant_id: string }

/** The payments among these that an order of the card's chain stops. */
export async function listStopped(
  { db, tenant_id }: Context,
  payments: readonly CardPayment[],
): Promise<CardPayment[]> {
  const { rows } = await sql<CardPayment>`
    select given.card_id, given.merchant_id
    from unnest(${plainArray(payments.map(({ card_id }) => card_id))}::uuid[],
      ${textArray(payments.map(({ merchant_id }) => merchant_id))}::text[])
      as given (card_id, merchant_id)
    cross join lateral (
      select chain_id from cards where tenant_id = ${tenant_id} and id = given.card_id limit 1) c
    cross join lateral (
      select from stop_orders where tenant_id = ${tenant_id} and chain_id = c.chain_id
        and merchant_id = given.merchant_id limit 1) s`.execute(db)
  return rows
}

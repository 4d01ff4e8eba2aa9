/** The cards that a bureau is to make, by portions: for the slice of their orders (D-1020). */

import { sql } from 'kysely'
import { emit } from '#events/outbox.ts'
import type { Tx } from '#kit/context.ts'
import { plainArray } from '#kit/db/arrays.ts'
import { dueBy } from '#kit/jobs/due_work.ts'
import { embossingDue } from './due.ts'
import { deliveryStatusChanged } from './events.ts'
import { asWritten, type CardColumns, type StoredCard } from './store.ts'
import { updateCardsOrdered } from './sweeps_store.ts'

/** Cards that wait for their order. */
const WAITING = sql`fulfillment_status = 'CREATED' and status <> 'TERMINATED'
  and emboss_due is not null`

/**
 * At most so many cards that are due, locked, of the product whose card is due longest. Those that
 * another transaction has locked are left to the next run.
 */
export async function lockCardsDue(tx: Tx, most: number): Promise<StoredCard[]> {
  const { db, tenant_id, now } = tx
  const due = sql`tenant_id = ${tenant_id} and ${WAITING} and emboss_due <= ${now}`
  const { rows } = await sql<CardColumns>`
    select * from cards
    where ${due} and card_product_id = (
      select card_product_id from cards where ${due} order by emboss_due, id limit 1)
    order by emboss_due, id limit ${most} for no key update skip locked`.execute(db)
  return rows.map(asWritten)
}

/** The cards, locked by the caller, belong to the batch and wait no longer. */
export async function updateCardsCollected(
  { db, tenant_id, now }: Tx,
  card_order_id: string,
  ids: readonly string[],
): Promise<void> {
  await sql`
    update cards set card_order_id = ${card_order_id}, ordered_by_file = true, emboss_due = null,
      modified = ${now}
    where tenant_id = ${tenant_id} and id = any (${plainArray(ids)}::uuid[])`.execute(db)
}

/** All cards that wait are due now; returns how many there are. */
export async function updateCardsDue(tx: Tx, card_product_id: string | undefined): Promise<number> {
  const { db, tenant_id, now } = tx
  const ofProduct =
    card_product_id === undefined ? sql`` : sql`and card_product_id = ${card_product_id}`
  const [, { numAffectedRows = 0n }] = await Promise.all([
    dueBy(tx, embossingDue, now),
    sql`
      update cards set emboss_due = ${now}
      where tenant_id = ${tenant_id} and ${WAITING} ${ofProduct}`.execute(db),
  ])
  return Number(numAffectedRows)
}

/**
 * The cards become ORDERED and report it; returns how many. Those that another transaction has
 * locked are left to the next run.
 */
export async function orderCards(tx: Tx, ids: readonly string[]): Promise<number> {
  const ordered = await updateCardsOrdered(tx, ids)
  const events = ordered.map(({ card, was }) => deliveryStatusChanged(was, card))
  if (events.length > 0) await emit(tx, ...events)
  return ordered.length
}

/** Locks cards until the transaction ends, before their PINs are written. */
export async function lockCardsById({ db, tenant_id }: Tx, ids: readonly string[]): Promise<void> {
  await sql`
    select id from cards where tenant_id = ${tenant_id} and id = any (${plainArray(ids)}::uuid[])
    order by id for no key update`.execute(db)
}

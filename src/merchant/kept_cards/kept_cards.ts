/**
 * Public functions of the cards that a shop keeps for its customers (D-770): kept by the customer's
 * consent after an approved payment, used for later payments, and deleted on request.
 */

import { type Context, type Tx, transact } from '#kit/context.ts'
import { lockNames, sharedName } from '#kit/db/locks.ts'
import { listPage } from '#kit/http/lists.ts'
import { isSameText } from '#lib/digest.ts'
import { newId } from '#lib/id.ts'
import type { Page } from '#lib/paging.ts'
import { ApiError } from '#lib/result.ts'
import { type Card, deleteCard, findCard, insertCard } from '#merchant/acquirer/acquirer.ts'
import { presentKeptCard } from './present.ts'
import { brandOf, isExpired, KEPT_MAX } from './rules.ts'
import type { DeletedKeptCard, KeptCard, KeptCardsQuery } from './schema.ts'
import {
  deleteKeptCardRow,
  findKeptCard,
  insertKeptCard,
  type KeptCardRow,
  listCustomerCards,
  listKeptCardRows,
  lockKeptCard,
  updateKeptCard,
} from './store.ts'

/** A card as the payment page offers it. `expiry` is YYMM. */
export type OfferedCard = Pick<KeptCardRow, 'id' | 'brand' | 'last_four' | 'expiry'> & {
  is_expired: boolean
}

/** The cards of a customer, oldest first: at most KEPT_MAX. */
export async function offeredCards(
  ctx: Context,
  merchant_id: string,
  customer: string,
): Promise<OfferedCard[]> {
  const rows = await listCustomerCards(ctx, merchant_id, customer, KEPT_MAX)
  return rows.map(({ id, brand, last_four, expiry }) => ({
    id,
    brand,
    last_four,
    expiry,
    is_expired: isExpired(expiry, ctx.now),
  }))
}

type Keeping = {
  merchant_id: string
  customer: string
  /** The authorization that was approved: its sealed card is copied. */
  authorization_id: string
  consent: string
}

/**
 * Keeps the card of an approved payment, in the transaction that records it. A number that the
 * customer has there already stays one kept card, with the new expiry date and consent (D-772).
 * Nothing is kept beyond KEPT_MAX.
 */
export async function keepCard(tx: Tx, keeping: Keeping): Promise<void> {
  const { merchant_id, customer, authorization_id, consent } = keeping
  await lockNames(tx, [sharedName('kept cards', `${merchant_id} ${customer}`)])
  const [card, kept] = await Promise.all([
    findCard(tx, authorization_id),
    listCustomerCards(tx, merchant_id, customer, KEPT_MAX),
  ])
  if (!card) throw new Error('the card of an authorization is missing')
  const pan = card.pan.reveal()
  const agreed = { expiry: card.expiry, consent, consented: tx.now }
  const same = await findSame(tx, kept, card)
  if (same) {
    await deleteCard(tx, same.id)
    await insertCard(tx, same.id, card).start()
    await updateKeptCard(tx, same.id, agreed)
    return
  }
  if (kept.length >= KEPT_MAX) return
  const id = newId()
  await insertCard(tx, id, card).start()
  await insertKeptCard(tx, {
    tenant_id: tx.tenant_id,
    id,
    merchant_id,
    customer,
    brand: brandOf(pan),
    last_four: pan.slice(-4),
    ...agreed,
    used: tx.now,
    created: tx.now,
    modified: tx.now,
  })
}

/** The kept card of the same number, locked. Only cards with its last digits are opened. */
async function findSame(
  tx: Tx,
  kept: readonly KeptCardRow[],
  { pan }: Card,
): Promise<KeptCardRow | undefined> {
  const number = pan.reveal()
  for (const { id, merchant_id, last_four } of kept) {
    if (last_four !== number.slice(-4)) continue
    // A deletion meanwhile leaves none to be the same.
    const row = await lockKeptCard(tx, merchant_id, id)
    const card = row && (await findCard(tx, id))
    if (card && isSameText(card.pan.reveal(), number)) return row
  }
  return undefined
}

/** `customer` restricts it to cards of this customer. */
type Named = { merchant_id: string; id: string; customer?: string | undefined }

const isOf = (row: KeptCardRow, customer: string | undefined): boolean =>
  customer === undefined || row.customer === customer

/**
 * The number and expiry date of a kept card for one payment, in the transaction that records it: no
 * payment begins with a card that is deleted. Undefined if there is none.
 */
export async function takeKeptCard(
  tx: Tx,
  { merchant_id, id, customer }: Named,
): Promise<Card | undefined> {
  const row = await lockKeptCard(tx, merchant_id, id)
  const card = row && isOf(row, customer) ? await findCard(tx, id) : undefined
  if (!card) return undefined
  await updateKeptCard(tx, id, { used: tx.now })
  return card
}

/** The same without a payment, for the kept card that the form of the payment page names. */
export async function openKeptCard(
  ctx: Context,
  { merchant_id, id, customer }: Named,
): Promise<Card | undefined> {
  const row = await findKeptCard(ctx, merchant_id, id)
  return row && isOf(row, customer) ? findCard(ctx, id) : undefined
}

/**
 * Deletes a kept card with its sealed number. A payment that is under way with it goes on, and an
 * order that it paid is captured and refunded, with the copy of that payment (D-774). False if
 * there is none.
 */
export async function removeKeptCard(tx: Tx, of: Named): Promise<boolean> {
  if (!(await deleteKeptCardRow(tx, of))) return false
  await deleteCard(tx, of.id)
  return true
}

/** The kept cards of the calling merchant, newest first. */
export async function listKeptCards(
  ctx: Context,
  { limit, after, customer }: KeptCardsQuery,
): Promise<Page<KeptCard>> {
  const page = await listPage('kept_cards', { limit, after }, (range) =>
    listKeptCardRows(ctx, { merchant_id: ctx.actor.id, customer }, range),
  )
  return { ...page, data: page.data.map((row) => presentKeptCard(row, ctx.now)) }
}

export async function getKeptCard(ctx: Context, id: string): Promise<KeptCard> {
  const row = await findKeptCard(ctx, ctx.actor.id, id)
  if (!row) throw new ApiError('not_found')
  return presentKeptCard(row, ctx.now)
}

export function deleteKeptCard(ctx: Context, id: string): Promise<DeletedKeptCard> {
  return transact(ctx, async (tx) => {
    const removed = await removeKeptCard(tx, { merchant_id: tx.actor.id, id })
    if (!removed) throw new ApiError('not_found')
    return { id, deleted: true }
  })
}

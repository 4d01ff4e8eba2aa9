/** Front door of cards: one exported function per thing that can be done to a card. */

import { faultsOfLists, findProduct, mergeAuthSettings } from '#issuing/products/products.ts'
import { readSettings } from '#issuing/tenants/tenants.ts'
import { cvv2Of, keySets, revealNumber } from '#issuing/vault/vault.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { emit } from '#kit/outbox.ts'
import { decodeCursor, LIMIT_DEFAULT, type Page, pageOf } from '#lib/pages.ts'
import { obey, Refusal } from '#lib/ruling.ts'
import type { Secret } from '#lib/secret.ts'
import { cardStatusChange } from './events.ts'
import { mergeShipping } from './rules/shipping.ts'
import { type Mover, ruleOnStatusChange } from './rules/status.ts'
import type { CardAuthSettingsInput, CardChanges, CardQuery, StatusChange } from './schema.ts'
import { type CardRow, lockCard, saveCard, selectOne, selectPage } from './store.ts'

export { auditCards } from './audit.ts'
export { createCard } from './create.ts'
export type { CardRow } from './store.ts'

/** A card of the tenant; refuses with `not_found`. */
export async function findCard(ctx: Context | Tx, id: string): Promise<CardRow> {
  const card = await selectOne(ctx, id)
  if (!card) throw new Refusal('not_found')
  return card
}

/** A card of the tenant, locked until the transaction ends; refuses with `not_found`. */
export async function holdCard(tx: Tx, id: string): Promise<CardRow> {
  const card = await lockCard(tx, id)
  if (!card) throw new Refusal('not_found')
  return card
}

/** Newest first, with the filters of D-30. */
export async function listCards(
  ctx: Context,
  { limit = LIMIT_DEFAULT, after, ...filter }: CardQuery,
): Promise<Page<CardRow>> {
  const key = after === undefined ? undefined : decodeCursor(after)
  if (after !== undefined && !key) throw new Refusal('cursor_invalid')
  const rows = await selectPage(ctx, filter, limit + 1, key)
  return pageOf(rows, limit, ({ created, id }) => ({ created: created.toISOString(), id }))
}

/** Changes what is sent; `null` clears, and details of shipping merge member by member. */
export function updateCard(ctx: Context | Tx, id: string, given: CardChanges): Promise<CardRow> {
  return transact(ctx, async (tx) => {
    const before = await lockLiving(tx, id)
    const { shipping, faults } = mergeShipping(before.shipping_details, given.shipping_details)
    const errors = [...faults, ...faultsOfLists(given)]
    if (errors.length > 0) throw new Refusal('validation_failed', { errors })
    return saveCard(tx, { ...before, ...given, shipping_details: shipping })
  })
}

/** Changes the card's own switches, amounts and lists (D-33, D-104); `null` clears. */
export function changeAuthSettings(
  ctx: Context | Tx,
  id: string,
  { allowed_countries_id, allowed_mccs_id, allowed_merchants_id, ...given }: CardAuthSettingsInput,
): Promise<CardRow> {
  const lists = {
    ...(allowed_countries_id !== undefined && { allowed_countries_id }),
    ...(allowed_mccs_id !== undefined && { allowed_mccs_id }),
    ...(allowed_merchants_id !== undefined && { allowed_merchants_id }),
  }
  return transact(ctx, async (tx) => {
    const before = await lockLiving(tx, id)
    const { currency } = await findProduct(tx, before.card_product_id)
    const currencies = { from: currency, to: currency, prefix: '' }
    const { settings, faults } = mergeAuthSettings(before.auth_settings, given, currencies)
    const errors = [...faults, ...faultsOfLists(lists)]
    if (errors.length > 0) throw new Refusal('validation_failed', { errors })
    return saveCard(tx, { ...before, ...lists, auth_settings: settings })
  })
}

/**
 * Moves a card to another status as the table of rules/status.ts has it for who asks, and reports
 * it. Refuses with `card_terminated` and `card_status_move_refused`.
 */
export function changeCardStatus(
  ctx: Context | Tx,
  id: string,
  { note, ...wanted }: StatusChange,
): Promise<CardRow> {
  return transact(ctx, async (tx) => {
    const before = await holdCard(tx, id)
    const state = obey(ruleOnStatusChange(before, wanted, moverOf(tx)))

    const after = await saveCard(tx, { ...before, ...state })
    await emit(tx, cardStatusChange(before, after, note))
    return after
  })
}

export type RevealedCard = { id: string; card_number: Secret; expiry_date: string; cvv2: Secret }

/** The number and the CVV2, for tenants that are PCI compliant only (D-30). */
export async function revealCard(ctx: Context, id: string): Promise<RevealedCard> {
  const { pci_compliant } = await readSettings(ctx)
  if (!pci_compliant) throw new Refusal('pci_compliance_required')
  return readCardData(ctx, await findCard(ctx, id))
}

/** Number and CVV2 for the cardholder's own eyes: the operator's widget shows them (D-40). */
export async function readCardData(ctx: Context | Tx, card: CardRow): Promise<RevealedCard> {
  const { card_product_id, expiry_date } = card
  const [card_number, sets] = await Promise.all([
    revealNumber(ctx, card.id),
    keySets(ctx, [card_product_id]),
  ])
  const keySet = sets.get(card_product_id)
  if (!keySet) throw new Error(`card product ${card_product_id} has no keys`)
  const cvv2 = cvv2Of(keySet, card_number, expiry_date)
  return { id: card.id, card_number, expiry_date, cvv2 }
}

/** A terminated card stays as it was: nothing of it can have an effect any more. */
async function lockLiving(tx: Tx, id: string): Promise<CardRow> {
  const card = await holdCard(tx, id)
  if (card.status === 'TERMINATED') throw new Refusal('card_terminated')
  return card
}

function moverOf({ actor }: Context): Mover {
  return actor.kind === 'operator' || actor.kind === 'system' ? actor.kind : 'client'
}

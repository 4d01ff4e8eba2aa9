/** Public functions of cards: one for each action on a card. */

import { faultsOfLists } from '#issuing/lists/lists.ts'
import { findProduct, mergeAuthSettings } from '#issuing/products/products.ts'
import type { ListIdsInput } from '#issuing/products/schema.ts'
import { readSettings } from '#issuing/tenants/tenants.ts'
import { cvv2Of, keySets, revealNumber } from '#issuing/vault/vault.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { listPage } from '#kit/http/lists.ts'
import type { Page } from '#lib/paging.ts'
import { ApiError, ok, type Result, unwrap } from '#lib/result.ts'
import { countDetails } from './details_shown.ts'
import { findCard, lockCard } from './find.ts'
import { beginMigration } from './migration.ts'
import { presentCard, type RevealedCard } from './present.ts'
import { checkName } from './rules/name.ts'
import { mergeShipping } from './rules/shipping.ts'
import { isMigrating } from './rules/status.ts'
import {
  Card,
  type CardAuthSettingsInput,
  type CardChanges,
  type CardQuery,
  type CardType,
} from './schema.ts'
import { type CardRow, listCardRows, listChain, updateCardRow } from './store.ts'

export { auditCards } from './audit.ts'
export { countDetails } from './details_shown.ts'
export { blocksDue, embossingDue } from './due.ts'
export { findCard, lockCard } from './find.ts'
export { changeFulfillment, changeFulfillmentAsOperator } from './fulfillment.ts'
export {
  type BatchTerms,
  batchTerms,
  type CardBatch,
  issueBatch,
  listFulfillmentOfBulks,
} from './issuance/batch.ts'
export { createCard, createCardInList } from './issuance/create.ts'
export { linkCard } from './link.ts'
export {
  lockCardsById,
  lockCardsDue,
  orderCards,
  updateCardsCollected,
  updateCardsDue,
} from './ordering.ts'
export type { RevealedCard } from './present.ts'
export { blockCardProvisioning, countProvisioningFailure } from './provisioning.ts'
export { checkFulfillment } from './rules/fulfillment.ts'
export { checkName as checkNameOnCard } from './rules/name.ts'
export { type Settings as CardSettings, settingsInForce } from './rules/settings.ts'
export { changeCardStatus, changeCardStatusAsOperator } from './status.ts'
export { type CardRow, lockCardRow, type StoredCard } from './store.ts'

/** Newest first, with the filters of D-30. */
export function listCards(ctx: Context, query: CardQuery): Promise<Page<CardRow>> {
  return listPage('cards', query, (range) => listCardRows(ctx, query, range))
}

/** A card as the object that requests of other paths than its own change. */
export const cardObject = {
  schema: Card,
  read: async (tx: Tx, { params }: { params: { id: string } }) =>
    presentCard(await lockCard(tx, params.id)),
}

/**
 * The cards that replaced one another, including this one, oldest first. A payment that is counted
 * for one of them counts for all (D-36).
 */
export function chainOf(ctx: Context | Tx, { chain_id }: CardRow): Promise<CardRow[]> {
  return listChain(ctx, chain_id)
}

/**
 * Changes what is sent; `null` clears, and shipping details merge member by member.
 * The lists of a card in migration do not change.
 */
export function updateCard(
  ctx: Context | Tx,
  id: string,
  { change_to_physical = false, ...changes }: CardChanges,
): Promise<CardRow> {
  return transact(ctx, async (tx) => {
    const before = await lockUnlessTerminated(tx, id)
    if (Object.keys(listsIn(changes)).length > 0) assertNotMigrating(before)
    const { shipping, faults } = mergeShipping(before.shipping_details, changes.shipping_details)
    const isPhysical = change_to_physical || before.card_type === 'PHYSICAL' || isMigrating(before)
    const name = nameAfter(before, changes, isPhysical ? 'PHYSICAL' : 'VIRTUAL')
    const ofName = name.ok ? [] : (name.errors ?? [])
    const errors = [...faults, ...ofName, ...(await faultsOfLists(tx, changes))]
    if (errors.length > 0) throw new ApiError('validation_failed', { errors })
    const named = { name_on_card: unwrap(name), shipping_details: shipping }
    const changed = { ...before, ...changes, ...named }
    return change_to_physical ? beginMigration(tx, changed) : updateCardRow(tx, changed)
  })
}

/** Checks a name that is sent; the name that the card had stays as it is. */
function nameAfter(
  before: CardRow,
  { name_on_card }: CardChanges,
  card_type: CardType,
): Result<string | null, 'validation_failed'> {
  if (typeof name_on_card === 'string') return checkName(name_on_card, card_type)
  return ok(name_on_card === undefined ? before.name_on_card : null)
}

/** Changes the card's own switches, amounts and lists (D-33, D-104); `null` clears. */
export function changeAuthSettings(
  ctx: Context | Tx,
  id: string,
  changes: CardAuthSettingsInput,
): Promise<CardRow> {
  return transact(ctx, async (tx) => {
    const before = await lockUnlessTerminated(tx, id)
    assertNotMigrating(before)
    const lists = listsIn(changes)
    const { currency } = await findProduct(tx, before.card_product_id)
    const currencies = { from: currency, to: currency, prefix: '' }
    const { settings, faults } = mergeAuthSettings(before.auth_settings, changes, currencies)
    const errors = [...faults, ...(await faultsOfLists(tx, lists))]
    if (errors.length > 0) throw new ApiError('validation_failed', { errors })
    return updateCardRow(tx, { ...before, ...lists, auth_settings: settings })
  })
}

/** The number and the CVV2, for tenants that are PCI compliant only (D-30). */
export function revealCard(ctx: Context | Tx, id: string): Promise<RevealedCard> {
  return transact(ctx, async (tx) => {
    const settings = await readSettings(tx)
    if (!settings.pci_compliant) throw new ApiError('pci_compliance_required')
    const card = await findCard(tx, id)
    const [data] = await Promise.all([readCardData(tx, card), countDetails(tx, settings)])
    return data
  })
}

/** Number and CVV2 for the cardholder: the operator's widget shows them (D-40). */
export async function readCardData(ctx: Context | Tx, card: CardRow): Promise<RevealedCard> {
  const { card_product_id, expiry_date } = card
  const [card_number, sets] = await Promise.all([
    revealNumber(ctx, card.id),
    keySets(ctx, [card_product_id]),
  ])
  const keySet = sets.get(card_product_id)
  if (!keySet) throw new Error(`card product ${card_product_id} has no keys`)
  const cvv2 = await cvv2Of(ctx, keySet, card_number, expiry_date)
  return { id: card.id, card_number, expiry_date, cvv2 }
}

/** The list ids that were sent: an id sets a list, null clears it. */
function listsIn({ allowed_countries_id, allowed_mccs_id, allowed_merchants_id }: ListIdsInput) {
  return {
    ...(allowed_countries_id !== undefined && { allowed_countries_id }),
    ...(allowed_mccs_id !== undefined && { allowed_mccs_id }),
    ...(allowed_merchants_id !== undefined && { allowed_merchants_id }),
  }
}

/** Its settings are frozen until the migration has ended (D-32). */
function assertNotMigrating(card: CardRow): void {
  if (isMigrating(card)) throw new ApiError('card_migrating')
}

/** A terminated card cannot be changed: no setting of it has an effect. */
async function lockUnlessTerminated(tx: Tx, id: string): Promise<CardRow> {
  const card = await lockCard(tx, id)
  if (card.status === 'TERMINATED') throw new ApiError('card_terminated')
  return card
}

/** A new card: its settings, with every fault of them, and its row. */

import { mergeAuthSettings, type ProductRow } from '#issuing/products/products.ts'
import type { UserRow } from '#issuing/users/users.ts'
import type { IssuedNumber } from '#issuing/vault/vault.ts'
import type { Tx } from '#kit/context.ts'
import { ok, type Result } from '#lib/result.ts'
import { endOfMonth } from '#lib/time.ts'
import type { InitialFulfillment } from '../fulfillment.ts'
import { initialStatus } from '../rules/issue.ts'
import { checkName, defaultName } from '../rules/name.ts'
import { mergeShipping } from '../rules/shipping.ts'
import type { NewCard } from '../schema.ts'
import type { CardRow } from '../store.ts'

/**
 * The settings of the new card with every fault; a replacement begins with those of the old card.
 * Without a product the amounts are not checked, because the product names their currency; without
 * a user no name is made of the user's.
 */
export function cardSettings(
  input: NewCard,
  old: CardRow | undefined,
  product: ProductRow | undefined,
  user: UserRow | undefined,
) {
  const merged = product
    ? mergeAuthSettings(old?.auth_settings ?? {}, input.auth_settings ?? {}, {
        from: product.currency,
        to: product.currency,
        prefix: 'auth_settings.',
      })
    : { settings: {}, faults: [] }
  const shipping = mergeShipping(old?.shipping_details ?? null, input.shipping_details)
  const name = nameOf(input, old, user)
  const ofName = (name.ok ? [] : (name.errors ?? [])).map((fault) => ({
    ...fault,
    rests_on: ['card_type'],
  }))
  return {
    faults: [...merged.faults, ...shipping.faults, ...ofName],
    name_on_card: name.ok ? name.value : null,
    delivery_method: input.delivery_method ?? old?.delivery_method ?? null,
    allowed_countries_id: listId(input.allowed_countries_id, old?.allowed_countries_id),
    allowed_mccs_id: listId(input.allowed_mccs_id, old?.allowed_mccs_id),
    allowed_merchants_id: listId(input.allowed_merchants_id, old?.allowed_merchants_id),
    velocity_limit_ids: old?.velocity_limit_ids ?? [],
    shipping_details: shipping.shipping,
    auth_settings: merged.settings,
  }
}

function nameOf(
  { name_on_card, card_type }: NewCard,
  old: CardRow | undefined,
  user: UserRow | undefined,
): Result<string | null, 'validation_failed'> {
  if (typeof name_on_card === 'string') return checkName(name_on_card, card_type)
  return user ? defaultName(old?.name_on_card ?? null, user, card_type) : ok(null)
}

/** The list that is sent, or that of the card to replace; null names none. */
const listId = (sent: string | null | undefined, before: string | null | undefined) =>
  (sent === undefined ? before : sent)?.toLowerCase() ?? null

type NewCardParts = {
  id: string
  input: Pick<NewCard, 'card_type'>
  product: ProductRow
  user: UserRow
  old: CardRow | undefined
  settings: Omit<ReturnType<typeof cardSettings>, 'faults'>
  expiry_date: string
  fulfillment: InitialFulfillment
  account_id: string | null
  number: IssuedNumber
}

/** The row of a new card, as the database will have it. */
export function newCardRow({ tenant_id, now }: Tx, parts: NewCardParts): CardRow {
  const { id, input, product, user, old, settings, expiry_date, account_id, number } = parts
  return {
    tenant_id,
    id,
    user_id: user.id,
    card_product_id: product.id,
    account_id,
    card_type: input.card_type,
    currency: product.currency,
    created: now,
    modified: now,
    ...initialStatus(product, input.card_type),
    ...settings,
    bin: number.bin,
    last_four: number.last_four,
    expiry_date,
    valid_until: endOfMonth(expiry_date),
    ...parts.fulfillment,
    card_order_id: null,
    ordered_by_file: true,
    reference_card_id: old?.id ?? null,
    chain_id: old?.chain_id ?? id,
    replaced_by_card_id: null,
    bulk_issuance_id: null,
    migration_started: null,
    migration_ends: null,
    frozen_settings: null,
    delivery_partner: null,
    tracking_number: null,
    provisioning_failures: 0,
    provisioning_blocked_until: null,
    terminated_by_operator: false,
  }
}

/** The authorization settings in force for a card: present or frozen ones (D-32, D-33). */

import type { StoredAuthSettings } from '#issuing/products/schema.ts'
import { isMigrating } from './status.ts'

/** Settings of the product or of the card: amounts in minor units of the product's currency. */
export type SettingsLayer = {
  auth_settings: StoredAuthSettings
  allowed_countries_id: string | null
  allowed_mccs_id: string | null
  allowed_merchants_id: string | null
}
/** Both must allow; the product is checked first (D-33). */
export type Settings = { product: SettingsLayer; card: SettingsLayer }

type Card = SettingsLayer & { status_reason_code: string; frozen_settings: Settings | null }

/** The present settings, in the form in which they are frozen. */
export const settingsNow = (card: SettingsLayer, product: SettingsLayer): Settings => ({
  product: layerOf(product),
  card: layerOf(card),
})

/**
 * The settings that an authorization is checked against: during a migration those of card and
 * product at its start.
 */
export function settingsInForce(card: Card, product: SettingsLayer): Settings {
  const frozen = isMigrating(card) ? card.frozen_settings : null
  return frozen ?? settingsNow(card, product)
}

function layerOf(of: SettingsLayer): SettingsLayer {
  const { auth_settings, allowed_countries_id, allowed_mccs_id, allowed_merchants_id } = of
  return { auth_settings, allowed_countries_id, allowed_mccs_id, allowed_merchants_id }
}

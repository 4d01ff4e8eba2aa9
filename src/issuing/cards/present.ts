/** Makes API answers of stored cards: numbers masked, amounts in major units. */

import { presentStoredAuthSettings } from '#issuing/products/products.ts'
import type { Secret } from '#lib/secret.ts'
import type { CardRow } from './store.ts'

export type RevealedCard = { id: string; card_number: Secret; expiry_date: string; cvv2: Secret }

/** The first six digits and the last four; the others are not in this process. */
const masked = ({ bin, last_four }: CardRow) => `${bin.slice(0, 6)}******${last_four}`

export function presentCard(row: CardRow) {
  return {
    ...row,
    masked_card_number: masked(row),
    auth_settings: presentStoredAuthSettings(row.auth_settings, row.currency),
  }
}

export type PresentedCard = ReturnType<typeof presentCard>

/** The settings of the card and its three lists (D-104). */
export function presentAuthSettings(row: CardRow) {
  const { auth_settings, ...card } = presentCard(row)
  const { allowed_countries_id, allowed_mccs_id, allowed_merchants_id } = card
  return { ...auth_settings, allowed_countries_id, allowed_mccs_id, allowed_merchants_id }
}

/** The only place that puts the full card number into an answer. */
export function presentRevealed({ id, card_number, expiry_date, cvv2 }: RevealedCard) {
  return { id, card_number: card_number.reveal(), expiry_date, cvv2: cvv2.reveal() }
}

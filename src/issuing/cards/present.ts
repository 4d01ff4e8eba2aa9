/** How a stored card is shown: of its number what may be seen, amounts in major units. */

import { currenciesOf, presentStoredAuthSettings } from '#issuing/products/products.ts'
import type { Context } from '#kit/context.ts'
import type { RevealedCard } from './cards.ts'
import type { CardRow } from './store.ts'

/** The first six digits and the last four; those between are not even in this process. */
const masked = ({ bin, last_four }: CardRow) => `${bin.slice(0, 6)}******${last_four}`

export async function presentCards(ctx: Context, rows: readonly CardRow[]) {
  const products = rows.map(({ card_product_id }) => card_product_id)
  const currencyOf = await currenciesOf(ctx, products)
  return rows.map((row) => ({
    ...row,
    masked_card_number: masked(row),
    auth_settings: presentStoredAuthSettings(row.auth_settings, currencyOf(row.card_product_id)),
  }))
}

export async function presentCard(ctx: Context, row: CardRow) {
  const [shown] = await presentCards(ctx, [row])
  if (!shown) throw new Error('one row shows as one card')
  return shown
}

export type ShownCard = Awaited<ReturnType<typeof presentCard>>

/** The card's own settings with its three lists beside them (D-104). */
export async function presentAuthSettings(ctx: Context, row: CardRow) {
  const { auth_settings, ...card } = await presentCard(ctx, row)
  const { allowed_countries_id, allowed_mccs_id, allowed_merchants_id } = card
  return { ...auth_settings, allowed_countries_id, allowed_mccs_id, allowed_merchants_id }
}

/** The only place where a number leaves in clear. */
export function presentRevealed({ id, card_number, expiry_date, cvv2 }: RevealedCard) {
  return { id, card_number: card_number.reveal(), expiry_date, cvv2: cvv2.reveal() }
}

/** Starts the migration of a virtual card to a physical one (D-32); see rules/moves.ts. */

import { findProduct } from '#issuing/products/products.ts'
import { findUser } from '#issuing/users/users.ts'
import type { Tx } from '#kit/context.ts'
import { unwrap } from '#lib/result.ts'
import { addDays } from '#lib/time.ts'
import { toBeMade } from './fulfillment.ts'
import { defaultName } from './rules/name.ts'
import { settingsNow } from './rules/settings.ts'
import { checkMigration } from './rules/status.ts'
import { changeCardState } from './status.ts'
import type { CardRow } from './store.ts'

/**
 * The card stays usable under the settings of this moment, until the migration is completed (A0) or
 * the product's days have passed. The card is locked.
 */
export async function beginMigration(tx: Tx, card: CardRow): Promise<CardRow> {
  const state = unwrap(checkMigration(card))
  const product = await findProduct(tx, card.card_product_id)
  const begun = {
    ...card,
    name_on_card: await nameToEmboss(tx, card),
    ...(await toBeMade(tx)),
    card_order_id: null,
    ordered_by_file: true,
    migration_started: tx.now,
    migration_ends: addDays(tx.now, product.virtual_to_physical_expiry_duration),
    frozen_settings: settingsNow(card, product),
  }
  return changeCardState(tx, begun, state)
}

/** The name of the virtual card if it can be embossed, otherwise the name of its holder. */
async function nameToEmboss(tx: Tx, { name_on_card, user_id }: CardRow): Promise<string | null> {
  const own = defaultName(name_on_card, undefined, 'PHYSICAL')
  if (own.ok || user_id === null) return unwrap(own)
  return unwrap(defaultName(null, await findUser(tx, user_id), 'PHYSICAL'))
}

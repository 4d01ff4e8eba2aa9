/** The random PINs that mailers bring: made once, as the file of a batch is first made (D-1124). */

import { lockCardsById } from '#issuing/cards/cards.ts'
import { findProduct, pinRules } from '#issuing/products/products.ts'
import { findPins, keySets, revealNumbers, saveMailedPins } from '#issuing/vault/vault.ts'
import { raiseVersions } from '#issuing/versions/versions.ts'
import { type Context, transact } from '#kit/context.ts'
import { mapInTurns } from '#lib/promises.ts'
import { CARDS_AT_ONCE, makePin, zoneKey } from './card_values.ts'
import { type Bureau, BureauFault } from './provider.ts'
import { listCardsToMail, type OrderRow } from './store.ts'

const CARDS_A_PORTION = 500

/** Each card of the batch whose record has a mailer gets a PIN, unless it has one meanwhile. */
export async function makePins(
  ctx: Context,
  { zpk }: Pick<Bureau, 'zpk'>,
  { id, card_product_id }: Pick<OrderRow, 'id' | 'card_product_id'>,
): Promise<void> {
  const ids = await listCardsToMail(ctx, id)
  if (ids.length === 0) return
  if (zpk === null) {
    throw new BureauFault('the product has PIN mailers, and BUREAU_ZPK is not set')
  }
  const [{ pin }, sets, key] = await Promise.all([
    findProduct(ctx, card_product_id),
    keySets(ctx, [card_product_id]),
    zoneKey(ctx, zpk),
  ])
  const keys = sets.get(card_product_id)
  if (!keys) throw new Error(`card product ${card_product_id} has no keys`)
  for (let from = 0; from < ids.length; from += CARDS_A_PORTION) {
    const portion = ids.slice(from, from + CARDS_A_PORTION)
    await transact(ctx, async (tx) => {
      await lockCardsById(tx, portion)
      await raiseVersions(tx, { card_ids: portion })
      const [pans, pins] = await Promise.all([revealNumbers(tx, portion), findPins(tx, portion)])
      const without = portion.filter((card_id) => !pins.has(card_id))
      const made = await mapInTurns(without, CARDS_AT_ONCE, async (card_id) => {
        const pan = pans.get(card_id)
        if (!pan) throw new Error(`card ${card_id} has no number`)
        return { card_id, ...(await makePin(tx, keys, key, { pan, ...pinRules(pin) })) }
      })
      if (made.length > 0) await saveMailedPins(tx, made)
    })
  }
}

/** Front door of PINs: the one place where a card gets one (D-37). */

import { type CardRow, lockCard } from '#issuing/cards/cards.ts'
import { findProduct } from '#issuing/products/products.ts'
import type { PinSettings } from '#issuing/products/schema.ts'
import { readSettings } from '#issuing/tenants/tenants.ts'
import { keepPin, keySets, lockPins, revealNumber } from '#issuing/vault/vault.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { emit } from '#kit/outbox.ts'
import { ApiError, unwrap } from '#lib/result.ts'
import type { Secret } from '#lib/secret.ts'
import { pinChange } from './events.ts'
import { type PinKeys, ruleOnBlock, ruleOnPin, verificationOf } from './rules.ts'
import type { ChangedPin } from './schema.ts'

/** Of a card, what its PIN depends on. */
export type PinnedCard = Pick<CardRow, 'id' | 'card_product_id'>

/**
 * Gives a card this PIN in place of any other, unblocks it and reports it. Kept is the verification
 * value alone. The caller has locked the card. Refuses with `pin_refused` what the product's terms
 * do not take: other than digits, another length, a weak PIN.
 */
export async function setPin(tx: Tx, card: PinnedCard, pin: Secret): Promise<void> {
  await give(tx, card, await gather(tx, card), pin)
}

/**
 * Gives an ACTIVE card the PIN of an encrypted block in hex (D-37), for tenants that are PCI
 * compliant only. Whatever is wrong with the block is one refusal, `pin_block_refused`: a length
 * of no format, another key, padding or card, a PIN of another length than the product's, and a
 * block that was used, told by the PIN that it would set again. Only the sender of a right block
 * hears that its PIN is weak (`pin_refused`).
 */
export async function changePin(
  ctx: Context | Tx,
  id: string,
  enc_pin: Secret,
): Promise<ChangedPin> {
  const { pci_compliant } = await readSettings(ctx)
  if (!pci_compliant) throw new ApiError('pci_compliance_required')
  return transact(ctx, async (tx) => {
    const card = await lockCard(tx, id)
    const { status, status_reason_code } = card
    if (status !== 'ACTIVE') {
      const detail = `The card is ${status} (${status_reason_code}).`
      throw new ApiError('card_not_active', { detail })
    }
    const [terms, pins] = await Promise.all([gather(tx, card), lockPins(tx, [card.id])])
    const kept = pins.get(card.id)?.pvv
    const pin = unwrap(ruleOnBlock({ block: enc_pin, ...terms, kept }))
    await give(tx, card, terms, pin)
    return { id: card.id, modified: tx.now }
  })
}

type Terms = { settings: PinSettings; keys: PinKeys; pan: Secret }

async function gather(tx: Tx, { id, card_product_id }: PinnedCard): Promise<Terms> {
  const [{ pin: settings }, sets, pan] = await Promise.all([
    findProduct(tx, card_product_id),
    keySets(tx, [card_product_id]),
    revealNumber(tx, id),
  ])
  const keys = sets.get(card_product_id)
  if (!keys) throw new Error(`card product ${card_product_id} has no keys`)
  return { settings, keys, pan }
}

async function give(tx: Tx, { id }: PinnedCard, { settings, keys, pan }: Terms, pin: Secret) {
  unwrap(ruleOnPin(pin, settings))
  await keepPin(tx, id, verificationOf(pin, pan, keys))
  await emit(tx, pinChange(id))
}

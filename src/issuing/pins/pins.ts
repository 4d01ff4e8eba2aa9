/** Public functions of PINs: set and change the PIN of a card (D-37). */

import { emit } from '#events/outbox.ts'
import { type CardRow, lockCard } from '#issuing/cards/cards.ts'
import { findProduct, pinRules } from '#issuing/products/products.ts'
import type { PinSettings } from '#issuing/products/schema.ts'
import { readSettings } from '#issuing/tenants/tenants.ts'
import type { KeySet } from '#issuing/vault/schema.ts'
import { keySets, lockPins, revealNumber, savePin } from '#issuing/vault/vault.ts'
import { raiseVersions } from '#issuing/versions/versions.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { ApiError, unwrap } from '#lib/result.ts'
import type { Secret } from '#lib/secret.ts'
import { pinChange } from './events.ts'
import { checkPin, TOO_EASY } from './rules.ts'
import type { ChangedPin } from './schema.ts'

/** The members of a card that its PIN depends on. */
export type PinnedCard = Pick<CardRow, 'id' | 'card_product_id'>

/**
 * Sets the PIN of a card in place of any other, unblocks it and reports it. Only the verification
 * value is stored. The caller has locked the card. Fails with `pin_refused` if the product does not
 * accept the PIN: other than digits, another length, a weak PIN.
 */
export async function setPin(tx: Tx, card: PinnedCard, pin: Secret): Promise<void> {
  const [, terms] = await Promise.all([
    raiseVersions(tx, { card_ids: [card.id] }),
    gather(tx, card),
  ])
  unwrap(checkPin(pin, terms.settings))
  const { pan, keys, settings } = terms
  await storePin(tx, card, await tx.custody.valueOfPin(pin, pan, keys, settings.verification))
}

/**
 * Sets the PIN of an ACTIVE card from an encrypted block in hex (D-37), for tenants that are PCI
 * compliant only. Every fault of the block is one error, `pin_block_refused`: a length of no
 * format, another key, padding or card, a PIN of another length than the product's, and a replayed
 * block, recognized by the PIN that it would set again. Only the sender of a correct block learns
 * that its PIN is weak (`pin_refused`).
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
    // Before the PIN is locked: decisions take their locks in this order.
    const [, terms, pins] = await Promise.all([
      raiseVersions(tx, { card_ids: [card.id] }),
      gather(tx, card),
      lockPins(tx, [card.id]),
    ])
    const { settings, keys, pan } = terms
    const { length, refuse_weak, verification } = settings
    const kept = pins.get(card.id)?.value
    const asked = { block: enc_pin, pan, keys, length, refuse_weak, verification, kept }
    const outcome = await tx.custody.newPin(asked)
    if (!outcome.ok) throw refusals[outcome.fault]()
    await storePin(tx, card, outcome.value)
    return { id: card.id, modified: tx.now }
  })
}

const refusals = {
  BLOCK: () => {
    const message = 'is not the block of a new PIN of this card'
    const detail = 'The PIN block sets no new PIN of this card.'
    return new ApiError('pin_block_refused', { detail, errors: [{ path: 'enc_pin', message }] })
  },
  WEAK: () => {
    const message = 'is the block of a PIN that is not accepted'
    return new ApiError('pin_refused', { detail: TOO_EASY, errors: [{ path: 'enc_pin', message }] })
  },
} as const

type Terms = { settings: PinSettings; keys: KeySet; pan: Secret }

async function gather(tx: Tx, { id, card_product_id }: PinnedCard): Promise<Terms> {
  const [{ pin: settings }, sets, pan] = await Promise.all([
    findProduct(tx, card_product_id),
    keySets(tx, [card_product_id]),
    revealNumber(tx, id),
  ])
  const keys = sets.get(card_product_id)
  if (!keys) throw new Error(`card product ${card_product_id} has no keys`)
  return { settings: pinRules(settings), keys, pan }
}

async function storePin(tx: Tx, { id }: PinnedCard, value: Secret) {
  await savePin(tx, id, value)
  await emit(tx, pinChange(id))
}

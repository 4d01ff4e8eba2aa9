/**
 * Kept cards on the payment page: the offered cards, the card that a form pays with, and removals.
 */

import { type Context, transact } from '#kit/context.ts'
import { isSameText } from '#lib/digest.ts'
import { isId } from '#lib/id.ts'
import { offeredCards, openKeptCard, removeKeptCard } from '#merchant/kept_cards/kept_cards.ts'
import { consentOf, KEPT_MAX } from '#merchant/kept_cards/rules.ts'
import type { MerchantRow } from '#merchant/merchants/merchants.ts'
import { customerIn, isOpen, lockFound, type PayingCard } from './payment.ts'
import { type CardFaults, readCard, readCode } from './rules/card.ts'
import type { CheckoutRow } from './store.ts'
import { languages } from './texts/shape.ts'
import type { KeptOffer } from './views/kept.ts'
import type { FormOutcome } from './views/outcome.ts'

/**
 * The cards that the form offers beside a new card (D-773). Undefined if the merchant keeps no
 * cards or the checkout names no customer. The first card that is not past is chosen; a form that
 * is shown again keeps its choice.
 */
export async function offerOf(
  ctx: Context,
  checkout: CheckoutRow,
  { id: merchant_id, kept_cards }: MerchantRow,
  { picked, kept_card = picked && '' }: FormOutcome,
): Promise<KeptOffer | undefined> {
  const customer = customerIn(checkout)
  if (!kept_cards || customer === undefined) return undefined
  const cards = await offeredCards(ctx, merchant_id, customer)
  const usable = cards.filter(({ is_expired }) => !is_expired)
  const chosen = kept_card === undefined ? usable[0] : usable.find(({ id }) => id === kept_card)
  return { cards, chosen: chosen?.id, may_keep: cards.length < KEPT_MAX }
}

type Chosen =
  | { kind: 'card'; card: PayingCard; kept_card: string }
  | { kind: 'faults'; faults: CardFaults; kept_card: string }
  /** The kept card is there no longer. */
  | { kind: 'gone' }

/** The card that a form pays with: one that was typed, or a kept one with its code. */
export async function chosenCard(
  ctx: Context,
  checkout: CheckoutRow,
  typed: (name: string) => string,
): Promise<Chosen> {
  const [cvv2, kept_card] = [typed('cvv2'), typed('kept_card')]
  if (!isId(kept_card)) {
    const fields = { card_number: typed('card_number'), expiry: typed('expiry'), cvv2 }
    const read = readCard(fields, ctx.now)
    if (!read.ok) return { kind: 'faults', faults: read.faults, kept_card: '' }
    const consent = consents.find((known) => known === typed('keep_card'))
    const card = { ...read.card, ...(consent !== undefined && { consent }) }
    return { kind: 'card', card, kept_card: '' }
  }
  const code = readCode(cvv2)
  if (!code.ok) return { kind: 'faults', faults: code.faults, kept_card }
  const customer = customerIn(checkout)
  const { merchant_id } = checkout
  const card =
    customer === undefined
      ? undefined
      : await openKeptCard(ctx, { merchant_id, id: kept_card, customer })
  if (!card) return { kind: 'gone' }
  const { pan, expiry } = card
  const kept = { pan: pan.reveal(), expiry, cvv2: code.cvv2, kept_card_id: kept_card }
  return { kind: 'card', card: kept, kept_card }
}

const consents = languages.map(consentOf)

/**
 * Removes a kept card of the checkout's customer (D-774). Nothing if the form is of an older page,
 * or the card is there no longer.
 */
export function removeChosen(
  ctx: Context,
  found: CheckoutRow,
  form_token: string,
  id: string,
): Promise<void> {
  return transact(ctx, async (tx) => {
    const checkout = await lockFound(tx, found)
    const customer = customerIn(checkout)
    if (customer === undefined || !isId(id)) return
    if (!isOpen(tx, checkout) || !isSameText(checkout.form_token, form_token)) return
    await removeKeptCard(tx, { merchant_id: checkout.merchant_id, id, customer })
  })
}

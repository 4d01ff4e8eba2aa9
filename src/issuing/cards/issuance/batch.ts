/** Issues cards in batches, without a user (D-38). */

import { emitSequenced } from '#events/outbox.ts'
import { chargeNewCards } from '#issuing/charges/charges.ts'
import { drawReservation, openUnownedAccounts } from '#issuing/ledger/ledger.ts'
import { markProductActive, type ProductRow } from '#issuing/products/products.ts'
import { type ReservedNumber, reservedNumbers, saveNumbers } from '#issuing/vault/vault.ts'
import type { Tx } from '#kit/context.ts'
import { Write } from '#kit/db/write.ts'
import { newId } from '#lib/id.ts'
import { unwrap } from '#lib/result.ts'
import { cardCreated } from '../events.ts'
import { toBeMade } from '../fulfillment.ts'
import { checkExpiry, initialStatus } from '../rules/issue.ts'
import type { CardStatus, StatusReason } from '../schema.ts'
import { type BatchCard, insertBatch } from './batch_store.ts'

export { listFulfillmentOfBulks } from './batch_store.ts'

/** The terms of the product for cards that are issued now. */
export type BatchTerms = {
  expiry_date: string
  status: CardStatus
  status_reason_code: StatusReason
  links_account: boolean
} & Pick<ProductRow, 'charges' | 'allow_negative_charges'>

/** The terms of physical cards of this product that are issued now. */
export function batchTerms(product: ProductRow, now: Date): BatchTerms {
  return {
    expiry_date: unwrap(checkExpiry(undefined, product.card_validity_months, now)),
    ...initialStatus(product, 'PHYSICAL'),
    links_account: product.link_account_to_card,
    charges: product.charges,
    allow_negative_charges: product.allow_negative_charges,
  }
}

/**
 * `count` cards with the numbers reserved from position `first_number` on, each with `preload`
 * minor units of the amount reserved under the id of the bulk issuance.
 */
export type CardBatch = {
  bulk_issuance_id: string
  card_product_id: string
  terms: BatchTerms
  name_on_card: string | null
  count: number
  first_number: bigint
  currency: string
  preload: bigint | null
}

/**
 * Issues physical cards without a user, to be embossed when the tenant's next day begins. Numbers
 * and funds were reserved, so no card fails. Emits SUCCESSFULLY_CREATED for each card and account.
 * The number of statements does not grow with the batch, and they are sent together.
 */
export async function issueBatch(tx: Tx, batch: CardBatch): Promise<void> {
  const { bulk_issuance_id, card_product_id, currency, preload, terms } = batch
  const card_ids = Array.from({ length: batch.count }, newId)
  const [numbers, fulfillment] = await Promise.all([
    reservedNumbers(tx, card_product_id, batch.first_number, card_ids),
    toBeMade(tx),
  ])
  const cards = cardsOf(numbers, terms)
  const ids = cards.flatMap(({ account_id }) => account_id ?? [])
  // Numbers come first: if one cannot be made or sealed, nothing was started.
  const numbered = saveNumbers(tx, numbers)
  const emitted = Write.all(
    tx.db,
    emitSequenced(
      tx,
      cards.map((card) => ({ ...cardCreated(created(card, batch)), sequence: 1 })),
    ),
    markProductActive(tx, card_product_id),
  )
  await Promise.all([
    // Accounts precede the cards that reference them; statements that block others come last.
    ids.length > 0 && openUnownedAccounts(tx, { ids, card_product_id, currency, preload }),
    numbered.start(),
    insertBatch(tx, { ...batch, ...terms, ...fulfillment, cards }),
    emitted.start(),
    preload !== null &&
      drawReservation(tx, {
        id: bulk_issuance_id,
        currency,
        amount: preload * BigInt(batch.count),
      }),
  ])
  await chargeNewCards(tx, { id: card_product_id, currency, ...terms }, 'ISSUING', cards)
}

function cardsOf(numbers: readonly ReservedNumber[], { links_account }: BatchTerms): BatchCard[] {
  return numbers.map(({ card_id, bin, last_four }) => ({
    id: card_id,
    account_id: links_account ? newId() : null,
    bin,
    last_four,
  }))
}

const created = ({ id, account_id }: BatchCard, { card_product_id, terms }: CardBatch) => ({
  id,
  user_id: null,
  card_product_id,
  account_id,
  card_type: 'PHYSICAL' as const,
  status: terms.status,
  status_reason_code: terms.status_reason_code,
  reference_card_id: null,
})

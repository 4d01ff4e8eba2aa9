/** A card is put into a wallet, for who knows its number, expiry date and CVV2 (D-39). */

import {
  blockCardProvisioning,
  type CardRow,
  countProvisioningFailure,
  lockCardRow,
} from '#issuing/cards/cards.ts'
import { openTokenRange, requireProduct } from '#issuing/products/products.ts'
import {
  cvv2Of,
  findCardsByNumber,
  issueNumbers,
  keySets,
  revealNumber,
} from '#issuing/vault/vault.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { emit } from '#kit/outbox.ts'
import { isSameText } from '#lib/digest.ts'
import { newId } from '#lib/id.ts'
import { ApiError, CommittedError, unwrap } from '#lib/result.ts'
import type { Secret } from '#lib/secret.ts'
import { cardProvisioned, provisioningRefused } from './events.ts'
import { afterFailure, ruleOnCount, ruleOnTry } from './rules.ts'
import type { Provisioning } from './schema.ts'
import { insertToken, selectLiving, type TokenRow } from './store.ts'

/** What the holder gave the wallet, with the number and the CVV2 in their wrappers. */
export type Given = Omit<Provisioning, 'card_number' | 'cvv2'> & {
  card_number: Secret
  cvv2: Secret
}

/** The one answer to a number that nobody has, a wrong expiry date and a wrong CVV2. */
const mismatch = {
  detail: 'Card number, expiry date and CVV2 are not those of a card.',
} as const

/**
 * Makes a token. Refuses with `provisioning_blocked`, `card_not_active`, `card_data_mismatch`,
 * `tokens_per_card_reached` and `pan_range_exhausted`. A wrong try is counted although it is
 * refused: the lock of the card lets at most five be looked at, however many come at once, and the
 * fifth suspends it for 24 hours.
 */
export function provisionCard(ctx: Context | Tx, given: Given): Promise<TokenRow> {
  return transact(ctx, async (tx) => {
    const card = await lockCardOf(tx, given.card_number)
    if (!card) throw new ApiError('card_data_mismatch', mismatch)
    unwrap(ruleOnTry(card, tx.now))
    if (!(await isRight(tx, card, given))) {
      await countFailure(tx, card, given)
      throw new CommittedError('card_data_mismatch', mismatch)
    }
    unwrap(ruleOnCount((await selectLiving(tx, card.id)).length))
    return makeToken(tx, card, given)
  })
}

/** The number of a token names no card that could be put into another wallet. */
async function lockCardOf(tx: Tx, card_number: Secret): Promise<CardRow | undefined> {
  const [owner] = await findCardsByNumber(tx, [card_number])
  return owner && owner.token_id === undefined ? lockCardRow(tx, owner.card_id) : undefined
}

/** Both are always compared, so that no time tells which of them is wrong. */
async function isRight(tx: Tx, card: CardRow, given: Given): Promise<boolean> {
  const { id, card_product_id, expiry_date } = card
  const [pan, sets] = await Promise.all([revealNumber(tx, id), keySets(tx, [card_product_id])])
  const keySet = sets.get(card_product_id)
  if (!keySet) throw new Error(`card product ${card_product_id} has no keys`)
  const isExpiry = isSameText(given.expiry_date, expiry_date)
  const isCvv2 = given.cvv2.equals(cvv2Of(keySet, pan, expiry_date))
  return isExpiry && isCvv2
}

async function countFailure(tx: Tx, card: CardRow, given: Given): Promise<void> {
  const { failures, blocked_until } = afterFailure(card.provisioning_failures, tx.now)
  await emit(tx, provisioningRefused(card, given))
  if (blocked_until) await blockCardProvisioning(tx, card, blocked_until)
  else await countProvisioningFailure(tx, card, failures)
}

async function makeToken(tx: Tx, card: CardRow, given: Given): Promise<TokenRow> {
  const { id: card_id, card_product_id, expiry_date } = card
  const id = newId()
  await openTokenRange(tx, await requireProduct(tx, card_product_id))
  const wanted = { card_product_id, token_id: id, token_of: card_id }
  const [number] = await issueNumbers(tx, wanted)
  if (!number) throw new Error('the vault gave no number')
  const token = await insertToken(tx, {
    id,
    card_id,
    wallet: given.wallet,
    device_name: given.device_name ?? null,
    status: 'ACTIVE',
    bin: number.bin,
    last_four: number.last_four,
    expiry_date,
  })
  if (card.provisioning_failures > 0) await countProvisioningFailure(tx, card, 0)
  await emit(tx, cardProvisioned(token))
  return token
}

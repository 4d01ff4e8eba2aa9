/** Provisions a card to a wallet, given its number, expiry date and CVV2 (D-39). */

import { emit } from '#events/outbox.ts'
import {
  blockCardProvisioning,
  type CardRow,
  countProvisioningFailure,
  lockCardRow,
} from '#issuing/cards/cards.ts'
import { openTokenRange, requireProduct } from '#issuing/products/products.ts'
import {
  findCardsByNumber,
  isCvv2,
  issueNumbers,
  keySets,
  revealNumber,
} from '#issuing/vault/vault.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { isSameText } from '#lib/digest.ts'
import { newId } from '#lib/id.ts'
import { ApiError, CommittedError, unwrap } from '#lib/result.ts'
import type { Secret } from '#lib/secret.ts'
import { cardProvisioned, provisioningRefused } from './events.ts'
import { afterFailure, checkAttempt, checkCount } from './rules.ts'
import type { Provisioning } from './schema.ts'
import { insertToken, listUndeletedTokens, type TokenRow } from './store.ts'

/** The request of a wallet, with the number and the CVV2 as secrets. */
export type ProvisioningRequest = Omit<Provisioning, 'card_number' | 'cvv2'> & {
  card_number: Secret
  cvv2: Secret
}

/** The same answer to an unknown number, a wrong expiry date and a wrong CVV2. */
const mismatch = {
  detail: 'Card number, expiry date and CVV2 are not those of a card.',
} as const

/**
 * Creates a token. A wrong attempt is counted although it fails: under the lock of the card at most
 * five of many concurrent attempts are checked, and the fifth suspends the card for 24 hours.
 */
export function provisionCard(ctx: Context | Tx, request: ProvisioningRequest): Promise<TokenRow> {
  return transact(ctx, async (tx) => {
    const card = await lockCardOf(tx, request.card_number)
    if (!card) throw new ApiError('card_data_mismatch', mismatch)
    unwrap(checkAttempt(card, tx.now))
    if (!(await isMatch(tx, card, request))) {
      await countFailure(tx, card, request)
      throw new CommittedError('card_data_mismatch', mismatch)
    }
    unwrap(checkCount((await listUndeletedTokens(tx, card.id)).length))
    return createToken(tx, card, request)
  })
}

/** A token number is not accepted: only a card itself can be provisioned. */
async function lockCardOf(tx: Tx, card_number: Secret): Promise<CardRow | undefined> {
  const [owner] = await findCardsByNumber(tx, [card_number])
  return owner && owner.token_id === undefined ? lockCardRow(tx, owner.card_id) : undefined
}

/** Both are always compared, so that the time does not disclose which is wrong. */
async function isMatch(tx: Tx, card: CardRow, request: ProvisioningRequest): Promise<boolean> {
  const { id, card_product_id, expiry_date } = card
  const [pan, sets] = await Promise.all([revealNumber(tx, id), keySets(tx, [card_product_id])])
  const keySet = sets.get(card_product_id)
  if (!keySet) throw new Error(`card product ${card_product_id} has no keys`)
  const isExpiry = isSameText(request.expiry_date, expiry_date)
  const isRight = await isCvv2(tx, keySet, { pan, expiry_date }, request.cvv2)
  return isExpiry && isRight
}

async function countFailure(tx: Tx, card: CardRow, request: ProvisioningRequest): Promise<void> {
  const { failures, blocked_until } = afterFailure(card.provisioning_failures, tx.now)
  await emit(tx, provisioningRefused(card, request))
  if (blocked_until) await blockCardProvisioning(tx, card, blocked_until)
  else await countProvisioningFailure(tx, card, failures)
}

async function createToken(tx: Tx, card: CardRow, request: ProvisioningRequest): Promise<TokenRow> {
  const { id: card_id, card_product_id, expiry_date } = card
  const id = newId()
  await openTokenRange(tx, await requireProduct(tx, card_product_id))
  // It raises the version of the account, which is locked before numbers are (D-880).
  if (card.provisioning_failures > 0) await countProvisioningFailure(tx, card, 0)
  const holder = { card_product_id, token_id: id, token_of: card_id }
  const [number] = await issueNumbers(tx, holder)
  if (!number) throw new Error('the vault issued no number')
  const token = await insertToken(tx, {
    id,
    card_id,
    wallet: request.wallet,
    device_name: request.device_name ?? null,
    status: 'ACTIVE',
    bin: number.bin,
    last_four: number.last_four,
    expiry_date,
  })
  await emit(tx, cardProvisioned(token))
  return token
}

/** Links a card to the user or account that it was issued without, or to both. */

import { assignAccount, openCardAccount } from '#issuing/ledger/ledger.ts'
import { findProduct, type ProductRow } from '#issuing/products/products.ts'
import { requireActiveUser } from '#issuing/users/users.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { gather } from '#kit/gather.ts'
import { unwrap } from '#lib/result.ts'
import { lockCard } from './find.ts'
import { faultsOfAccount, requireAccount } from './issuance/accounts.ts'
import { checkCount } from './issuance/create.ts'
import { checkLink } from './rules/link.ts'
import type { CardLink } from './schema.ts'
import { type CardRow, updateCardLink } from './store.ts'

/**
 * Links a card to its user, and to an account: its own, the one named, or a new one (D-36, D-38,
 * D-111). A reference that does not exist is 400. A new account is reported by an event; the link
 * itself has no event (D-60).
 *
 * Locks are taken in the order of `createCard`: user, card, the user's count, the user's account
 * openings, the account. The engine locks accounts before it reads cards, and no card: it never
 * waits for this function while it holds a lock that this function waits for. The engine may read a
 * card without a lock, because only one change is possible, from empty to set, which is safe. If it
 * read no account when it took its locks, it has none to post to, even if it reads one a moment
 * later: a payment is declined as before the link (1016). If it read no user, the card is declined
 * as linked to no cardholder (1019). An account that it did read stays that of the card, so it
 * posts to the account that it locked; and this function writes only the user of the account, never
 * its balance, and waits for the engine's lock to do so.
 */
export function linkCard(ctx: Context | Tx, id: string, link: CardLink): Promise<CardRow> {
  return transact(ctx, async (tx) => {
    const gathered = await gather(() => requireActiveUser(tx, link.user_id))
    const absent = gathered.faults.length > 0 ? await faultsOfAccount(tx, link) : []
    const [{ id: user_id }] = gathered.complete(absent)
    const card = await lockCard(tx, id)
    unwrap(checkLink(card, link))
    const product = await findProduct(tx, card.card_product_id)
    if (card.user_id === null) await checkCount(tx, user_id, product)

    const account_id = await accountFor(tx, card, { ...link, user_id }, product)
    return updateCardLink(tx, { ...card, user_id, account_id })
  })
}

/** An account that the card was issued with had no user, like the card (D-38). */
async function accountFor(
  tx: Tx,
  card: CardRow,
  { user_id, account_id }: CardLink,
  product: ProductRow,
): Promise<string> {
  if (card.account_id !== null) {
    await assignAccount(tx, card.account_id, user_id)
    return card.account_id
  }
  if (account_id !== undefined) return requireAccount(tx, account_id, user_id, product)
  const { currency, id: card_product_id } = product
  return (await openCardAccount(tx, { currency, user_id, card_product_id })).id
}

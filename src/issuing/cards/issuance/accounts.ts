/** The account of a new card, or of one that is linked later. */

import { type Account, lockAccounts, openCardAccounts } from '#issuing/ledger/ledger.ts'
import type { ProductRow } from '#issuing/products/products.ts'
import type { UserRow } from '#issuing/users/users.ts'
import type { Tx } from '#kit/context.ts'
import { invalid } from '#kit/http/answers/problems.ts'
import { allOf } from '#lib/promises.ts'
import { ApiError, type Fault } from '#lib/result.ts'
import type { NewCard } from '../schema.ts'
import type { CardRow } from '../store.ts'

/** A card that is about to be issued. */
type Issuing = { input: NewCard; product: ProductRow; user: UserRow; old: CardRow | undefined }

/**
 * The account of each card: that of the card it replaces, the one named, a new one, or none if the
 * product links none. They are locked before the ranges of numbers, as all accounts: an old card,
 * which is written, raises the version of its account, and the replacement may be charged (D-880).
 */
export async function accountsOf<Card extends Issuing>(
  tx: Tx,
  cards: readonly Card[],
): Promise<Map<Card, string | null>> {
  const named = new Map(cards.map((card) => [card, namedAccount(card)]))
  const opening = cards.filter((card) => named.get(card) === undefined)
  const ids = [...named.values()].flatMap((id) => id ?? [])
  // Sent together, in the order of their locks: openings, accounts.
  const [opened, locked] = await allOf([
    openCardAccounts(
      tx,
      opening.map(({ product, user }) => ({
        currency: product.currency,
        user_id: user.id,
        card_product_id: product.id,
      })),
    ),
    lockAccounts(tx, [...new Set(ids)]),
  ])
  const news = new Map(opening.map((card, at) => [card, opened[at] ?? null]))
  return new Map(
    cards.map((card) => {
      const id = named.get(card)
      if (id === undefined) return [card, news.get(card) ?? null]
      if (id !== null && !card.old) requireFitting(locked, id, card)
      return [card, id]
    }),
  )
}

/** Null for no account, undefined for a new one. */
function namedAccount({ input: { account_id }, product, old }: Issuing): string | null | undefined {
  if (old) return old.account_id
  if (product.link_account_to_card) return account_id?.toLowerCase()
  if (account_id === undefined) return null
  throw invalid('account_id', 'must be left out: the product links no account at issuing')
}

/** Called only when the request has failed already; otherwise the account is locked later. */
export async function faultsOfAccount(
  tx: Tx,
  { account_id }: { account_id?: string },
): Promise<Fault[]> {
  if (account_id === undefined) return []
  const [account] = await lockAccounts(tx, [account_id])
  return account ? [] : [{ path: 'account_id', message: 'does not exist' }]
}

/** An ACTIVE account of the same user, product and currency (D-36). */
export async function requireAccount(tx: Tx, id: string, user_id: string, product: ProductRow) {
  const locked = await lockAccounts(tx, [id])
  return requireFitting(locked, id.toLowerCase(), { user: { id: user_id }, product })
}

function requireFitting(
  locked: readonly Account[],
  id: string,
  card: { user: Pick<UserRow, 'id'>; product: ProductRow },
): string {
  const account = locked.find((one) => one.id === id)
  if (!account) throw invalid('account_id', 'does not exist')
  if (account.status !== 'ACTIVE') {
    throw new ApiError('account_not_active', { detail: `The account is ${account.status}.` })
  }
  const other = whatDiffers(account, card.user.id, card.product)
  if (other !== undefined) {
    throw new ApiError('account_not_fitting', { detail: `The account is of another ${other}.` })
  }
  return account.id
}

function whatDiffers(account: Account, user_id: string, product: ProductRow): string | undefined {
  if (account.user_id !== user_id.toLowerCase()) return 'user'
  if (account.card_product_id !== product.id) return 'card product'
  return account.currency === product.currency ? undefined : 'currency'
}

/** A card is issued: for a user, under a product, on an account, with a number of its own. */

import { type Account, lockAccounts, openCardAccount } from '#issuing/ledger/ledger.ts'
import {
  faultsOfLists,
  markProductActive,
  mergeAuthSettings,
  type ProductRow,
  requireProduct,
} from '#issuing/products/products.ts'
import { requireActiveUser } from '#issuing/users/users.ts'
import { issueNumbers } from '#issuing/vault/vault.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { gather } from '#kit/gather.ts'
import { emit } from '#kit/outbox.ts'
import { invalid } from '#kit/problems.ts'
import { newId } from '#lib/id.ts'
import { ApiError, type Fault, unwrap } from '#lib/result.ts'
import { cardCreated } from './events.ts'
import { firstFulfillment } from './fulfillment.ts'
import { initialStatus, nameOnCard, ruleOnExpiry, ruleOnReplacement } from './rules/issue.ts'
import { mergeShipping } from './rules/shipping.ts'
import type { NewCard } from './schema.ts'
import { type CardRow, countCards, insertCard, lockCardRow, saveCard } from './store.ts'

/**
 * Issues a card (D-36). Refuses with 400 on a reference that does not exist, `user_not_active`,
 * `cards_per_user_reached`, `pan_range_exhausted`, `id_taken`; for an account that is given
 * `account_not_active` and `account_not_fitting`; for a replacement `card_not_terminated` and
 * `card_already_replaced`.
 */
export function createCard(ctx: Context | Tx, given: NewCard): Promise<CardRow> {
  const id = given.id?.toLowerCase() ?? newId()
  return transact(ctx, async (tx) => {
    const { product, user, old, expiry_date, said } = await gatherFor(tx, given)
    await ruleOnCount(tx, user.id, product)
    const account_id = old ? old.account_id : await accountOf(tx, given, product)
    const [number] = await issueNumbers(tx, { card_product_id: product.id, card_ids: [id] })
    if (!number) throw new Error('the vault gave no number')

    const card = await insertCard(tx, {
      id,
      user_id: user.id,
      card_product_id: product.id,
      account_id,
      card_type: given.card_type,
      ...initialStatus(product, given.card_type),
      ...said,
      name_on_card: said.name_on_card ?? nameOnCard(user),
      bin: number.bin,
      last_four: number.last_four,
      expiry_date,
      ...(await firstFulfillment(tx, given.card_type)),
      reference_card_id: old?.id ?? null,
      chain_id: old?.chain_id ?? id,
    })
    if (old) await saveCard(tx, { ...old, replaced_by_card_id: id })
    await markProductActive(tx, product.id)
    await emit(tx, cardCreated(card))
    return card
  })
}

/** What the card rests on and what is said of it. Refuses with every fault of both (D-125). */
async function gatherFor(tx: Tx, given: NewCard) {
  const gathered = await gather(
    () => requireProduct(tx, given.card_product_id),
    () => requireActiveUser(tx, given.user_id),
    () => cardToReplace(tx, given),
  )
  const [itsProduct, , itsOld] = gathered.found
  const expiry = ruleOnExpiry(given.expiry_date, itsProduct?.card_validity_months ?? 1, tx.now)
  const { faults, ...said } = whatWasSaid(given, itsOld, itsProduct)
  const absent = gathered.faults.length > 0 ? await faultsOfAccount(tx, given) : []
  const [product, user, old] = gathered.complete([
    ...(expiry.ok ? [] : (expiry.errors ?? [])),
    ...faults,
    ...absent,
  ])
  return { product, user, old, said, expiry_date: unwrap(expiry) }
}

/** Looked for where the request is refused anyway; otherwise the account is locked in its turn. */
export async function faultsOfAccount(
  tx: Tx,
  { account_id }: { account_id?: string },
): Promise<Fault[]> {
  if (account_id === undefined) return []
  const [account] = await lockAccounts(tx, [account_id])
  return account ? [] : [{ path: 'account_id', message: 'does not exist' }]
}

/** The card that is to be replaced; locked, so that it is replaced once. */
async function cardToReplace(tx: Tx, given: NewCard): Promise<CardRow | undefined> {
  if (given.reference_card_id === undefined) return undefined
  const old = await lockCardRow(tx, given.reference_card_id)
  if (!old) throw invalid('reference_card_id', 'does not exist')
  unwrap(ruleOnReplacement(old, given))
  return old
}

/**
 * What the client says of the card, with every fault of it; a replacement begins with what was said
 * of the old one. Amounts are not looked at without a product, which gives their currency.
 */
function whatWasSaid(given: NewCard, old: CardRow | undefined, product: ProductRow | undefined) {
  const merged = product
    ? mergeAuthSettings(old?.auth_settings ?? {}, given.auth_settings ?? {}, {
        from: product.currency,
        to: product.currency,
        prefix: 'auth_settings.',
      })
    : { settings: {}, faults: [] }
  const shipping = mergeShipping(old?.shipping_details ?? null, given.shipping_details)
  return {
    faults: [...merged.faults, ...shipping.faults, ...faultsOfLists(given)],
    name_on_card: given.name_on_card ?? old?.name_on_card ?? null,
    delivery_method: given.delivery_method ?? old?.delivery_method ?? null,
    allowed_countries_id: old?.allowed_countries_id ?? null,
    allowed_mccs_id: old?.allowed_mccs_id ?? null,
    allowed_merchants_id: old?.allowed_merchants_id ?? null,
    shipping_details: shipping.shipping,
    auth_settings: merged.settings,
  }
}

/** As many living cards of the product as a user may have (D-29), those replaced not among them. */
export async function ruleOnCount(tx: Tx, user_id: string, product: ProductRow): Promise<void> {
  const most = product.num_of_cards_per_user
  if (most === null || (await countCards(tx, user_id, product.id)) < most) return
  throw new ApiError('cards_per_user_reached', {
    detail: `A user may have ${most} living cards of this product.`,
  })
}

/** The account behind the card: opened with it, given, or none when the product links none. */
async function accountOf(tx: Tx, given: NewCard, product: ProductRow): Promise<string | null> {
  const { account_id, user_id } = given
  if (!product.link_account_to_card) {
    if (account_id === undefined) return null
    throw invalid('account_id', 'must be left out: the product links no account at issuing')
  }
  if (account_id !== undefined) return accountGiven(tx, account_id, user_id, product)
  const { currency, id: card_product_id } = product
  const { id } = await openCardAccount(tx, { currency, user_id, card_product_id })
  return id
}

/** An ACTIVE account of the same user, product and currency (D-36). */
export async function accountGiven(tx: Tx, id: string, user_id: string, product: ProductRow) {
  const [account] = await lockAccounts(tx, [id])
  if (!account) throw invalid('account_id', 'does not exist')
  if (account.status !== 'ACTIVE') {
    throw new ApiError('account_not_active', { detail: `The account is ${account.status}.` })
  }
  const other = whatDiffers(account, user_id, product)
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

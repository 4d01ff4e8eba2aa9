/** Issues a card for a user, under a product, with its own number and optionally an account. */

import { emit, emitSequenced } from '#events/outbox.ts'
import { chargeNewCards } from '#issuing/charges/charges.ts'
import { type Account, lockAccounts, openCardAccount } from '#issuing/ledger/ledger.ts'
import { faultsOfLists } from '#issuing/lists/lists.ts'
import {
  markProductActive,
  mergeAuthSettings,
  type ProductRow,
  requireProduct,
} from '#issuing/products/products.ts'
import { requireActiveUser, type UserRow } from '#issuing/users/users.ts'
import { type IssuedNumber, saveNumbers, takeNumbers } from '#issuing/vault/vault.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { Write } from '#kit/db/write.ts'
import { gather } from '#kit/gather.ts'
import { invalid } from '#kit/http/answers/problems.ts'
import { newId } from '#lib/id.ts'
import { allOf } from '#lib/promises.ts'
import { ApiError, type Fault, ok, type Result, unwrap } from '#lib/result.ts'
import { endOfMonth } from '#lib/time.ts'
import { cardCreated } from '../events.ts'
import { firstFulfillment, type InitialFulfillment } from '../fulfillment.ts'
import { checkExpiry, checkReplacement, initialStatus } from '../rules/issue.ts'
import { checkName, defaultName } from '../rules/name.ts'
import { mergeShipping } from '../rules/shipping.ts'
import type { NewCard } from '../schema.ts'
import { type CardRow, countCards, insertCards, lockCardRow, updateCardRow } from '../store.ts'

/**
 * Issues a card (D-36). A reference that does not exist is 400.
 */
export function createCard(ctx: Context | Tx, input: NewCard): Promise<CardRow> {
  const id = input.id?.toLowerCase() ?? newId()
  return transact(ctx, async (tx) => {
    const { product, user, old, expiry_date, settings } = await gatherFor(tx, input)
    // Sent together, in the order of their locks: the range of numbers is locked last.
    const [, fulfillment, account_id, [number]] = await allOf([
      checkCount(tx, user.id, product),
      firstFulfillment(tx, input.card_type),
      old ? accountOfOld(tx, old) : accountOf(tx, input, product),
      takeNumbers(tx, product.id, [id]),
    ])
    if (!number) throw new Error('the vault issued no number')

    const card = newCardRow(tx, {
      ...{ id, input, product, user, old, settings, expiry_date, fulfillment, account_id, number },
    })
    const written = Write.all(
      tx.db,
      saveNumbers(tx, [number]),
      insertCards(tx, [card]),
      product.status === 'INACTIVE' && markProductActive(tx, product.id),
    )
    await allOf([
      input.id === undefined ? writeNew(tx, card, written) : writeNamed(tx, card, written),
      old && updateCardRow(tx, { ...old, replaced_by_card_id: id }),
    ])
    await chargeNewCards(tx, product, old ? 'REPLACEMENT' : 'ISSUING', [card])
    return card
  })
}

type NewCardParts = {
  id: string
  input: Pick<NewCard, 'card_type'>
  product: ProductRow
  user: UserRow
  old: CardRow | undefined
  settings: Omit<ReturnType<typeof cardSettings>, 'faults'>
  expiry_date: string
  fulfillment: InitialFulfillment
  account_id: string | null
  number: IssuedNumber
}

/** The row of a new card, as the database will have it. */
export function newCardRow({ tenant_id, now }: Tx, parts: NewCardParts): CardRow {
  const { id, input, product, user, old, settings, expiry_date, account_id, number } = parts
  return {
    ...{ tenant_id, id, user_id: user.id, card_product_id: product.id, account_id },
    ...{ card_type: input.card_type, currency: product.currency, created: now, modified: now },
    ...initialStatus(product, input.card_type),
    ...settings,
    ...{ bin: number.bin, last_four: number.last_four },
    ...{ expiry_date, valid_until: endOfMonth(expiry_date) },
    ...parts.fulfillment,
    ...{ reference_card_id: old?.id ?? null, chain_id: old?.chain_id ?? id },
    ...{ replaced_by_card_id: null, bulk_issuance_id: null },
    ...{ migration_started: null, migration_ends: null, frozen_settings: null },
    ...{ delivery_partner: null, tracking_number: null },
    ...{ provisioning_failures: 0, provisioning_blocked_until: null },
    terminated_by_operator: false,
  }
}

/** Nothing else has the id, so that nothing fails: it travels with the COMMIT. */
async function writeNew(tx: Tx, card: CardRow, written: Write): Promise<void> {
  const event = cardCreated(card)
  const emitted = emitSequenced(tx, [{ ...event, sequence: 1 }])
  void tx.withCommit(Write.all(tx.db, written, emitted))
  await tx.react(tx, event)
}

/** Another object may have the id, and events. */
async function writeNamed(tx: Tx, card: CardRow, written: Write): Promise<void> {
  await allOf([written.start(), emit(tx, cardCreated(card))])
}

/** The records and the settings of the card. Fails with every fault of both (D-125). */
async function gatherFor(tx: Tx, input: NewCard) {
  const gathered = await gather(
    () => requireProduct(tx, input.card_product_id),
    () => requireActiveUser(tx, input.user_id),
    () => cardToReplace(tx, input),
    () => faultsOfLists(tx, input),
  )
  const [itsProduct, itsUser, itsOld, ofLists = []] = gathered.found
  const expiry = checkExpiry(input.expiry_date, itsProduct?.card_validity_months ?? 1, tx.now)
  const { faults, ...settings } = cardSettings(input, itsOld, itsProduct, itsUser)
  const absent = gathered.faults.length > 0 ? await faultsOfAccount(tx, input) : []
  const [product, user, old] = gathered.complete([
    ...(expiry.ok ? [] : (expiry.errors ?? [])),
    ...faults,
    ...ofLists,
    ...absent,
  ])
  return { product, user, old, settings, expiry_date: unwrap(expiry) }
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

/** The card to replace; locked, so that it is replaced once. */
async function cardToReplace(tx: Tx, input: NewCard): Promise<CardRow | undefined> {
  if (input.reference_card_id === undefined) return undefined
  const old = await lockCardRow(tx, input.reference_card_id)
  if (!old) throw invalid('reference_card_id', 'does not exist')
  unwrap(checkReplacement(old, input))
  return old
}

/**
 * The settings of the new card with every fault; a replacement begins with those of the old card.
 * Without a product the amounts are not checked, because the product names their currency; without
 * a user no name is made of the user's.
 */
export function cardSettings(
  input: NewCard,
  old: CardRow | undefined,
  product: ProductRow | undefined,
  user: UserRow | undefined,
) {
  const merged = product
    ? mergeAuthSettings(old?.auth_settings ?? {}, input.auth_settings ?? {}, {
        from: product.currency,
        to: product.currency,
        prefix: 'auth_settings.',
      })
    : { settings: {}, faults: [] }
  const shipping = mergeShipping(old?.shipping_details ?? null, input.shipping_details)
  const name = nameOf(input, old, user)
  const ofName = (name.ok ? [] : (name.errors ?? [])).map((fault) => ({
    ...fault,
    rests_on: ['card_type'],
  }))
  return {
    faults: [...merged.faults, ...shipping.faults, ...ofName],
    name_on_card: name.ok ? name.value : null,
    delivery_method: input.delivery_method ?? old?.delivery_method ?? null,
    allowed_countries_id: listId(input.allowed_countries_id, old?.allowed_countries_id),
    allowed_mccs_id: listId(input.allowed_mccs_id, old?.allowed_mccs_id),
    allowed_merchants_id: listId(input.allowed_merchants_id, old?.allowed_merchants_id),
    velocity_limit_ids: old?.velocity_limit_ids ?? [],
    shipping_details: shipping.shipping,
    auth_settings: merged.settings,
  }
}

function nameOf(
  { name_on_card, card_type }: NewCard,
  old: CardRow | undefined,
  user: UserRow | undefined,
): Result<string | null, 'validation_failed'> {
  if (typeof name_on_card === 'string') return checkName(name_on_card, card_type)
  return user ? defaultName(old?.name_on_card ?? null, user, card_type) : ok(null)
}

/** The list that is sent, or that of the card to replace; null names none. */
const listId = (sent: string | null | undefined, before: string | null | undefined) =>
  (sent === undefined ? before : sent)?.toLowerCase() ?? null

/** Fails when the user has the maximum number of cards of the product that are not TERMINATED. */
export async function checkCount(tx: Tx, user_id: string, product: ProductRow): Promise<void> {
  const most = product.num_of_cards_per_user
  if (most === null || (await countCards(tx, user_id, product.id)) < most) return
  throw new ApiError('cards_per_user_reached', {
    detail: `A user may have ${most} cards of this product that are not TERMINATED.`,
  })
}

/** The account of the card: a new one, the one named, or none when the product links none. */
async function accountOf(tx: Tx, input: NewCard, product: ProductRow): Promise<string | null> {
  const { account_id, user_id } = input
  if (!product.link_account_to_card) {
    if (account_id === undefined) return null
    throw invalid('account_id', 'must be left out: the product links no account at issuing')
  }
  if (account_id !== undefined) return requireAccount(tx, account_id, user_id, product)
  const { currency, id: card_product_id } = product
  const { id } = await openCardAccount(tx, { currency, user_id, card_product_id })
  return id
}

/**
 * Locked before the range of numbers, as all accounts: the old card, which is written, raises the
 * version of its account, and the replacement may be charged (D-880).
 */
async function accountOfOld(tx: Tx, { account_id }: CardRow): Promise<string | null> {
  if (account_id !== null) await lockAccounts(tx, [account_id])
  return account_id
}

/** An ACTIVE account of the same user, product and currency (D-36). */
export async function requireAccount(tx: Tx, id: string, user_id: string, product: ProductRow) {
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

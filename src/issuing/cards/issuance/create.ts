/** Issues cards to users, under a product, each with its own number and optionally an account. */

import { emit, emitSequenced } from '#events/outbox.ts'
import { chargeNewCards } from '#issuing/charges/charges.ts'
import { faultsOfLists, listRefs } from '#issuing/lists/lists.ts'
import {
  existingProduct,
  keepProducts,
  markProductActive,
  type ProductRow,
} from '#issuing/products/products.ts'
import { activeUser, keepUsers, type UserRow } from '#issuing/users/users.ts'
import { type ReservedNumber, saveNumbers, takeNumbers } from '#issuing/vault/vault.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { lockNames, nameOfUser } from '#kit/db/locks.ts'
import { Write } from '#kit/db/write.ts'
import { gather } from '#kit/gather.ts'
import { invalid } from '#kit/http/answers/problems.ts'
import { type Joining, leftOut, RequestLists } from '#kit/http/request_lists.ts'
import { newId } from '#lib/id.ts'
import { allOf } from '#lib/promises.ts'
import { ApiError, unwrap } from '#lib/result.ts'
import { cardCreated } from '../events.ts'
import { firstFulfillments, type InitialFulfillment } from '../fulfillment.ts'
import { checkExpiry, checkReplacement } from '../rules/issue.ts'
import type { CardType, NewCard } from '../schema.ts'
import { type CardRow, countCards, insertCards, lockCardRows, updateCardRow } from '../store.ts'
import { accountsOf, faultsOfAccount } from './accounts.ts'
import { cardSettings, newCardRow } from './new_card.ts'

/** A card without faults: its account and its number are missing. */
type Prepared = {
  id: string
  input: NewCard
  product: ProductRow
  user: UserRow
  old: CardRow | undefined
  settings: Omit<ReturnType<typeof cardSettings>, 'faults'>
  expiry_date: string
  fulfillment: InitialFulfillment
}
type Issued = Prepared & { card: CardRow }

/**
 * Issues a card for each input (D-36); all of it is written, or nothing. A reference that does not
 * exist is 400. A card of several that has a fault has no result.
 */
export async function issueCards(
  tx: Tx,
  inputs: readonly NewCard[],
): Promise<(CardRow | undefined)[]> {
  const prepared = await prepareAll(tx, inputs)
  const all = prepared.filter((one) => one !== undefined)
  if (all.length === 0) return prepared.map(() => undefined)
  // Sent together, in the order of their locks: the ranges of numbers are locked last.
  const [, accounts, numbers] = await allOf([
    checkCounts(tx, all),
    accountsOf(tx, all),
    numbersOf(tx, all),
  ])
  const issued = all.map((parts) => {
    const [account_id = null, number] = [accounts.get(parts), numbers.get(parts.id)]
    if (!number) throw new Error('the vault issued no number')
    return { ...parts, card: newCardRow(tx, { ...parts, account_id, number }) }
  })
  await writeCards(tx, issued, [...numbers.values()])
  await chargeAll(tx, issued)
  const cards = new Map(issued.map(({ id, card }) => [id, card]))
  return prepared.map((one) => one && cards.get(one.id))
}

/** One card: it waits for what others have locked. */
export function createCard(ctx: Context | Tx, input: NewCard): Promise<CardRow> {
  return transact(ctx, async (tx) => {
    const [card] = await issueCards(tx, [input])
    if (!card) throw new Error('a card was not issued')
    return card
  })
}

const lists = new RequestLists(async (tx, inputs: readonly NewCard[]) => ({
  results: await issueCards(tx, inputs),
}))

/**
 * The same in a list with others; undefined if it has to be done by itself. Others may have locked
 * the card, the account or the list that it names for long.
 */
export async function createCardInList(ctx: Context, joining: Joining<NewCard, CardRow>) {
  const { id, account_id, reference_card_id, card_product_id } = joining.request
  const names = [id, account_id, reference_card_id].some((named) => named !== undefined)
  const isNew = !names && listRefs(joining.request).length === 0
  // A second list would only wait for the range of numbers that the first has locked.
  return isNew ? lists.join(ctx, joining, [card_product_id]) : undefined
}

/** Rows that several cards have in common are read once: the reads are under way. */
type Reads = {
  products: Promise<ReadonlyMap<string, ProductRow | undefined>>
  users: Promise<ReadonlyMap<string, UserRow>>
  /** The cards to replace; locked, so that each is replaced once. */
  olds: Promise<ReadonlyMap<string, CardRow>>
  fulfillments: Promise<ReadonlyMap<CardType, InitialFulfillment>>
}

/** The cards of the list without faults. */
function prepareAll(tx: Tx, inputs: readonly NewCard[]): Promise<(Prepared | undefined)[]> {
  // Sent together, in the order of their locks.
  const reads: Reads = {
    products: keepProducts(
      tx,
      inputs.map(({ card_product_id }) => card_product_id),
    ),
    users: keepUsers(tx, [...new Set(inputs.map(({ user_id }) => user_id))]),
    olds: lockCardRows(
      tx,
      inputs.flatMap(({ reference_card_id }) => reference_card_id ?? []),
    ),
    fulfillments: firstFulfillments(tx, new Set(inputs.map(({ card_type }) => card_type))),
  }
  return allOf(inputs.map((input) => prepare(tx, input, reads).catch(leftOut(inputs))))
}

/** The records and the settings of a card. Fails with every fault of both (D-125). */
async function prepare(tx: Tx, input: NewCard, reads: Reads): Promise<Prepared> {
  const gathered = await gather(
    async () => existingProduct((await reads.products).get(input.card_product_id)),
    async () => activeUser((await reads.users).get(input.user_id.toLowerCase())),
    async () => cardToReplace(input, await reads.olds),
    () => faultsOfLists(tx, input),
    async () => (await reads.fulfillments).get(input.card_type),
  )
  const [itsProduct, itsUser, itsOld, ofLists = []] = gathered.found
  const expiry = checkExpiry(input.expiry_date, itsProduct?.card_validity_months ?? 1, tx.now)
  const { faults, ...settings } = cardSettings(input, itsOld, itsProduct, itsUser)
  const absent = gathered.faults.length > 0 ? await faultsOfAccount(tx, input) : []
  const [product, user, old, , fulfillment] = gathered.complete([
    ...(expiry.ok ? [] : (expiry.errors ?? [])),
    ...faults,
    ...ofLists,
    ...absent,
  ])
  if (!fulfillment) throw new Error('a type of cards has no fulfillment')
  const id = input.id?.toLowerCase() ?? newId()
  return { id, input, product, user, old, settings, expiry_date: unwrap(expiry), fulfillment }
}

function cardToReplace(input: NewCard, olds: ReadonlyMap<string, CardRow>): CardRow | undefined {
  if (input.reference_card_id === undefined) return undefined
  const old = olds.get(input.reference_card_id.toLowerCase())
  if (!old) throw invalid('reference_card_id', 'does not exist')
  unwrap(checkReplacement(old, input))
  return old
}

/** Fails if a user would have more cards of a product than it may have. */
async function checkCounts(tx: Tx, cards: readonly Prepared[]): Promise<void> {
  const counted = cards.filter(({ product }) => product.num_of_cards_per_user !== null)
  const groups = Map.groupBy(counted, ({ user, product }) => `${user.id} ${product.id}`)
  await allOf([
    // All at once: two lists that lock one user after another might wait for each other.
    groups.size > 0 &&
      cards.length > 1 &&
      lockNames(
        tx,
        cards.map(({ user }) => nameOfUser(user.id)),
      ),
    ...[...groups.values()].map(async ([first, ...others]) => {
      if (first) await checkCount(tx, first.user.id, first.product, 1 + others.length)
    }),
  ])
}

/**
 * Fails when the user would have more than the maximum number of cards of the product that are not
 * TERMINATED.
 */
export async function checkCount(
  tx: Tx,
  user_id: string,
  product: ProductRow,
  added = 1,
): Promise<void> {
  const most = product.num_of_cards_per_user
  if (most === null || (await countCards(tx, user_id, product.id)) + added <= most) return
  throw new ApiError('cards_per_user_reached', {
    detail: `A user may have ${most} cards of this product that are not TERMINATED.`,
  })
}

/** The numbers, by the ids of their cards. Fails if a range has too few for all. */
async function numbersOf(tx: Tx, cards: readonly Prepared[]): Promise<Map<string, ReservedNumber>> {
  const products = [...Map.groupBy(cards, ({ product }) => product.id)]
  const taken = await allOf(
    products
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([product_id, ofProduct]) =>
        takeNumbers(
          tx,
          product_id,
          ofProduct.map(({ id }) => id),
        ),
      ),
  )
  return new Map(taken.flat().map((number) => [number.card_id, number]))
}

async function writeCards(
  tx: Tx,
  issued: readonly Issued[],
  numbers: readonly ReservedNumber[],
): Promise<void> {
  const cards = issued.map(({ card }) => card)
  const inactive = issued.filter(({ product }) => product.status === 'INACTIVE')
  const written = Write.all(
    tx.db,
    saveNumbers(tx, numbers),
    insertCards(tx, cards),
    ...[...new Set(inactive.map(({ product }) => product.id))].map((id) =>
      markProductActive(tx, id),
    ),
  )
  const isNamed = issued.some(({ input }) => input.id !== undefined)
  await allOf([
    (isNamed ? writeNamed : writeNew)(tx, cards, written),
    ...issued.map(({ id, old }) => old && updateCardRow(tx, { ...old, replaced_by_card_id: id })),
  ])
}

/** Nothing else has the ids, so that nothing fails: it travels with the COMMIT. */
async function writeNew(tx: Tx, cards: readonly CardRow[], written: Write): Promise<void> {
  const events = cards.map(cardCreated)
  const emitted = emitSequenced(
    tx,
    events.map((event) => ({ ...event, sequence: 1 })),
  )
  void tx.withCommit(Write.all(tx.db, written, emitted))
  for (const event of events) await tx.react(tx, event)
}

/** Other objects may have the ids, and events. */
async function writeNamed(tx: Tx, cards: readonly CardRow[], written: Write): Promise<void> {
  await allOf([written.start(), emit(tx, ...cards.map(cardCreated))])
}

async function chargeAll(tx: Tx, issued: readonly Issued[]): Promise<void> {
  const type = ({ old }: Issued) => (old ? 'REPLACEMENT' : 'ISSUING')
  const groups = Map.groupBy(issued, (one) => `${one.product.id} ${type(one)}`)
  for (const [first, ...others] of groups.values()) {
    if (!first) continue
    const cards = [first, ...others].map(({ card }) => card)
    await chargeNewCards(tx, first.product, type(first), cards)
  }
}

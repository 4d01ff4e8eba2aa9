/**
 * New cards of one tenant that are asked for at one time, in one transaction (D-394): the range of
 * their numbers and the openings of accounts are locked once for all. Cards with an id, an account,
 * a list or a card to replace that the client names are issued one by one (create.ts).
 */

import { emitSequenced } from '#events/outbox.ts'
import { chargesCards } from '#issuing/charges/charges.ts'
import { openCardAccounts } from '#issuing/ledger/ledger.ts'
import { listRefs } from '#issuing/lists/lists.ts'
import { keepProduct, markProductActive, type ProductRow } from '#issuing/products/products.ts'
import { keepUsers, type UserRow } from '#issuing/users/users.ts'
import { type ReservedNumber, saveNumbers, takeNumbers } from '#issuing/vault/vault.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { limitLocks } from '#kit/db/locks.ts'
import { Write } from '#kit/db/write.ts'
import type { Finished } from '#kit/http/idempotency.ts'
import type { MaybeKeep } from '#kit/http/route.ts'
import { decideEach, type Joining, keepEach, servedTogether, usedKeys } from '#kit/http/together.ts'
import { newId } from '#lib/id.ts'
import { allOf } from '#lib/promises.ts'
import { unwrap } from '#lib/result.ts'
import { cardCreated } from '../events.ts'
import { firstFulfillment, type InitialFulfillment } from '../fulfillment.ts'
import { presentCard } from '../present.ts'
import { checkExpiry } from '../rules/issue.ts'
import type { CardType, NewCard } from '../schema.ts'
import { type CardRow, insertCards } from '../store.ts'
import { cardSettings, newCardRow } from './create.ts'

type Request = Joining & { input: NewCard }

/** The parts of a new card, without faults; the account and the number are missing. */
type Prepared = {
  request: Request
  product: ProductRow
  user: UserRow
  settings: ReturnType<typeof cardSettings>
  expiry_date: string
}

/** Undefined if the card has to be issued by itself. */
export async function createTogether(
  ctx: Context,
  input: NewCard,
  keep: MaybeKeep,
): Promise<Finished | undefined> {
  const { id, account_id, reference_card_id } = input
  const names = [id, account_id, reference_card_id].some((named) => named !== undefined)
  const isNew = !names && listRefs(input).length === 0
  // A second batch would only wait for the range of numbers that the first has locked.
  return isNew ? join({ ctx, input, keep }, [input.card_product_id]) : undefined
}

const join = servedTogether<Request>(serve)

function serve(ctx: Context, requests: readonly Request[]) {
  return transact(ctx, async (tx) => {
    const { prepared, fulfillments } = await gatherFor(tx, requests)
    // Sent together, in the order of their locks: the ranges of numbers are locked last.
    const [accounts, numbers] = await allOf([openAccounts(tx, prepared), takeAll(tx, prepared)])
    const cards = new Map<Request, CardRow>()
    for (const { request, ...parts } of prepared) {
      const [account_id = null, number] = [accounts.get(request), numbers.get(request)]
      const fulfillment = fulfillments.get(request.input.card_type)
      if (!number || !fulfillment) throw new Error('a card has no number or fulfillment')
      const { input } = request
      const more = { id: number.card_id, input, old: undefined, fulfillment, account_id, number }
      cards.set(request, newCardRow(tx, { ...parts, ...more }))
    }
    const answers = new Map(
      [...cards].map(([request, card]) => [request, request.keep.finish(presentCard(card))]),
    )
    const written = cardsWrite(tx, [...cards.values()], [...numbers.values()], prepared)
    void tx.withCommit(Write.all(tx.db, written, keepEach(tx, answers)))
    for (const card of cards.values()) await tx.react(tx, cardCreated(card))
    return answers
  })
}

async function gatherFor(tx: Tx, requests: readonly Request[]) {
  const product_ids = [...new Set(requests.map(({ input }) => input.card_product_id))].sort()
  const user_ids = [...new Set(requests.map(({ input }) => input.user_id.toLowerCase()))]
  const types = [...new Set(requests.map(({ input }) => input.card_type))]
  const [, used, products, users, fulfillments] = await allOf([
    limitLocks(tx).start(),
    usedKeys(tx, requests),
    allOf(product_ids.map((id) => keepProduct(tx, id))),
    keepUsers(tx, user_ids),
    allOf(types.map(async (type) => [type, await firstFulfillment(tx, type)] as const)),
  ])
  const known = new Map(product_ids.map((id, at) => [id, products[at]]))
  const prepared = decideEach(requests, used, (request) => {
    const { card_product_id, user_id } = request.input
    const [product, user] = [known.get(card_product_id), users.get(user_id.toLowerCase())]
    return product && user && prepare(tx, request, product, user)
  })
  return {
    prepared: [...prepared.values()],
    fulfillments: new Map<CardType, InitialFulfillment>(fulfillments),
  }
}

/** Undefined or an ApiError if something stands in the way of the card. */
function prepare(
  tx: Tx,
  request: Request,
  product: ProductRow,
  user: UserRow,
): Prepared | undefined {
  const { input } = request
  const settings = cardSettings(input, undefined, product, user)
  const expiry = checkExpiry(input.expiry_date, product.card_validity_months, tx.now)
  const isCounted = product.num_of_cards_per_user !== null || chargesCards(product)
  if (isCounted || user.status !== 'ACTIVE' || settings.faults.length > 0) return undefined
  return { request, product, user, settings, expiry_date: unwrap(expiry) }
}

/** The new accounts of the cards whose product links one. */
async function openAccounts(tx: Tx, prepared: readonly Prepared[]): Promise<Map<Request, string>> {
  const linked = prepared.filter(({ product }) => product.link_account_to_card)
  const ids = await openCardAccounts(
    tx,
    linked.map(({ product, user }) => ({
      ...{ currency: product.currency, user_id: user.id, card_product_id: product.id },
    })),
  )
  return new Map(linked.map(({ request }, at) => [request, ids[at] ?? '']))
}

/** The numbers, with the ids of the cards. Fails if a range has too few for all. */
async function takeAll(
  tx: Tx,
  prepared: readonly Prepared[],
): Promise<Map<Request, ReservedNumber>> {
  const products = [...Map.groupBy(prepared, ({ product }) => product.id)]
  const taken = await allOf(
    products
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([id, cards]) =>
        takeNumbers(
          tx,
          id,
          cards.map(() => newId()),
        ),
      ),
  )
  const pairs = products.flatMap(([, cards], at) =>
    cards.flatMap(({ request }, place): [Request, ReservedNumber][] => {
      const number = taken[at]?.[place]
      return number ? [[request, number]] : []
    }),
  )
  return new Map(pairs)
}

/** Nothing else has the ids, so that nothing fails. */
function cardsWrite(
  tx: Tx,
  cards: readonly CardRow[],
  numbers: readonly ReservedNumber[],
  prepared: readonly Prepared[],
): Write {
  if (cards.length === 0) return Write.of(tx.db)
  const inactive = prepared.filter(({ product }) => product.status === 'INACTIVE')
  const used = new Set(inactive.map(({ product }) => product.id))
  return Write.all(
    tx.db,
    saveNumbers(tx, numbers),
    insertCards(tx, cards),
    emitSequenced(
      tx,
      cards.map((card) => ({ ...cardCreated(card), sequence: 1 })),
    ),
    ...[...used].map((id) => markProductActive(tx, id)),
  )
}

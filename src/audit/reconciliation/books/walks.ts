/** Which payments a day has in any of the books: portions, each payment once. */

import type { Trigger } from './issuer.ts'
import { idsOf, listByClearings, listByDecisions, listSettlementAccounts } from './issuer.ts'
import {
  type Books,
  listByMessages,
  listByOperations,
  listByOrders,
  type Place,
  PORTION,
  START,
} from './own.ts'

/** Ids of authorizations of which orders or the acquirer have an entry of the day. */
export async function* ownPortions(
  books: Books,
  merchants: readonly string[],
): AsyncGenerator<string[]> {
  const lists = [
    (place: Place) => listByMessages(books, place),
    (place: Place) => listByOperations(books, place),
    ...merchants.map((id) => (place: Place) => listByOrders(books, id, place)),
  ]
  for (const list of lists) {
    for await (const rows of portions(list)) {
      yield rows.map(({ authorization_id }) => authorization_id)
    }
  }
}

/**
 * The transactions that the issuer has of the day from the acquirer. `ahead_ms`: the tenant's
 * clock.
 */
export async function* issuerPortions(books: Books, ahead_ms: number): AsyncGenerator<Trigger[]> {
  const ids = idsOf(books.day, ahead_ms)
  yield* portions((place) => listByDecisions(books, ids, place))
  for (const account of await listSettlementAccounts(books)) {
    yield* portions((place) => listByClearings(books, account, place))
  }
}

/** A list in portions, each behind the last row of the one before it. */
export async function* portions<Row extends Place>(
  list: (place: Place) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let place: Place = START; ; ) {
    const rows = await list(place)
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (!last || rows.length < PORTION) return
    place = last
  }
}

/** Counts and sums of a day: for each book, and for each merchant. */

import type { Book, EntryType } from './kinds.ts'
import type { Counted } from './model.ts'

export type Sum = { count: number; amount: bigint }
export type BookTotals = { book: Book; currency: string } & Record<EntryType, Sum>
/** `acceptor` is how the card network names a merchant that this program does not know. */
export type MerchantTotals = {
  tenant_id: string
  merchant_id: string | undefined
  acceptor: string | undefined
  books: BookTotals[]
}

const none = (): Record<EntryType, Sum> => ({
  AUTHORIZATION: { count: 0, amount: 0n },
  CAPTURE: { count: 0, amount: 0n },
  REFUND: { count: 0, amount: 0n },
})

/** Grows with the merchants and currencies of a day, and not with its payments. */
export class Totals {
  readonly #merchants = new Map<string, MerchantTotals>()

  add(counted: readonly Counted[]): void {
    for (const { book, entry, amount, currency, ...whose } of counted) {
      const sum = bookOf(this.#merchantOf(whose).books, book, currency)[entry]
      sum.count += 1
      sum.amount += amount
    }
  }

  /** The sums by tenants and merchants. */
  merchants(): MerchantTotals[] {
    return [...this.#merchants.entries()]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([, totals]) => ({ ...totals, books: inOrder(totals.books) }))
  }

  /** The sums of all merchants together. */
  books(): BookTotals[] {
    const all: BookTotals[] = []
    for (const { books } of this.#merchants.values()) {
      for (const { book, currency, ...sums } of books) {
        const into = bookOf(all, book, currency)
        for (const entry of Object.keys(sums) as EntryType[]) {
          into[entry].count += sums[entry].count
          into[entry].amount += sums[entry].amount
        }
      }
    }
    return inOrder(all)
  }

  #merchantOf({ tenant_id, merchant_id, acceptor }: Omit<MerchantTotals, 'books'>) {
    const key = `${tenant_id} ${merchant_id ?? acceptor ?? ''}`
    const totals = this.#merchants.get(key) ?? { tenant_id, merchant_id, acceptor, books: [] }
    this.#merchants.set(key, totals)
    return totals
  }
}

function bookOf(books: BookTotals[], book: Book, currency: string): BookTotals {
  const known = books.find((one) => one.book === book && one.currency === currency)
  if (known) return known
  const added = { book, currency, ...none() }
  books.push(added)
  return added
}

const ORDER: readonly Book[] = ['ORDERS', 'ACQUIRER', 'ISSUER']
const inOrder = (books: readonly BookTotals[]) =>
  books.toSorted(
    (one, other) =>
      one.currency.localeCompare(other.currency) ||
      ORDER.indexOf(one.book) - ORDER.indexOf(other.book),
  )

/**
 * Compares the clearing files of a day with what was posted and booked of them (D-1331): each file
 * with its trailer, each record with its transfers, and each transaction that a file has presented,
 * or that the network settled on the day, with its records and with the account SETTLEMENT.
 */

import type { Db } from '#kit/db/database.ts'
import { listSettlementAccounts } from '../books/issuer.ts'
import type { Place } from '../books/own.ts'
import { portions } from '../books/walks.ts'
import type { Day } from '../rules/day.ts'
import {
  type FileOfDay,
  listFiles,
  listMisbooked,
  listMisposted,
  listPosted,
  listRecordSums,
  listSettled,
  listUnevenSuspense,
  type RecordSums,
} from './book.ts'
import { misbooked, misposted, sumsOf, unevenSuspense, unlikeTrailer } from './compare.ts'
import type { FileDifference, FileSums } from './kinds.ts'

type Asked = { day: Day; tenant_ids: readonly string[] }

/** Adds the sums of each file to `sums`. Differences come in portions, each once. */
export async function* compareFiles(
  db: Db,
  { day, tenant_ids }: Asked,
  sums: FileSums[],
): AsyncGenerator<FileDifference[]> {
  const known = new Set<string>()
  for (const file of await listFiles(db, day)) {
    const own = file.tenant_ids.filter((id) => tenant_ids.includes(id))
    const all: RecordSums[] = []
    for (const tenant_id of own) {
      const books = { db: db.forTenant(tenant_id), tenant_id, day }
      const of = await listRecordSums(books, file.id)
      all.push(...of)
      sums.push(...sumsOf(tenant_id, file, of))
      yield* compareRecords(books, file, known)
    }
    // The records of a tenant that was not asked for are not read.
    if (own.length === file.tenant_ids.length) yield unlikeTrailer(file, all)
  }
  for (const tenant_id of tenant_ids) {
    const books = { db: db.forTenant(tenant_id), tenant_id, day }
    yield* compareSettled(books, known)
    const uneven = await listUnevenSuspense(books)
    yield uneven.map((one) => unevenSuspense(tenant_id, one))
  }
}

type Books = { db: Db; tenant_id: string; day: Day }

async function* compareRecords(books: Books, { id, created }: FileOfDay, known: Set<string>) {
  const { tenant_id } = books
  const booked = await listMisbooked(books, id, created)
  yield booked.map((one) => misbooked(tenant_id, id, one))
  for (let after = 0; ; ) {
    const rows = await listPosted(books, id, after)
    yield await comparePosted(books, [...new Set(rows.map((row) => row.id))], known)
    const last = rows.at(-1)
    if (!last) return
    after = last.number
  }
}

/** A posting of a file without a record is found by the account of the network. */
async function* compareSettled(books: Books, known: Set<string>) {
  for (const account_id of await listSettlementAccounts(books)) {
    for (const side of ['credit_account_id', 'debit_account_id'] as const) {
      const list = (place: Place) => listSettled(books, books.day, { account_id, side }, place)
      for await (const rows of portions(list)) {
        const ids = new Set(rows.flatMap(({ transaction_id }) => transaction_id ?? []))
        yield await comparePosted(books, [...ids], known)
      }
    }
  }
}

/** Each transaction is named once. */
async function comparePosted(books: Books, ids: readonly string[], known: Set<string>) {
  const found = await listMisposted(books, ids)
  const fresh = found.filter(({ id }) => !known.has(id))
  for (const { id } of fresh) known.add(id)
  return fresh.flatMap((one) => misposted(books.tenant_id, one))
}

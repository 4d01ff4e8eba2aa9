/** Entries of one payment in the books of all tenants. */

import type { Db } from '#kit/db/database.ts'
import type { Payment } from '../rules/model.ts'
import { listIssuersOf, listTransactions } from './issuer.ts'
import { type Books, type Known, listByReferences, listTenantsOf } from './own.ts'

/** `db` is that of all tenants, and `books` those of one. */
type Across = { db: Db; books: Books }

/** Transactions by their retrieval references: those of the tenant itself, else of any other. */
export async function issuersOf({ db, books }: Across, payments: readonly Payment[]) {
  const rrns = [...new Set(payments.flatMap(({ rrn }) => rrn ?? []))]
  const own = await listTransactions(books, rrns)
  const found = Map.groupBy(own, ({ rrn }) => rrn)
  const rest = rrns.filter((rrn) => !found.has(rrn))
  if (rest.length === 0) return found
  for (const tenant_id of await listIssuersOf(db, rest)) {
    if (tenant_id === books.tenant_id) continue
    const others = await listTransactions({ db: db.forTenant(tenant_id), tenant_id }, rest)
    for (const one of others) found.set(one.rrn, [...(found.get(one.rrn) ?? []), one])
  }
  return found
}

/** Payments with these references: those of the tenant itself, else of any other. */
export async function knownOf({ db, books }: Across, rrns: readonly string[]): Promise<Known[]> {
  const known = await listByReferences(books, rrns)
  const names = new Set(known.map(({ rrn }) => rrn))
  const rest = rrns.filter((rrn) => !names.has(rrn))
  if (rest.length === 0) return known
  for (const tenant_id of await listTenantsOf(db, rest)) {
    const theirs = { ...books, db: db.forTenant(tenant_id), tenant_id }
    known.push(...(await listByReferences(theirs, rest)))
  }
  return known
}

/** An entry that was changed while it was compared is no difference (D-718). */
export const CHANGING = { reason: 'changing' } as const
export const asText = (read: unknown): string =>
  JSON.stringify(read, (_, value) => (typeof value === 'bigint' ? String(value) : value))

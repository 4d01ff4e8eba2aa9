/** The chargebacks of shops and the disputes of the issuer, payment by payment (D-1371). */

import type { Db } from '#kit/db/database.ts'
import { asText, CHANGING, issuersOf, knownOf } from './books/across.ts'
import {
  listByChargebacks,
  listByDisputes,
  listChargebacksOf,
  listDisputesOf,
} from './books/disputes.ts'
import { type Books, listPayments } from './books/own.ts'
import { portions } from './books/walks.ts'
import type { Merchants } from './books/whose.ts'
import { compareDisputed, type Disputed } from './rules/chargebacks.ts'
import type { Difference, IssuerTransaction, Open, Payment } from './rules/model.ts'

type Work = {
  db: Db
  asked: { tenant_id?: string; merchant_id?: string; own_issuer: boolean }
  progress: { disputed: Set<string>; merchants: Merchants }
  books: Books
}
type Findings = { differences: Difference[]; open: Open[] }

/** Payments that the chargebacks of these merchants name. */
export async function* chargedBack(
  work: Work,
  merchants: readonly string[],
): AsyncGenerator<Findings> {
  for (const merchant_id of merchants) {
    const list = portions((place) => listByChargebacks(work.books, merchant_id, place))
    for await (const rows of list) {
      yield await compare(
        work,
        rows.map(({ authorization_id }) => authorization_id),
      )
    }
  }
}

/** Payments that the disputes of the issuer name. One without a message is an unknown reference. */
export async function* disputedAt(work: Work): AsyncGenerator<Findings> {
  const { db, asked, books } = work
  for await (const rows of portions((place) => listByDisputes(books, place))) {
    const known = await knownOf(work, [...new Set(rows.map(({ rrn }) => rrn))])
    for (const [tenant_id, payments] of Map.groupBy(known, (one) => one.tenant_id)) {
      if (asked.tenant_id !== undefined && tenant_id !== asked.tenant_id) continue
      const theirs = { ...work, books: { ...books, db: db.forTenant(tenant_id), tenant_id } }
      yield await compare(
        theirs,
        payments.map(({ authorization_id }) => authorization_id),
      )
    }
  }
}

/** A difference is looked at again, since one side may have moved while the other was read. */
async function compare(work: Work, ids: readonly string[]): Promise<Findings> {
  const { asked, progress, books } = work
  const found: Findings = { differences: [], open: [] }
  const key = (id: string) => `${books.tenant_id} ${id}`
  const fresh = [...new Set(ids)].filter((id) => !progress.disputed.has(key(id)))
  for (const id of fresh) progress.disputed.add(key(id))
  const differing: Disputed[] = []
  for (const one of await read(work, fresh)) {
    if (asked.merchant_id !== undefined && one.merchant_id !== asked.merchant_id) continue
    if (compareDisputed(one, books.day).length > 0) differing.push(one)
  }
  const before = new Map(differing.map((one) => [one.payment.authorization_id, asText(one)]))
  for (const now of await read(work, [...before.keys()])) {
    const differences = compareDisputed(now, books.day)
    if (asText(now) === before.get(now.payment.authorization_id)) {
      found.differences.push(...differences)
    } else {
      found.open.push(...differences.map(({ kind: _, ...one }) => ({ ...one, ...CHANGING })))
    }
  }
  return found
}

async function read(work: Work, ids: readonly string[]): Promise<Disputed[]> {
  const { asked, progress, books } = work
  const payments = await listPayments(books, ids)
  const chargebacks = await listChargebacksOf(
    books,
    payments.flatMap(({ order }) => order?.id ?? []),
  )
  const isHere = ({ is_elsewhere }: Payment) => asked.own_issuer && !is_elsewhere
  const issuers = await issuersOf(work, payments.filter(isHere))
  const disputes = await disputesOf(work, [...issuers.values()].flat())
  return payments.map((payment) => {
    const transactions = (payment.rrn !== undefined && issuers.get(payment.rrn)) || []
    return {
      payment,
      merchant_id: payment.order?.merchant_id ?? progress.merchants.ofAcceptor(payment.acceptor),
      chargebacks: chargebacks.get(payment.order?.id ?? '') ?? [],
      issuer: isHere(payment)
        ? { transactions, disputes: transactions.flatMap(({ id }) => disputes.get(id) ?? []) }
        : undefined,
    }
  })
}

/** By their transactions. */
async function disputesOf({ db }: Work, transactions: readonly IssuerTransaction[]) {
  const found = []
  for (const [tenant_id, own] of Map.groupBy(transactions, (one) => one.tenant_id)) {
    const ids = own.map(({ id }) => id)
    found.push(...(await listDisputesOf(db.forTenant(tenant_id), tenant_id, ids)))
  }
  return Map.groupBy(found, ({ transaction_id }) => transaction_id)
}

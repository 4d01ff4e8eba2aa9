/**
 * Compares three books of a day: the orders of merchants with their captures and refunds, the
 * messages of the acquirer, and the transactions and the ledger of the issuer (D-715); and the
 * clearing files of the day with what was posted of them (D-1331). Here because neither API module
 * imports the other. It only reads, in portions, also while the program runs.
 */

import type { Db } from '#kit/db/database.ts'
import { invalid } from '#kit/http/answers/problems.ts'
import { asText, CHANGING, issuersOf, knownOf } from './books/across.ts'
import { listTransactions, type Trigger } from './books/issuer.ts'
import { type Books, listPayments } from './books/own.ts'
import { issuerPortions, ownPortions } from './books/walks.ts'
import { type Merchants, readMerchants, readTenants, type Tenant } from './books/whose.ts'
import { chargedBack, disputedAt } from './disputed.ts'
import { compareFiles } from './files/files.ts'
import type { FileDifference, FileSums } from './files/kinds.ts'
import { comparePayment } from './rules/compare.ts'
import { type Day, dayOf, isWithin } from './rules/day.ts'
import type { Compared, Difference, IssuerTransaction, Open, Payment } from './rules/model.ts'
import { Totals } from './rules/totals.ts'
import { unknownReference } from './rules/unknown.ts'

export type ReconciliationRequest = {
  /** YYYY-MM-DD, a day of UTC (D-716). */
  date: string
  tenant_id?: string
  merchant_id?: string
  /** Whether the issuer of the merchants is this program: else its book is not compared. */
  own_issuer: boolean
}

/** The data that a reconciliation has read so far. */
export type Progress = {
  payments: number
  /** Payments whose chargebacks or disputes were compared: by tenant and authorization. */
  disputed: Set<string>
  totals: Totals
  files: FileSums[]
  merchants: Merchants
  tenants: readonly Tenant[]
}

export type Findings = { differences: Difference[]; open: Open[]; files: FileDifference[] }

const nothing = (): Findings => ({ differences: [], open: [], files: [] })

/** Fails with `validation_failed` if there is no such tenant, or no such merchant of it. */
export async function begin(
  db: Db,
  { tenant_id, merchant_id }: ReconciliationRequest,
): Promise<Progress> {
  const whose = { tenant_id, merchant_id }
  const merchants = await readMerchants(db, whose)
  const tenants = await readTenants(db, whose)
  if (tenant_id !== undefined && tenants.length === 0) throw invalid('tenant_id', 'is no tenant')
  if (merchant_id !== undefined && !merchants.find(merchant_id)) {
    throw invalid('merchant_id', 'is no merchant, or one of another tenant')
  }
  const disputed = new Set<string>()
  return { payments: 0, disputed, totals: new Totals(), files: [], merchants, tenants }
}

/** Portion by portion; `progress` has the sums once it has ended. */
export async function* reconcile(
  db: Db,
  asked: ReconciliationRequest,
  progress: Progress,
): AsyncGenerator<Findings> {
  const day = dayOf(asked.date)
  const { tenants } = progress
  for (const { id: tenant_id } of tenants) {
    const books = { db: db.forTenant(tenant_id), tenant_id, day }
    const merchants = progress.merchants.idsOf(tenant_id)
    if (merchants.length === 0) continue
    for await (const ids of ownPortions(books, merchants)) {
      yield await compare({ db, asked, progress, books }, ids)
    }
    for await (const found of chargedBack({ db, asked, progress, books }, merchants)) {
      yield { ...nothing(), ...found }
    }
  }
  // A file is of cards, and of no merchant.
  if (asked.merchant_id === undefined) {
    const tenant_ids = tenants.map(({ id }) => id)
    for await (const files of compareFiles(db, { day, tenant_ids }, progress.files)) {
      yield { ...nothing(), files }
    }
  }
  if (!asked.own_issuer) return
  for (const { id: tenant_id, ahead_ms } of tenants) {
    const books = { db: db.forTenant(tenant_id), tenant_id, day }
    for await (const triggers of issuerPortions(books, ahead_ms)) {
      yield await compareOthers({ db, asked, progress, books }, triggers)
    }
    for await (const found of disputedAt({ db, asked, progress, books })) {
      yield { ...nothing(), ...found }
    }
  }
}

type Work = { db: Db; asked: ReconciliationRequest; progress: Progress; books: Books }
/** Which payments of a portion are compared: those of which the issuer's first entry is here. */
type Chosen = (payment: Payment, issuer: readonly IssuerTransaction[]) => boolean

async function compare(work: Work, ids: readonly string[], chosen?: Chosen): Promise<Findings> {
  const { asked, progress, books } = work
  const payments = await listPayments(books, ids)
  const issuers = await issuersOf(work, payments)
  const found = nothing()
  const changed = new Map<string, Compared>()
  for (const payment of payments) {
    const merchant_id =
      payment.order?.merchant_id ?? progress.merchants.ofAcceptor(payment.acceptor)
    if (asked.merchant_id !== undefined && merchant_id !== asked.merchant_id) continue
    const known = (payment.rrn !== undefined && issuers.get(payment.rrn)) || []
    if (chosen && !chosen(payment, known)) continue
    const isHere = asked.own_issuer && !payment.is_elsewhere
    const issuer = isHere || known.length > 0 ? known : undefined
    const compared = comparePayment({ payment, issuer, merchant_id, day: books.day })
    progress.payments += 1
    progress.totals.add(compared.counted)
    if (compared.differences.length > 0) changed.set(payment.authorization_id, compared)
    found.open.push(...compared.open)
  }
  await addUnchanged(books, payments, changed, found)
  return found
}

/**
 * The books were read one after another. A message is recorded before it is sent, so it is a
 * difference only if orders and messages are the same after the issuer's book was read.
 */
async function addUnchanged(
  books: Books,
  before: readonly Payment[],
  compared: ReadonlyMap<string, Compared>,
  found: Findings,
): Promise<void> {
  const earlier = new Map(before.map((one) => [one.authorization_id, one]))
  for (const now of await listPayments(books, [...compared.keys()])) {
    const { differences = [] } = compared.get(now.authorization_id) ?? {}
    if (asText(now) === asText(earlier.get(now.authorization_id))) {
      found.differences.push(...differences)
    } else {
      found.open.push(...differences.map(({ kind: _, ...one }) => ({ ...one, ...CHANGING })))
    }
  }
}

/** Transactions of the day that the issuer has and no other book has, and unknown references. */
async function compareOthers(work: Work, triggers: readonly Trigger[]): Promise<Findings> {
  const { db, asked, books } = work
  const rrns = [...new Set(triggers.map(({ rrn }) => rrn))]
  const known = await knownOf(work, rrns)
  const names = new Set(known.map(({ rrn }) => rrn))
  const unknown = await listTransactions(
    books,
    rrns.filter((rrn) => !names.has(rrn)),
  )
  const found = foundOf(work, unknown, triggers)
  const first = new Set(triggers.map(({ id }) => id))
  const untouched = Map.groupBy(
    known.filter(({ touched }) => !touched),
    ({ tenant_id }) => tenant_id,
  )
  for (const [tenant_id, payments] of untouched) {
    if (asked.tenant_id !== undefined && tenant_id !== asked.tenant_id) continue
    const theirs = { ...work, books: { ...books, db: db.forTenant(tenant_id), tenant_id } }
    const ids = payments.map(({ authorization_id }) => authorization_id)
    const more = await compare(theirs, ids, (_, issuer) => isFirst(issuer, books.day, first))
    found.differences.push(...more.differences)
    found.open.push(...more.open)
  }
  return found
}

/** So that a payment with several entries at the issuer is compared once. */
function isFirst(
  issuer: readonly IssuerTransaction[],
  day: Day,
  triggers: ReadonlySet<string>,
): boolean {
  const isOfDay = ({ created }: { created: Date }) => isWithin(day, created)
  const first = issuer.find(isOfDay) ?? issuer.flatMap(({ postings }) => postings).find(isOfDay)
  return first !== undefined && triggers.has(first.id)
}

function foundOf(
  { asked, progress, books }: Work,
  unknown: readonly IssuerTransaction[],
  triggers: readonly Trigger[],
): Findings {
  const named = new Set(triggers.map(({ transaction_id }) => transaction_id))
  const found = nothing()
  for (const transaction of unknown) {
    const merchant_id = progress.merchants.ofAcceptor(transaction.acceptor)
    if (!named.has(transaction.id)) continue
    if (asked.merchant_id !== undefined && merchant_id !== asked.merchant_id) continue
    const { differences, counted } = unknownReference(transaction, merchant_id, books.day)
    progress.payments += 1
    progress.totals.add(counted)
    found.differences.push(...differences)
  }
  return found
}

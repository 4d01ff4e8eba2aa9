/** A reconciliation as JSON. */

import { isCurrency } from '#lib/currency.ts'
import { formatAmount } from '#lib/money.ts'
import { type FileDifference, type FilePart, type FileSums, fileParts } from './files/kinds.ts'
import type { Progress, ReconciliationRequest } from './reconciliation.ts'
import { dayOf } from './rules/day.ts'
import type { Book, Kind } from './rules/kinds.ts'
import type { Difference, Open, Side, Sides } from './rules/model.ts'
import type { BookTotals, Sum } from './rules/totals.ts'

/** A code that is no currency, which a message can have, has no decimals. */
const major = (amount: bigint, currency: string): number =>
  isCurrency(currency) ? formatAmount(amount, currency) : Number(amount)

const sum = ({ count, amount }: Sum, currency: string) => ({
  count,
  amount: major(amount, currency),
})

const presentBook = ({ book, currency, ...of }: BookTotals) => ({
  book,
  currency,
  authorizations: sum(of.AUTHORIZATION, currency),
  captures: sum(of.CAPTURE, currency),
  refunds: sum(of.REFUND, currency),
})

const presentSide = ({ at: time, amount, currency, ...side }: Side) => ({
  ...side,
  amount: major(amount, currency),
  currency,
  time,
})

const MEMBERS = { ORDERS: 'orders', ACQUIRER: 'acquirer', ISSUER: 'issuer' } as const

function presentSides(sides: Sides) {
  const shown: Partial<Record<(typeof MEMBERS)[Book], ReturnType<typeof presentSide>>> = {}
  for (const [book, member] of Object.entries(MEMBERS) as [Book, (typeof MEMBERS)[Book]][]) {
    const side = sides[book]
    if (side) shown[member] = presentSide(side)
  }
  return shown
}

/** A member that is undefined is left out. */
function presentEntry({ sides, detail, ...entry }: Difference | Open) {
  const { tenant_id, merchant_id, order_id, order_reference, rrn } = entry
  return {
    entry: entry.entry,
    tenant_id,
    ...(merchant_id !== undefined && { merchant_id }),
    ...(order_id !== undefined && { order_id }),
    ...(order_reference !== undefined && { order_reference }),
    ...(rrn !== undefined && { rrn }),
    ...presentSides(sides),
    detail,
  }
}

export const presentDifference = (one: Difference): { kind: Kind } & Presented => ({
  kind: one.kind,
  ...presentEntry(one),
})
type Presented = ReturnType<typeof presentEntry>
export const presentOpen = (one: Open) => ({ reason: one.reason, ...presentEntry(one) })

const PARTS = {
  POSTED: 'posted',
  FEES: 'fees',
  SUSPENSE: 'suspense',
  RESOLVED: 'resolved',
  SHOWN: 'shown',
  WAITING: 'waiting',
} as const satisfies Record<FilePart, string>
type PartMember = (typeof PARTS)[FilePart]

function presentFile({ file_id, file, parts, count, amount, currency, tenant_id }: FileSums) {
  const shown = Object.fromEntries(
    fileParts.map((part) => [PARTS[part], sum(parts[part], currency)]),
  ) as Record<PartMember, ReturnType<typeof sum>>
  return {
    clearing_id: file_id,
    ...(file !== undefined && { file }),
    ...{ tenant_id, currency, records: sum({ count, amount }, currency) },
    ...shown,
  }
}

/** A member that is undefined is left out. */
export const presentFileDifference = (one: FileDifference) => {
  const { kind, tenant_id, file_id, number, transaction_id, detail } = one
  return {
    ...{ kind, tenant_id },
    ...(file_id !== undefined && { clearing_id: file_id }),
    ...(number !== undefined && { number }),
    ...(transaction_id !== undefined && { transaction_id }),
    detail,
  }
}

/** The results that are known when all is compared: counts and sums. */
export function presentSums({ payments, disputed, totals, files, merchants }: Progress) {
  return {
    payments,
    ...(disputed.size > 0 && { disputed_payments: disputed.size }),
    books: totals.books().map(presentBook),
    files: files.map(presentFile),
    merchants: totals.merchants().map(({ tenant_id, merchant_id, acceptor, books }) => {
      const merchant = merchant_id === undefined ? undefined : merchants.find(merchant_id)
      return {
        tenant_id,
        ...(merchant_id !== undefined && { merchant_id }),
        ...(merchant && { merchant_name: merchant.name }),
        ...(!merchant && acceptor !== undefined && { card_acceptor_id: acceptor }),
        books: books.map(presentBook),
      }
    }),
  }
}

export function presentHead({ date, own_issuer }: ReconciliationRequest, as_of: Date) {
  const issuer = own_issuer ? 'OWN' : 'ELSEWHERE'
  return { date, ...dayOf(date), as_of, issuer } as const
}

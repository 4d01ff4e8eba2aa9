/** A reconciliation as CSV: each difference, each open entry, and the sums of each merchant. */

import { csvLine, csvText } from '#lib/csv.ts'
import { formatInstant } from '#lib/time.ts'
import type { FileDifference, FileSums } from './files/kinds.ts'
import type { Findings, Progress } from './reconciliation.ts'
import { type Book, books, entryTypes } from './rules/kinds.ts'
import type { Difference, Open, Side } from './rules/model.ts'
import { decimal } from './rules/words.ts'

const OWN = [
  ...([
    'record',
    'kind',
    'entry',
    'tenant_id',
    'merchant_id',
    'order_id',
    'order_reference',
  ] as const),
  ...(['rrn', 'book', 'count', 'amount', 'currency'] as const),
] as const
type OwnColumn = (typeof OWN)[number]
const SIDE = ['id', 'amount', 'currency', 'time'] as const
const sideColumns = books.flatMap((book) => SIDE.map((name) => `${book.toLowerCase()}_${name}`))

export const headerLine = csvLine([...OWN, ...sideColumns, 'detail'])

const NO_SIDES = sideColumns.map(() => '')

function sideCells(side: Side | undefined): string[] {
  if (!side) return SIDE.map(() => '')
  const { id, amount, currency, at } = side
  return [id, decimal(amount, currency), csvText(currency), formatInstant(at)]
}

const lineOf = (own: Partial<Record<OwnColumn, string>>, sides: string[], detail: string) =>
  csvLine([...OWN.map((name) => own[name] ?? ''), ...sides, csvText(detail)])

function entryLine(record: string, kind: string, found: Difference | Open): string {
  const { entry, tenant_id, merchant_id, order_id, order_reference, rrn, sides, detail } = found
  const own = {
    record,
    kind,
    entry,
    tenant_id,
    merchant_id: merchant_id ?? '',
    order_id: order_id ?? '',
    order_reference: csvText(order_reference ?? ''),
    rrn: csvText(rrn ?? ''),
  }
  return lineOf(
    own,
    books.flatMap((book: Book) => sideCells(sides[book])),
    detail,
  )
}

function fileLine({ kind, tenant_id, transaction_id, detail }: FileDifference): string {
  const own = { record: 'FILE_DIFFERENCE', kind, tenant_id, book: 'FILES' }
  const issuer = { issuer_id: transaction_id ?? '' }
  const sides = sideColumns.map((name) => (name === 'issuer_id' ? issuer.issuer_id : ''))
  return lineOf(own, sides, detail)
}

function fileSumLine({ tenant_id, file, file_id, count, amount, currency }: FileSums): string {
  const sum = { count: String(count), amount: decimal(amount, currency) }
  const own = { record: 'FILE', tenant_id, book: 'FILES', ...sum, currency: csvText(currency) }
  return lineOf(own, NO_SIDES, file ?? file_id)
}

export const foundLines = ({ differences, open, files }: Findings): string =>
  [
    ...files.map(fileLine),
    ...differences.map((one) => entryLine('DIFFERENCE', one.kind, one)),
    ...open.map((one) => entryLine('OPEN', one.reason, one)),
  ].join('')

/** A line for each file, and for each merchant, book, currency and type of entry. */
export function sumLines({ totals, files, merchants }: Progress): string {
  const lines = files.map(fileSumLine)
  for (const { tenant_id, merchant_id, acceptor, books: sums } of totals.merchants()) {
    const name = merchant_id === undefined ? acceptor : merchants.find(merchant_id)?.name
    for (const { book, currency, ...of } of sums) {
      for (const entry of entryTypes) {
        const { count, amount } = of[entry]
        const own = {
          record: 'SUM',
          entry,
          tenant_id,
          merchant_id: merchant_id ?? '',
          book,
          count: String(count),
          amount: decimal(amount, currency),
          currency: csvText(currency),
        }
        lines.push(lineOf(own, NO_SIDES, name ?? ''))
      }
    }
  }
  return lines.join('')
}

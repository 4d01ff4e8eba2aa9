/** The settlement file of a day, line by line (docs/acquirer.md, D-721). */

import { csvLine } from '#lib/csv.ts'
import { formatInstant } from '#lib/time.ts'
import { decimal } from '../reconciliation/rules/words.ts'

/** Captures and refunds, and what disputes took of a shop and gave back to it (D-1412). */
export const recordTypes = [
  ...(['CAPTURE', 'REFUND', 'CHARGEBACK', 'CHARGEBACK_REVERSAL', 'CHARGEBACK_FEE'] as const),
] as const
export type RecordType = (typeof recordTypes)[number]

/** A capture or a refund that the issuer has approved, or a part of a dispute of the payment. */
export type SettlementRecord = {
  type: RecordType
  /** DE37, DE11, DE7, DE38 of the payment, DE42 and DE41. */
  rrn: string
  stan: string
  transmitted: string
  approval_code: string
  card_acceptor_id: string
  terminal_id: string
  /** Minor units. */
  amount: bigint
  currency: string
  /** When its approval, or the part of the dispute, was recorded. */
  time: Date
}

export const COLUMNS = [
  ...(['record', 'number', 'type', 'rrn', 'stan', 'transmitted', 'approval_code'] as const),
  ...(['card_acceptor_id', 'terminal_id', 'amount', 'currency', 'time', 'count'] as const),
  ...(['file', 'acquirer_id', 'date'] as const),
] as const
type Cells = Partial<Record<(typeof COLUMNS)[number], string>>

const lineOf = (cells: Cells) => csvLine(COLUMNS.map((name) => cells[name] ?? ''))

/** `amount` in minor units. */
export type Sum = {
  type: SettlementRecord['type']
  currency: string
  count: number
  amount: bigint
}

/**
 * The name by which the other side knows a file: the acquirer and the day, as 60400000001-20261125.
 */
export const fileName = (acquirer_id: string, date: string): string =>
  `${acquirer_id}-${date.replaceAll('-', '')}`

/**
 * Writes a file whole: the names of the columns, HEADER, each RECORD, the SUMs and the TRAILER. The
 * same records give the same bytes. It holds the sums only.
 */
export class SettlementFile {
  readonly #sums = new Map<string, Sum>()
  readonly #of: { acquirer_id: string; date: string }
  #count = 0

  constructor(of: { acquirer_id: string; date: string }) {
    this.#of = of
  }

  get count(): number {
    return this.#count
  }

  get #file(): string {
    return fileName(this.#of.acquirer_id, this.#of.date)
  }

  begin(): string {
    const header = lineOf({ record: 'HEADER', file: this.#file, ...this.#of })
    return csvLine([...COLUMNS]) + header
  }

  records(records: readonly SettlementRecord[]): string {
    return records.map((record) => this.#record(record)).join('')
  }

  end(): string {
    const sums = [...this.#sums.entries()].toSorted(([one], [other]) => (one < other ? -1 : 1))
    const lines = sums.map(([, { type, currency, count, amount }]) => {
      const figures = { count: String(count), amount: decimal(amount, currency) }
      return lineOf({ record: 'SUM', type, currency, ...figures })
    })
    const count = String(this.#count)
    return lines.join('') + lineOf({ record: 'TRAILER', file: this.#file, count })
  }

  #record({ amount, time, ...record }: SettlementRecord): string {
    const { type, currency } = record
    const sum = this.#sums.get(`${currency} ${type}`) ?? { type, currency, count: 0, amount: 0n }
    sum.count += 1
    sum.amount += amount
    this.#sums.set(`${currency} ${type}`, sum)
    this.#count += 1
    return lineOf({
      record: 'RECORD',
      number: String(this.#count),
      ...record,
      amount: decimal(amount, currency),
      time: formatInstant(time),
    })
  }
}

/** Rows to API objects: minor units become decimals. */

import { formatAmount } from '#lib/money.ts'
import type { ExportRow } from './outgoing/store.ts'
import type { RecordRow, RecordSum } from './record_store.ts'
import type { Clearing, ClearingExport, ClearingRecordAnswer } from './schema.ts'
import type { FileRow } from './store.ts'

const directionOf = (credit: boolean): 'DEBIT' | 'CREDIT' => (credit ? 'CREDIT' : 'DEBIT')

const major = (amount: bigint | null, currency: string | null): number | null =>
  amount === null || currency === null ? null : formatAmount(amount, currency)

type Present<Members> = { [Name in keyof Members]?: Exclude<Members[Name], null | undefined> }

/** The members that are there: an answer has none without a value. */
const those = <Members extends object>(members: Members): Present<Members> =>
  // The rest has no member that is null.
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null && value !== undefined),
  ) as Present<Members>

/** `sums` are those of its records; without them an accepted file is taken as posted. */
export function presentFile(row: FileRow, sums?: readonly RecordSum[]): Clearing {
  const isPosting = sums?.some(({ state }) => state === 'WAITING') ?? false
  const accepted = isPosting ? 'POSTING' : 'POSTED'
  return {
    id: row.id,
    ...those({ file: row.file, sha256: row.digest?.toString('hex') }),
    state: row.state === 'ACCEPTED' ? accepted : row.state,
    records: row.records,
    faults_count: row.fault_count,
    faults: row.faults,
    created: row.created,
    ...(sums !== undefined && { sums: sums.map(presentSum) }),
  }
}

const presentSum = ({ state, kind, currency, credit, count, amount }: RecordSum) => ({
  state,
  kind,
  ...those({ currency }),
  direction: directionOf(credit),
  count,
  amount: currency === null ? 0 : formatAmount(amount, currency),
})

export function presentRecord(tenant_id: string, row: RecordRow): ClearingRecordAnswer {
  return {
    number: row.number,
    byte: Number(row.place),
    tenant_id,
    mti: row.mti,
    function_code: row.function_code,
    kind: row.kind,
    state: row.state,
    direction: directionOf(row.credit),
    reversed: row.reversed,
    ...those({
      amount: major(row.amount, row.currency),
      currency: row.currency,
      booked_amount: major(row.booked_amount, row.booked_currency),
      booked_currency: row.booked_currency,
      card_id: row.card_id,
      transaction_id: row.transaction_id,
      dispute_id: row.dispute_id,
      status_code: row.status_code,
      reason: row.reason,
      resolution: row.resolution,
      note: row.note,
      resolved: row.resolved,
    }),
    content: row.content,
  }
}

export const presentExport = (row: ExportRow): ClearingExport => ({
  id: row.id,
  file: row.file,
  messages: row.messages,
  amount: row.amount,
  created: row.created,
})

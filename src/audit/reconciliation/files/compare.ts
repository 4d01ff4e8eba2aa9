/** The differences of clearing files, as sentences with amounts. Pure. */

import { amountText } from '../rules/words.ts'
import type { BookedRecord, FileOfDay, Presented, RecordSums, Suspense } from './book.ts'
import { type FileDifference, type FileSums, fileParts, type PartSum } from './kinds.ts'

const NOWHERE = { file_id: undefined, number: undefined, transaction_id: undefined }

/** The sums of a file in each currency; records without an amount are in none. */
export function sumsOf(
  tenant_id: string,
  { id, file }: FileOfDay,
  sums: readonly RecordSums[],
): FileSums[] {
  const byCurrency = Map.groupBy(
    sums.filter(({ currency }) => currency !== null),
    ({ currency }) => currency ?? '',
  )
  return [...byCurrency].map(([currency, all]): FileSums => {
    const sumOf = (of: readonly RecordSums[]): PartSum => ({
      count: of.reduce((count, one) => count + one.count, 0),
      amount: of.reduce((amount, one) => amount + one.amount, 0n),
    })
    const parts = Object.fromEntries(
      fileParts.map((part) => [part, sumOf(all.filter((one) => one.part === part))]),
    ) as FileSums['parts']
    const head = { tenant_id, file_id: id, file: file ?? undefined, currency }
    return { ...head, ...sumOf(all), parts }
  })
}

/** `sums` are those of all its tenants. */
export function unlikeTrailer(
  { id, records, amount, tenant_ids }: FileOfDay,
  sums: readonly RecordSums[],
): FileDifference[] {
  const count = sums.reduce((all, one) => all + one.count, 0)
  const digits = sums.reduce((all, one) => all + BigInt(one.digits), 0n)
  if (count === records && digits === BigInt(amount)) return []
  const detail =
    `The trailer of file ${id} has ${records} records of ${amount}, and ${count} of ${digits} ` +
    'are stored.'
  const [tenant_id = ''] = tenant_ids
  return [{ ...NOWHERE, kind: 'other_sum', tenant_id, file_id: id, detail }]
}

export function misbooked(tenant_id: string, file_id: string, one: BookedRecord): FileDifference {
  const { number, wanted, made, state, settles, settled, currency } = one
  const name = `Record ${number} of file ${file_id} of ${amountText(one)} (${state})`
  const at = { ...NOWHERE, tenant_id, file_id, number }
  if (made !== wanted) {
    const kind = made > wanted ? ('doubled_booking' as const) : ('missing_booking' as const)
    return { ...at, kind, detail: `${name} has ${made} bookings, and should have ${wanted}.` }
  }
  const [has, should] = [settled, settles].map((amount) => amountText({ amount, currency }))
  const detail = `${name} has settled ${has}, and should settle ${should}.`
  return { ...at, kind: 'other_booking', detail }
}

export function misposted(tenant_id: string, one: Presented): FileDifference[] {
  const { id, currency, account_currency, presentments, records, presented, recorded } = one
  const { cleared, settled } = one
  const at = {
    ...{ tenant_id, transaction_id: id },
    ...{ file_id: one.file_id ?? undefined, number: one.number ?? undefined },
  }
  const text = (amount: bigint, of: string) => amountText({ amount, currency: of })
  const found: FileDifference[] = []
  if (presentments !== records || presented !== recorded) {
    const more = presentments > records ? ('missing_record' as const) : ('missing_posting' as const)
    const detail =
      `Transaction ${id} was presented by files ${presentments} times with ` +
      `${text(presented, currency)}, and has ${records} records of ${text(recorded, currency)}.`
    found.push({ ...at, kind: presentments === records ? 'other_posting' : more, detail })
  }
  if (cleared !== settled) {
    const detail =
      `Transaction ${id} has cleared ${text(cleared, account_currency)}, and SETTLEMENT got ` +
      `${text(settled, account_currency)}.`
    found.push({ ...at, kind: 'other_settlement', detail })
  }
  return found
}

export function unevenSuspense(
  tenant_id: string,
  { currency, has, waits }: Suspense,
): FileDifference {
  const [account, records] = [has, waits].map((amount) => amountText({ amount, currency }))
  const detail = `SUSPENSE has ${account}, and the records that wait there sum to ${records}.`
  return { ...NOWHERE, kind: 'other_suspense', tenant_id, detail }
}

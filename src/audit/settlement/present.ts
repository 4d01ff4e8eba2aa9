import { isCurrency } from '#lib/currency.ts'
import { formatAmount } from '#lib/money.ts'
import type { FindingKind } from './compare.ts'
import type { Settlement, SettlementSummary } from './schema.ts'
import type { FileRow, KeptFinding } from './store.ts'

/** A code that is no currency, which a transaction can have, has no decimals. */
const major = (amount: string, currency: string): number =>
  isCurrency(currency) ? formatAmount(BigInt(amount), currency) : Number(amount)

/** How many findings a file has. */
export const findingsOf = ({ counts }: Pick<FileRow, 'counts'>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)

export function presentSummary(row: FileRow): SettlementSummary {
  const { id, file, acquirer_id, date, records, over_midnight, created } = row
  const findings_count = findingsOf(row)
  return {
    id,
    file,
    acquirer_id,
    date,
    sha256: row.digest.toString('hex'),
    records,
    sums: row.sums.map((sum) => ({ ...sum, amount: major(sum.amount, sum.currency) })),
    status: findings_count === 0 ? 'AGREES' : 'DIFFERS',
    findings_count,
    // The keys of a record of kinds.
    findings_by_kind: (Object.keys(row.counts) as FindingKind[]).map((kind) => ({
      kind,
      count: row.counts[kind] ?? 0,
    })),
    over_midnight,
    created,
  }
}

export const presentSettlement = (row: FileRow): Settlement => ({
  ...presentSummary(row),
  findings: row.findings.map(presentFinding),
})

function presentFinding({ record, issuer, ...finding }: KeptFinding): Settlement['findings'][0] {
  return {
    ...finding,
    ...(record && { record: { ...record, amount: major(record.amount, record.currency) } }),
    ...(issuer && {
      issuer: {
        ...issuer,
        amount: major(issuer.amount, issuer.currency),
        time: new Date(issuer.time),
      },
    }),
  }
}

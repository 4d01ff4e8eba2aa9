/** The import of a settlement file as lines for a terminal. */

import { printable } from '#lib/printable.ts'
import { amountText } from '../reconciliation/rules/words.ts'
import type { Finding } from './compare.ts'
import type { RecordType } from './file.ts'
import { findingsOf } from './present.ts'
import type { FileRow } from './store.ts'

export const findingText = ({ kind, record, issuer, rrn, detail }: Finding): string => {
  const number = record === undefined ? '' : `  record ${record.number}`
  const tenant = issuer === undefined ? '' : `  tenant ${issuer.tenant_id}`
  return printable(`${kind}${number}${tenant}  reference ${rrn}: ${detail}`)
}

const NOUNS: Readonly<Record<RecordType, string>> = {
  CAPTURE: 'captures',
  REFUND: 'refunds',
  CHARGEBACK: 'chargebacks',
  CHARGEBACK_REVERSAL: 'reversals of chargebacks',
  CHARGEBACK_FEE: 'fees of chargebacks',
}

export function fileText(row: FileRow): string[] {
  const sums = row.sums.map(({ type, currency, count, amount }) => {
    return `${count} ${NOUNS[type]} of ${amountText({ amount: BigInt(amount), currency })}`
  })
  const near = row.over_midnight
  const found = findingsOf(row)
  return [
    `${row.file}: ${row.records} records${sums.length > 0 ? `, ${sums.join(', ')}` : ''}`,
    ...(near > 0 ? [`near midnight, and perhaps in the file of the day beside: ${near}`] : []),
    found === 0 ? 'nothing differs' : `findings: ${found}`,
  ]
}

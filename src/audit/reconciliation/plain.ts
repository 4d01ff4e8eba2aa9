/** A reconciliation as lines for a terminal. */

import { printable } from '#lib/printable.ts'
import { type FileSums, fileParts } from './files/kinds.ts'
import type { Findings, Progress } from './reconciliation.ts'
import { entryTypes } from './rules/kinds.ts'
import type { Difference, Open } from './rules/model.ts'
import { amountText } from './rules/words.ts'

const COUNTED = { AUTHORIZATION: 'payments', CAPTURE: 'captures', REFUND: 'refunds' } as const

function entryText(name: string, { rrn, order_reference, tenant_id, detail }: Difference | Open) {
  const order = order_reference === undefined ? '' : `  order ${order_reference}`
  const reference = rrn === undefined ? '' : `  reference ${rrn}`
  return printable(`${name}  tenant ${tenant_id}${order}${reference}: ${detail}`)
}

const fileText = ({ file, file_id, tenant_id, currency, parts, count, amount }: FileSums) => {
  const shown = fileParts.flatMap((part) => {
    const sum = parts[part]
    if (sum.count === 0) return []
    return [`${sum.count} ${part.toLowerCase()} of ${amountText({ amount: sum.amount, currency })}`]
  })
  const all = `${count} records of ${amountText({ amount, currency })}`
  return printable(`file ${file ?? file_id}  tenant ${tenant_id}: ${all}: ${shown.join(', ')}`)
}

export const foundText = ({ differences, open, files }: Findings): string[] => [
  ...files.map(({ kind, tenant_id, detail }) =>
    printable(`${kind}  tenant ${tenant_id}: ${detail}`),
  ),
  ...differences.map((one) => entryText(one.kind, one)),
  ...open.map((one) => entryText(`open (${one.reason})`, one)),
]

export function sumText({ payments, disputed, totals, files }: Progress): string[] {
  const books = totals.books().map(({ book, currency, ...of }) => {
    const parts = entryTypes.map((entry) => {
      const { count, amount } = of[entry]
      return `${count} ${COUNTED[entry]} of ${amountText({ amount, currency })}`
    })
    return `${book.toLowerCase()}: ${parts.join(', ')}`
  })
  const disputes = disputed.size > 0 ? [`disputed payments compared: ${disputed.size}`] : []
  return [`payments compared: ${payments}`, ...disputes, ...books, ...files.map(fileText)]
}

/** A reconciliation as lines for a terminal. */

import { printable } from '#lib/printable.ts'
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

export const foundText = ({ differences, open }: Findings): string[] => [
  ...differences.map((one) => entryText(one.kind, one)),
  ...open.map((one) => entryText(`open (${one.reason})`, one)),
]

export function sumText({ payments, totals }: Progress): string[] {
  const books = totals.books().map(({ book, currency, ...of }) => {
    const parts = entryTypes.map((entry) => {
      const { count, amount } = of[entry]
      return `${count} ${COUNTED[entry]} of ${amountText({ amount, currency })}`
    })
    return `${book.toLowerCase()}: ${parts.join(', ')}`
  })
  return [`payments compared: ${payments}`, ...books]
}

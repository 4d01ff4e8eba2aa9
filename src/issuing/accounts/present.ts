/** Accounts as JSON; their entries as JSON and as lines of CSV, member for member. */

import { csvLine, csvText } from '#lib/csv.ts'
import { formatAmount, formatDecimal } from '#lib/money.ts'
import { formatInstant } from '#lib/time.ts'
import { entryType } from './rules.ts'
import type { EntryRow } from './statement_store.ts'
import type { AccountRow } from './store.ts'

/** D-35: the ledger balance is what was posted, available is posted less held. */
export function presentAccount(row: AccountRow) {
  const { created_text: _, held, ...account } = row
  // Card accounts store their balance: constraint accounts_kept_or_summed.
  const balance = row.balance ?? 0n
  return {
    ...account,
    balance: formatAmount(balance, row.currency),
    available_balance: formatAmount(balance - held, row.currency),
    held_amount: formatAmount(held, row.currency),
  }
}
export type AccountAnswer = ReturnType<typeof presentAccount>

export function presentEntry(row: EntryRow) {
  const { id, currency, transaction_id, card_id, merchant, notes, created } = row
  return {
    id,
    type: entryType(row.kind, row.transaction_type),
    amount: formatAmount(row.amount, currency),
    currency,
    balance: formatAmount(row.balance, currency),
    transaction_id,
    card_id,
    merchant,
    notes,
    created,
  }
}

type Column = [name: string, cell: (row: EntryRow) => string]

const merchantColumns = (['id', 'name', 'mcc', 'city', 'country'] as const).map(
  (member): Column => [`merchant_${member}`, ({ merchant }) => csvText(merchant?.[member] ?? '')],
)

/** Free text passes csvText; the rest are numbers, ids, instants and values of the platform. */
const columns: readonly Column[] = [
  ['id', ({ id }) => id],
  ['created', ({ created }) => formatInstant(created)],
  ['type', ({ kind, transaction_type }) => entryType(kind, transaction_type)],
  ['amount', ({ amount, currency }) => formatDecimal(amount, currency)],
  ['currency', ({ currency }) => currency],
  ['balance', ({ balance, currency }) => formatDecimal(balance, currency)],
  ['transaction_id', ({ transaction_id }) => transaction_id ?? ''],
  ['card_id', ({ card_id }) => card_id ?? ''],
  ...merchantColumns,
  ['notes', ({ notes }) => csvText(notes ?? '')],
]

export const headerLine = csvLine(columns.map(([name]) => name))
export const entryLine = (row: EntryRow): string => csvLine(columns.map(([, cell]) => cell(row)))

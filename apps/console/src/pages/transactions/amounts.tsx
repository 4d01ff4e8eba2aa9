import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Transaction, TransactionEntry } from '../../api/types.ts'
import { type Column, Listing } from '../../parts/listing.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, Money } from '../../parts/values.tsx'
import { entriesOf } from './data.ts'

type Row = { id: string; name: string; own?: ReactNode; rate?: string; billed?: ReactNode }

/** Fee, rate and settlement: every amount of the payment, in its currency and the account's. */
export function Amounts({ transaction }: { transaction: Transaction }) {
  const { t } = useTranslation()
  const { data } = useQuery(entriesOf(transaction))
  const rows = useRows(transaction, data?.data ?? [])
  return (
    <Panel title={t('payment.amounts')} flush>
      <Listing
        label={t('payment.amounts')}
        rows={rows}
        empty={null}
        isNamed
        columns={useColumns(transaction)}
      />
    </Panel>
  )
}

/** A payment in the currency of the account has one amount of each row, and no rate. */
function useColumns({ currency, billing_currency = currency }: Transaction): Column<Row>[] {
  const { t } = useTranslation()
  const name: Column<Row> = { title: t('payment.amount_of'), cell: (row) => row.name }
  if (billing_currency === currency) {
    const cell = ({ billed, own }: Row) => billed ?? own
    return [name, { title: t('fields.amount'), isFigure: true, cell }]
  }
  return [
    name,
    { title: t('payment.in_payment'), isFigure: true, cell: ({ own }) => own ?? '–' },
    {
      title: t('payment.rate'),
      isFigure: true,
      cell: ({ rate }) => (rate === undefined ? '–' : <Code>{rate}</Code>),
    },
    { title: t('payment.in_account'), isFigure: true, cell: ({ billed }) => billed ?? '–' },
  ]
}

function useRows(transaction: Transaction, entries: readonly TransactionEntry[]): Row[] {
  const { t } = useTranslation()
  const { amount, currency, billing_amount, rate, status, clearing_rate } = transaction
  const { cleared_amount, refunded_amount, billing_currency = currency } = transaction
  const billed = (sum: number) => <Money amount={sum} currency={billing_currency} />
  const first = {
    id: 'first',
    name: t(`payment.kinds.${status === 'DECLINED' ? 'requested' : 'authorized'}`),
    own: <Money amount={amount} currency={currency} />,
    ...(rate !== undefined && { rate }),
    ...(billing_amount !== undefined && { billed: billed(billing_amount) }),
  }
  const cleared = {
    id: 'cleared',
    name: t('payment.kinds.cleared'),
    ...(clearing_rate !== undefined && { rate: clearing_rate }),
    billed: billed(cleared_amount),
  }
  const refunded = {
    id: 'refunded',
    name: t('payment.kinds.refunded'),
    billed: billed(refunded_amount),
  }
  const moved = sumsOf(entries).map(
    ({ kind, sum, currency: of }): Row => ({
      id: `${kind} ${of}`,
      name: t(`payment.kinds.${kind}`),
      billed: <Money amount={sum} currency={of} />,
    }),
  )
  return [
    first,
    ...(cleared_amount > 0 ? [cleared] : []),
    ...(refunded_amount > 0 ? [refunded] : []),
    ...moved,
  ]
}

type Kind = 'fee' | 'fee_back' | 'settlement' | 'difference'
type Sum = { kind: Kind; currency: string; sum: number }

/** Fees that the account paid, what the network gets, and what the rates have made of it. */
function kindOf({ kind, account_kind }: TransactionEntry): Kind | undefined {
  if (account_kind === 'FEES') return kind === 'CHARGE_REVERSAL' ? 'fee_back' : 'fee'
  if (account_kind === 'SETTLEMENT') return 'settlement'
  return account_kind === 'FX' ? 'difference' : undefined
}

/** The sum that each of these accounts has got; money that was given back is a fee of the other way. */
function sumsOf(entries: readonly TransactionEntry[]): Sum[] {
  const sums = new Map<string, Sum>()
  for (const entry of entries) {
    const kind = kindOf(entry)
    if (kind === undefined) continue
    const { currency, amount, side } = entry
    const key = `${kind} ${currency}`
    const { sum } = sums.get(key) ?? { sum: 0 }
    const isBack = kind === 'fee_back'
    const signed = (side === 'CREDIT') === isBack ? -amount : amount
    sums.set(key, { kind, currency, sum: Number((sum + signed).toFixed(4)) })
  }
  return [...sums.values()]
}

import { IconListDetails } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Transaction, TransactionEntry } from '../../api/types.ts'
import { lists } from '../../i18n/en/lists.ts'
import { Empty } from '../../parts/empty.tsx'
import { type Column, Listing } from '../../parts/listing.tsx'
import { ObjectLink } from '../../parts/object_link.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, Money, When } from '../../parts/values.tsx'
import { entriesOf } from './data.ts'

/** Entries of the ledger for it: each movement takes from one account and adds to another. */
export function Entries({ transaction }: { transaction: Transaction }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(entriesOf(transaction))
  const entries = data?.data
  const of = (wanted: TransactionEntry['side']) => (entry: TransactionEntry) =>
    entry.side === wanted && <Money amount={entry.amount} currency={entry.currency} />
  const columns: Column<TransactionEntry>[] = [
    { title: t('fields.account'), cell: (entry) => <Account entry={entry} /> },
    { title: t('transactions.movement'), cell: ({ kind }) => <Code>{kind}</Code> },
    { title: t('fields.created'), cell: ({ created }) => <When at={created} /> },
    { title: t('transactions.debit'), isFigure: true, cell: of('DEBIT') },
    { title: t('transactions.credit'), isFigure: true, cell: of('CREDIT') },
  ]
  return (
    <Panel title={t('transactions.entries')} flush>
      <Listing
        label={t('transactions.entries')}
        columns={columns}
        rows={entries}
        error={error}
        retry={refetch}
        expected={2}
        sums={sumsOf(entries ?? [], t('transactions.sum'))}
        empty={
          <Empty
            isSmall
            icon={IconListDetails}
            title={t('transactions.no_entries')}
            text={t(`transactions.${NONE[transaction.status] ?? 'no_entries_text'}`)}
          />
        }
      />
    </Panel>
  )
}

/** Why there are no entries. */
const NONE: Partial<Record<string, 'no_entries_held' | 'no_entries_declined'>> = {
  PENDING: 'no_entries_held',
  DECLINED: 'no_entries_declined',
}

const KINDS = lists.transactions.account_kinds

function Account({ entry: { account_id, account_kind } }: { entry: TransactionEntry }) {
  const { t } = useTranslation()
  const name = Object.hasOwn(KINDS, account_kind)
    ? t(`transactions.account_kinds.${account_kind}`)
    : account_kind
  if (account_kind !== 'CARD') return name
  return <ObjectLink to={`/accounts/${account_id}`}>{name}</ObjectLink>
}

/** Debits and credits of each currency, which are the same. */
function sumsOf(entries: readonly TransactionEntry[], name: string) {
  const currencies = [...new Set(entries.map(({ currency }) => currency))]
  const sum = (currency: string, side: TransactionEntry['side']) =>
    entries
      .filter((entry) => entry.currency === currency && entry.side === side)
      .reduce((total, { amount }) => total + amount, 0)
  return currencies.map((currency) => {
    const [debit, credit] = (['DEBIT', 'CREDIT'] as const).map((side) => (
      <Money key={side} amount={sum(currency, side)} currency={currency} />
    ))
    return { id: currency, cells: [name, null, null, debit, credit] }
  })
}

import { IconArrowsExchange } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Transaction } from '../api/types.ts'
import { Empty } from './empty.tsx'
import type { Column } from './listing.tsx'
import { Code, Money, Status, When } from './values.tsx'

type Options = {
  /** Why a declined one was declined. */
  whyOf?: ((declined: Transaction) => string) | undefined
}

/** Columns of a list of transactions. */
export function useTransactionColumns({ whyOf }: Options = {}): Column<Transaction>[] {
  const { t } = useTranslation()
  return [
    {
      title: t('fields.merchant'),
      cell: ({ merchant, transaction_type }) => (
        <bdi>{merchant.name ?? merchant.id ?? transaction_type}</bdi>
      ),
    },
    { title: t('fields.status'), cell: ({ status }) => <Status>{status}</Status> },
    {
      title: t('fields.status_code'),
      cell: (row) => (
        <>
          <Code>{row.status_code}</Code>
          {whyOf && row.status === 'DECLINED' && <bdi> {whyOf(row)}</bdi>}
        </>
      ),
    },
    { title: t('fields.created'), cell: ({ created }) => <When at={created} /> },
    {
      title: t('fields.amount'),
      isFigure: true,
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
  ]
}

/** `isSmall` is for one of many regions of a page. */
export function NoTransactions({ isSmall = false }: { isSmall?: boolean }) {
  const { t } = useTranslation()
  return (
    <Empty
      isSmall={isSmall}
      icon={IconArrowsExchange}
      title={t('no_transactions.title')}
      text={t('no_transactions.text')}
    />
  )
}

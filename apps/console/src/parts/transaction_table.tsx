import { useTranslation } from 'react-i18next'
import type { Transaction } from '../api/types.ts'
import { Listing, type ListingProps } from './listing.tsx'
import { NoTransactions, useTransactionColumns } from './transaction_columns.tsx'

type TransactionTableProps = Pick<
  ListingProps<Transaction>,
  'rows' | 'error' | 'retry' | 'expected'
> & { whyOf?: (declined: Transaction) => string }

/** Transactions that have been read, in one of many regions of a page. */
export function TransactionTable({ whyOf, ...props }: TransactionTableProps) {
  const { t } = useTranslation()
  const columns = useTransactionColumns({ whyOf })
  return (
    <Listing
      {...props}
      label={t('pages.transactions')}
      columns={columns}
      to={({ id }) => `/transactions/${id}`}
      empty={<NoTransactions isSmall />}
    />
  )
}

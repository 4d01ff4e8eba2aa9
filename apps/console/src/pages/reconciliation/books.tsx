import { useTranslation } from 'react-i18next'
import type { Reconciliation } from '../../api/types.ts'
import { type Column, Listing } from '../../parts/listing.tsx'
import { Panel } from '../../parts/panel.tsx'
import { countText } from '../../parts/values.tsx'
import { Amount } from './amount.tsx'
import styles from './reconciliation.module.css'

type Books = Reconciliation['books']
type Row = Books[number] & { id: string; merchant?: string }
type Merchant = Reconciliation['merchants'][number]

/** Counts and sums of each book. */
export function BooksPanel({ books }: { books: Books }) {
  const { t } = useTranslation()
  const rows = books.map((book) => ({ ...book, id: `${book.book} ${book.currency}` }))
  return (
    <Listing
      label={t('operator.reconciliation.books')}
      rows={rows}
      columns={useBookColumns()}
      empty={null}
    />
  )
}

/** The same of each merchant, where there are several. */
export function BooksOfMerchants({ merchants }: { merchants: readonly Merchant[] }) {
  const { t } = useTranslation()
  const columns = useBookColumns()
  const merchant: Column<Row> = {
    title: t('fields.merchant'),
    cell: (row) => <bdi>{row.merchant}</bdi>,
  }
  const rows = merchants.flatMap(({ merchant_id, merchant_name, card_acceptor_id, books }) =>
    books.map((book) => ({
      ...book,
      id: `${merchant_id ?? card_acceptor_id} ${book.book} ${book.currency}`,
      merchant: merchant_name ?? card_acceptor_id ?? '–',
    })),
  )
  const title = t('operator.reconciliation.merchants')
  return (
    <Panel title={title} flush>
      <Listing label={title} rows={rows} columns={[merchant, ...columns]} empty={null} />
    </Panel>
  )
}

const SUMS = ['authorizations', 'captures', 'refunds'] as const

function useBookColumns(): Column<Row>[] {
  const { t } = useTranslation()
  return [
    {
      title: t('operator.reconciliation.book'),
      cell: ({ book }) => t(`operator.reconciliation.names.${book}`),
    },
    ...SUMS.map(
      (sum): Column<Row> => ({
        title: t(`operator.reconciliation.${sum}`),
        isFigure: true,
        cell: ({ [sum]: { count, amount }, currency }) => (
          <span className={styles['sum']}>
            <span className={styles['count']}>{countText(count)}</span>
            <Amount amount={amount} currency={currency} />
          </span>
        ),
      }),
    ),
  ]
}

import { IconPackages } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { allProducts } from '../../api/cards.ts'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { BulkIssuance } from '../../api/types.ts'
import { Empty } from '../../parts/empty.tsx'
import { type CsvColumn, ExportCsv } from '../../parts/export_csv.tsx'
import type { Column } from '../../parts/listing.tsx'
import { Page } from '../../parts/page.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Money, Status, When } from '../../parts/values.tsx'
import { CreateBulk } from './bulk_form.tsx'
import { CardOrders } from './card_orders.tsx'

const CSV: readonly CsvColumn<BulkIssuance>[] = [
  ['id', ({ id }) => id],
  ['status', ({ status }) => status],
  ['card_product_id', ({ card_product_id }) => card_product_id],
  ['number_of_cards', ({ number_of_cards }) => number_of_cards],
  ['issued_cards', ({ issued_cards }) => issued_cards],
  ['failed_cards', ({ failed_cards }) => failed_cards],
  ['amount', ({ amount }) => amount],
  ['currency', ({ currency }) => currency],
  ['created', ({ created }) => created],
]

function readBulk(after: string | undefined) {
  const query = after === undefined ? {} : { after }
  return answered(issuing.cards.listBulkIssuances(query))
}

/** Requests of many cards at once. */
export function BulkIssuances() {
  const { t } = useTranslation()
  const may = useMay()
  const columns = useBulkColumns()
  return (
    <Page
      name="bulk_issuance"
      lead={t('bulk.lead')}
      actions={
        <>
          <ExportCsv name="bulk-issuance" columns={CSV} read={readBulk} />
          {may('createBulkIssuance') && <CreateBulk />}
        </>
      }
    >
      <Panel title={t('bulk.all')} flush>
        <Paged
          label={t('pages.bulk_issuance')}
          queryKey={['bulk_issuance', 'list']}
          read={readBulk}
          columns={columns}
          to={({ id }) => `/bulk-issuance/${id}`}
          empty={<Empty icon={IconPackages} title={t('bulk.none')} text={t('bulk.none_text')} />}
        />
      </Panel>
      <CardOrders />
    </Page>
  )
}

function useBulkColumns(): Column<BulkIssuance>[] {
  const { t } = useTranslation()
  const { data: products = [] } = useQuery(allProducts)
  return [
    {
      title: t('cards.product'),
      cell: ({ card_product_id: of }) => (
        <bdi>{products.find(({ id }) => id === of)?.name ?? of}</bdi>
      ),
    },
    { title: t('cards.holder'), cell: ({ name_on_card }) => <bdi>{name_on_card ?? '—'}</bdi> },
    { title: t('fields.status'), cell: ({ status }) => <Status>{status}</Status> },
    { title: t('fields.created'), cell: ({ created }) => <When at={created} /> },
    {
      title: t('bulk.issued'),
      isFigure: true,
      cell: ({ issued_cards: issued, number_of_cards: all }) =>
        t('bulk.issued_of', { issued, all }),
    },
    {
      title: t('bulk.amount'),
      isFigure: true,
      cell: ({ amount, currency }) =>
        amount === undefined ? '—' : <Money amount={amount} currency={currency} />,
    },
  ]
}

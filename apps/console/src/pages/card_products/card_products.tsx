import { IconStack2 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { CardProduct } from '../../api/types.ts'
import { Empty } from '../../parts/empty.tsx'
import { type CsvColumn, ExportCsv } from '../../parts/export_csv.tsx'
import type { Column } from '../../parts/listing.tsx'
import { Page } from '../../parts/page.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, Status, When } from '../../parts/values.tsx'
import { CreateProduct } from './product_form.tsx'

const CSV: readonly CsvColumn<CardProduct>[] = [
  ['id', ({ id }) => id],
  ['name', ({ name }) => name],
  ['status', ({ status }) => status],
  ['currency', ({ currency }) => currency],
  ['bin', ({ bin }) => bin],
  ['card_validity_months', ({ card_validity_months }) => card_validity_months],
  ['created', ({ created }) => created],
]

function readProducts(after: string | undefined) {
  const query = after === undefined ? {} : { after }
  return answered(issuing.cardProducts.list(query))
}

/** The products under which cards are issued. */
export function CardProducts() {
  const { t } = useTranslation()
  const may = useMay()
  const columns: Column<CardProduct>[] = [
    { title: t('fields.name'), cell: ({ name }) => <bdi>{name}</bdi> },
    { title: t('fields.status'), cell: ({ status }) => <Status>{status}</Status> },
    { title: t('fields.currency'), cell: ({ currency }) => <Code>{currency}</Code> },
    { title: t('products.bin'), cell: ({ bin }) => <Code>{bin}</Code> },
    {
      title: t('products.validity'),
      isFigure: true,
      cell: ({ card_validity_months }) => card_validity_months,
    },
    { title: t('fields.created'), cell: ({ created }) => <When at={created} /> },
  ]
  return (
    <Page
      name="card_products"
      lead={t('products.lead')}
      actions={
        <>
          <ExportCsv name="card-products" columns={CSV} read={readProducts} />
          {may('createCardProduct') && <CreateProduct />}
        </>
      }
    >
      <Panel title={t('products.all')} flush>
        <Paged
          label={t('pages.card_products')}
          queryKey={['card_products', 'list']}
          read={readProducts}
          columns={columns}
          to={({ id }) => `/card-products/${id}`}
          empty={
            <Empty icon={IconStack2} title={t('products.none')} text={t('products.none_text')} />
          }
        />
      </Panel>
    </Page>
  )
}

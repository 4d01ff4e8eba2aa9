import { IconTruck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { allProducts } from '../../api/cards.ts'
import { answered, issuing } from '../../api/client.ts'
import type { CardOrder } from '../../api/types.ts'
import { Empty } from '../../parts/empty.tsx'
import type { Column } from '../../parts/listing.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, Status, When } from '../../parts/values.tsx'

function readOrders(after: string | undefined) {
  const query = after === undefined ? {} : { after }
  return answered(issuing.cards.listOrders(query))
}

/** The batches in which physical cards are ordered from the bureau, and what is missing. */
export function CardOrders() {
  const { t } = useTranslation()
  const columns = useOrderColumns()
  const { data } = useQuery({
    queryKey: ['card_orders', 'bureau'],
    queryFn: () => readOrders(undefined),
  })
  return (
    <Panel title={t('card_orders.title')} flush>
      {data && data.bureau === undefined && (
        <Notice tone="warn" title={t('card_orders.missing')}>
          {t('card_orders.missing_text')}
        </Notice>
      )}
      <Paged
        label={t('card_orders.title')}
        queryKey={['card_orders', 'list']}
        read={readOrders}
        columns={columns}
        to={({ id }) => `/card-orders/${id}`}
        empty={
          <Empty icon={IconTruck} title={t('card_orders.none')} text={t('card_orders.none_text')} />
        }
      />
    </Panel>
  )
}

function useOrderColumns(): Column<CardOrder>[] {
  const { t } = useTranslation()
  const { data: products = [] } = useQuery(allProducts)
  return [
    {
      title: t('cards.product'),
      cell: ({ card_product_id: of }) => (
        <bdi>{products.find(({ id }) => id === of)?.name ?? of}</bdi>
      ),
    },
    { title: t('card_orders.file'), cell: ({ file_name }) => <Code>{file_name}</Code> },
    { title: t('fields.status'), cell: ({ state }) => <Status>{state}</Status> },
    { title: t('fields.created'), cell: ({ created }) => <When at={created} /> },
    { title: t('card_orders.fault'), cell: ({ fault }) => <bdi>{fault ?? '—'}</bdi> },
    { title: t('card_orders.cards'), isFigure: true, cell: ({ count }) => count },
    { title: t('card_orders.answered'), isFigure: true, cell: ({ answered }) => answered },
  ]
}

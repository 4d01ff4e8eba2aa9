import { IconReceipt } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, merchant } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { ListPage, Order } from '../../api/types.ts'
import { Empty } from '../../parts/empty.tsx'
import { type CsvColumn, ExportCsv } from '../../parts/export_csv.tsx'
import { useFilters } from '../../parts/filters.tsx'
import type { Column } from '../../parts/listing.tsx'
import { Page } from '../../parts/page.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, Money, Status, When } from '../../parts/values.tsx'
import { CheckoutReady, CreateCheckout } from './create_checkout.tsx'
import { explainNoShop } from './no_shop.tsx'
import { NAMES, type OrderFilter, OrderFilters, orderFilter } from './order_filters.tsx'
import { Totals } from './order_totals.tsx'
import { OrdersTabs } from './orders_tabs.tsx'

type Row = Order & { id: string }

async function readOrders(
  filter: OrderFilter | undefined,
  after: string | undefined,
): Promise<ListPage<Row>> {
  if (!filter) return { data: [], has_more: false }
  const query = { ...filter, ...(after !== undefined && { after }) }
  const page = await answered(merchant.orders.list(query))
  return { ...page, data: page.data.map((order) => ({ ...order, id: order.order_id })) }
}

const CSV: readonly CsvColumn<Row>[] = [
  ['reference', ({ reference }) => reference],
  ['order_number', ({ order_number }) => order_number],
  ['status', ({ status }) => status],
  ['total', ({ total }) => total],
  ['total_refund', ({ total_refund }) => total_refund],
  ['currency', ({ currency }) => currency],
  ['created_at', ({ created_at }) => created_at],
]

/** The orders of the organization's shop. */
export function Orders() {
  const { t } = useTranslation()
  const may = useMay()
  const { values, set } = useFilters(NAMES)
  const [checkout, setCheckout] = useState<string>()
  const columns = useOrderColumns()
  const filter = orderFilter(values)
  const read = (after: string | undefined) => readOrders(filter, after)
  return (
    <Page
      name="orders"
      lead={t('orders.lead')}
      actions={
        <>
          <ExportCsv name="orders" columns={CSV} read={read} />
          {may('createCheckout') && <CreateCheckout onCreated={setCheckout} />}
        </>
      }
    >
      <OrdersTabs present="orders" />
      {checkout !== undefined && <CheckoutReady url={checkout} />}
      <Totals filter={filter} />
      <Panel title={t('orders.all')} flush>
        <OrderFilters values={values} set={set} />
        <Paged
          label={t('pages.orders')}
          queryKey={['orders', 'list', values]}
          read={read}
          columns={columns}
          to={({ reference }) => `/orders/${encodeURIComponent(reference)}`}
          expected={8}
          explain={explainNoShop}
          filters={values}
          empty={<Empty icon={IconReceipt} title={t('orders.none')} text={t('orders.none_text')} />}
        />
      </Panel>
    </Page>
  )
}

function useOrderColumns(): Column<Row>[] {
  const { t } = useTranslation()
  return [
    { title: t('orders.reference'), cell: ({ reference }) => <Code>{reference}</Code> },
    {
      title: t('orders.customer'),
      cell: ({ customer: { first_name, last_name, email } }) => (
        <bdi>{[first_name, last_name].filter(Boolean).join(' ') || email || '–'}</bdi>
      ),
    },
    { title: t('fields.status'), cell: ({ status }) => <Status>{status}</Status> },
    { title: t('fields.created'), cell: ({ created_at }) => <When at={created_at} /> },
    {
      title: t('orders.refunded'),
      isFigure: true,
      cell: ({ total_refund, currency }) =>
        Number(total_refund) > 0 ? (
          <Money amount={Number(total_refund)} currency={currency} />
        ) : (
          '–'
        ),
    },
    {
      title: t('orders.total'),
      isFigure: true,
      cell: ({ total, currency }) => <Money amount={Number(total)} currency={currency} />,
    },
  ]
}

import { IconReceipt } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, merchant } from '../../api/client.ts'
import { Problem } from '../../api/problem.ts'
import { useMay } from '../../api/session.ts'
import type { ListPage, Order } from '../../api/types.ts'
import { periodOf } from '../../parts/days.ts'
import { Empty } from '../../parts/empty.tsx'
import { type CsvColumn, ExportCsv } from '../../parts/export_csv.tsx'
import {
  FilterDay,
  FilterSelect,
  Filters,
  FilterText,
  type FilterValues,
  useFilters,
} from '../../parts/filters.tsx'
import type { Column } from '../../parts/listing.tsx'
import { Page } from '../../parts/page.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, Money, Status, When } from '../../parts/values.tsx'
import { CheckoutReady, CreateCheckout } from './create_checkout.tsx'

const NAMES = ['status', 'reference', 'from', 'to'] as const
const STATUSES = ['OPENED', 'COMPLETED'] as const

type Row = Order & { id: string }

async function readOrders(
  { status, reference, from, to }: FilterValues<(typeof NAMES)[number]>,
  after: string | undefined,
): Promise<ListPage<Row>> {
  const known = STATUSES.find((one) => one === status)
  const query = {
    ...periodOf(from, to),
    ...(known && { status: known }),
    ...(reference !== undefined && { reference }),
    ...(after !== undefined && { after }),
  }
  const page = await answered(merchant.GET('/orders', { params: { query } }))
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
  const read = (after: string | undefined) => readOrders(values, after)
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
      {checkout !== undefined && <CheckoutReady url={checkout} />}
      <Panel title={t('orders.all')} flush>
        <OrderFilters values={values} set={set} />
        <Paged
          label={t('pages.orders')}
          queryKey={['orders', 'list', values]}
          read={read}
          columns={columns}
          to={({ reference }) => `/orders/${encodeURIComponent(reference)}`}
          expected={8}
          explain={explain}
          empty={<Empty icon={IconReceipt} title={t('orders.none')} text={t('orders.none_text')} />}
        />
      </Panel>
    </Page>
  )
}

type OrderFiltersProps = {
  values: FilterValues<(typeof NAMES)[number]>
  set: (name: (typeof NAMES)[number], value: string) => void
}

function OrderFilters({ values, set }: OrderFiltersProps) {
  const { t } = useTranslation()
  const taking = (name: (typeof NAMES)[number], label: string) => ({
    label,
    value: values[name],
    onChange: (value: string) => set(name, value),
  })
  return (
    <Filters>
      <FilterText maxLength={300} {...taking('reference', t('orders.reference'))} />
      <FilterSelect
        all={t('filters.all')}
        data={STATUSES}
        {...taking('status', t('fields.status'))}
      />
      <FilterDay {...taking('from', t('orders.from'))} />
      <FilterDay {...taking('to', t('orders.to'))} />
    </Filters>
  )
}

/** D-577: the tenant has no active merchant, or more than one. */
const explain = (error: unknown) =>
  error instanceof Problem && error.status === 400 ? <NoShop /> : undefined

export function NoShop() {
  const { t } = useTranslation()
  return <Empty icon={IconReceipt} title={t('orders.no_shop')} text={t('orders.no_shop_text')} />
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

import { IconReceipt, IconReceiptRefund } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { answered, merchant } from '../../api/client.ts'
import type { ListPage, OrderOperation } from '../../api/types.ts'
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
import { explainNoShop } from './no_shop.tsx'
import { OrdersTabs } from './orders_tabs.tsx'

const NAMES = ['status', 'reference', 'payout_id', 'from', 'to'] as const
type Name = (typeof NAMES)[number]
const STATUSES = ['PENDING', 'SUCCESS', 'FAILURE'] as const

export type OperationKind = 'captures' | 'refunds'
type Row = OrderOperation & { id: string }

export const Captures = () => <Operations kind="captures" />
export const Refunds = () => <Operations kind="refunds" />

/** Reads a page of captures or refunds. */
export async function readOperations(
  kind: OperationKind,
  { status, from, to, ...texts }: FilterValues<Name>,
  after: string | undefined,
): Promise<ListPage<Row>> {
  const known = STATUSES.find((one) => one === status)
  const query = {
    ...texts,
    ...periodOf(from, to),
    ...(known && { status: known }),
    ...(after !== undefined && { after }),
  }
  const asked =
    kind === 'captures' ? merchant.orders.listCaptures(query) : merchant.orders.listRefunds(query)
  const page = await answered(asked)
  return { ...page, data: page.data.map((row) => ({ ...row, id: row.transaction_id })) }
}

const CSV: readonly CsvColumn<Row>[] = [
  ['transaction_id', ({ transaction_id }) => transaction_id],
  ['reference', ({ reference }) => reference],
  ['order_number', ({ order_number }) => order_number],
  ['status', ({ status }) => status],
  ['amount', ({ amount }) => amount],
  ['fee', ({ fee }) => fee],
  ['currency', ({ currency }) => currency],
  ['payout_id', ({ payout_id }) => payout_id],
  ['created_at', ({ created_at }) => created_at],
]

/** Captures or refunds of all orders. */
function Operations({ kind }: { kind: OperationKind }) {
  const { t } = useTranslation()
  const { values, set } = useFilters(NAMES)
  const columns = useOperationColumns()
  const read = (after: string | undefined) => readOperations(kind, values, after)
  const taking = (name: Name, label: string) => ({
    label,
    value: values[name],
    onChange: (value: string) => set(name, value),
  })
  return (
    <Page
      name={kind}
      lead={t(`orders.${kind}.lead`)}
      actions={<ExportCsv name={kind} columns={CSV} read={read} />}
    >
      <OrdersTabs present={kind} />
      <Panel title={t(`orders.${kind}.all`)} flush>
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
        <Paged
          label={t(`pages.${kind}`)}
          queryKey={['orders', kind, values]}
          read={read}
          columns={columns}
          to={({ reference }) => `/orders/${encodeURIComponent(reference)}`}
          explain={explainNoShop}
          filters={values}
          empty={
            <Empty
              icon={kind === 'captures' ? IconReceipt : IconReceiptRefund}
              title={t(`orders.${kind}.none`)}
              text={t(`orders.${kind}.none_text`)}
            />
          }
        />
      </Panel>
    </Page>
  )
}

export function useOperationColumns(): Column<Row>[] {
  const { t } = useTranslation()
  return [
    { title: t('orders.reference'), cell: ({ reference }) => <Code>{reference}</Code> },
    { title: t('fields.status'), cell: ({ status }) => <Status>{status}</Status> },
    { title: t('fields.created'), cell: ({ created_at }) => <When at={created_at} /> },
    {
      title: t('payouts.fee'),
      isFigure: true,
      cell: ({ fee, currency }) => <Money amount={Number(fee)} currency={currency} />,
    },
    {
      title: t('fields.amount'),
      isFigure: true,
      cell: ({ amount, currency }) => <Money amount={Number(amount)} currency={currency} />,
    },
  ]
}

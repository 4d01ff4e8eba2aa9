import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { answered, merchant } from '../../api/client.ts'
import type { OrderTotals } from '../../api/types.ts'
import { type Column, Listing } from '../../parts/listing.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, countText, Money } from '../../parts/values.tsx'
import type { OrderFilter } from './order_filters.tsx'

type Sums = OrderTotals['data'][number] & { id: string }

async function readTotals(query: OrderFilter): Promise<Sums[]> {
  const { data } = await answered(merchant.orders.total(query))
  return data.map((sums) => ({ ...sums, id: sums.currency }))
}

/** The sums of what the filters find; nothing if they find nothing. */
export function Totals({ filter }: { filter: OrderFilter | undefined }) {
  const { t } = useTranslation()
  const { data, error } = useQuery({
    queryKey: ['orders', 'totals', filter],
    queryFn: () => readTotals(filter ?? {}),
    enabled: filter !== undefined,
  })
  if (filter === undefined || error || data?.length === 0) return null
  const sum = (name: 'authorized' | 'captured' | 'refunded'): Column<Sums> => ({
    title: t(`orders.totals.${name}`),
    isFigure: true,
    cell: (sums) => <Money amount={Number(sums[name])} currency={sums.currency} />,
  })
  const columns: Column<Sums>[] = [
    { title: t('fields.currency'), cell: ({ currency }) => <Code>{currency}</Code> },
    { title: t('orders.totals.count'), isFigure: true, cell: ({ count }) => countText(count) },
    ...[sum('authorized'), sum('captured'), sum('refunded')],
  ]
  return (
    <Panel title={t('orders.totals.title')} flush>
      <Listing
        label={t('orders.totals.title')}
        columns={columns}
        rows={data}
        expected={1}
        empty={null}
      />
    </Panel>
  )
}

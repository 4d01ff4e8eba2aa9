import { IconCashBanknote } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { answered, merchant } from '../../api/client.ts'
import type { ListPage, Payout } from '../../api/types.ts'
import { Empty } from '../../parts/empty.tsx'
import { type CsvColumn, ExportCsv } from '../../parts/export_csv.tsx'
import { FilterSelect, Filters, type FilterValues, useFilters } from '../../parts/filters.tsx'
import type { Column } from '../../parts/listing.tsx'
import { Page } from '../../parts/page.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Day, Money, Status } from '../../parts/values.tsx'
import { explainNoShop } from '../orders/no_shop.tsx'
import { PayoutsTabs } from './payouts_tabs.tsx'

const NAMES = ['status'] as const
export const PAYOUT_STATUSES = ['PENDING', 'PAID', 'FAILED', 'CARRIED'] as const

type Row = Payout & { id: string }

async function readPayouts(
  { status }: FilterValues<(typeof NAMES)[number]>,
  after: string | undefined,
): Promise<ListPage<Row>> {
  const known = PAYOUT_STATUSES.find((one) => one === status)
  const query = { ...(known && { status: known }), ...(after !== undefined && { after }) }
  const page = await answered(merchant.payouts.list(query))
  return { ...page, data: page.data.map((payout) => ({ ...payout, id: payout.payout_id })) }
}

const CSV: readonly CsvColumn<Row>[] = [
  ['payout_id', ({ payout_id }) => payout_id],
  ['day', ({ day }) => day],
  ['currency', ({ currency }) => currency],
  ['number', ({ number }) => number],
  ['status', ({ status }) => status],
  ['captured', ({ captured }) => captured],
  ['refunded', ({ refunded }) => refunded],
  ['fees', ({ fees }) => fees],
  ['carried', ({ carried }) => carried],
  ['amount', ({ amount }) => amount],
  ['reference', ({ reference }) => reference],
]

/** Payouts to the organization's shop. */
export function Payouts() {
  const { t } = useTranslation()
  const { values, set } = useFilters(NAMES)
  const read = (after: string | undefined) => readPayouts(values, after)
  return (
    <Page
      name="payouts"
      lead={t('payouts.lead')}
      actions={<ExportCsv name="payouts" columns={CSV} read={read} />}
    >
      <PayoutsTabs present="payouts" />
      <Panel title={t('payouts.all')} flush>
        <Filters>
          <FilterSelect
            label={t('fields.status')}
            all={t('filters.all')}
            data={PAYOUT_STATUSES}
            value={values.status}
            onChange={(value) => set('status', value)}
          />
        </Filters>
        <Paged
          label={t('pages.payouts')}
          queryKey={['payouts', 'list', values]}
          read={read}
          columns={usePayoutColumns()}
          to={({ id }) => `/payouts/${id}`}
          explain={explainNoShop}
          filters={values}
          empty={
            <Empty
              icon={IconCashBanknote}
              title={t('payouts.none')}
              text={t('payouts.none_text')}
            />
          }
        />
      </Panel>
    </Page>
  )
}

function usePayoutColumns(): Column<Row>[] {
  const { t } = useTranslation()
  const sum = (name: 'captured' | 'refunded' | 'fees' | 'carried' | 'amount'): Column<Row> => ({
    title: t(`payouts.${name}`),
    isFigure: true,
    cell: (row) => <Money amount={Number(row[name])} currency={row.currency} />,
  })
  return [
    { title: t('payouts.day'), cell: ({ day }) => <Day at={day} /> },
    { title: t('fields.status'), cell: ({ status }) => <Status>{status}</Status> },
    ...[sum('captured'), sum('refunded'), sum('fees'), sum('carried'), sum('amount')],
  ]
}

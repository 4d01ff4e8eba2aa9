import { IconCashBanknote } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { answered, merchant } from '../../api/client.ts'
import type { Statement } from '../../api/types.ts'
import { Empty } from '../../parts/empty.tsx'
import { FilterDay, Filters, useFilters } from '../../parts/filters.tsx'
import { type Column, Listing } from '../../parts/listing.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, Day, Money } from '../../parts/values.tsx'
import { explainNoShop } from '../orders/no_shop.tsx'
import { PayoutsTabs } from './payouts_tabs.tsx'

const NAMES = ['from', 'to'] as const

type OfCurrency = Statement['data'][number] & { id: string }
type DayRow = OfCurrency['days'][number] & { id: string; currency: string }
type Sums = Pick<DayRow, (typeof SUMS)[number] | 'currency'>

const SUMS = ['captured', 'refunded', 'charged_back', 'fees', 'net'] as const

const DAYS_MAX = 366
const DAY_MS = 24 * 60 * 60 * 1000

/** Nothing if the days are in the wrong order, or more than a statement has. */
async function readStatement(query: { from?: string; to?: string }): Promise<OfCurrency[]> {
  const { from, to } = query
  const length = from && to ? (Date.parse(to) - Date.parse(from)) / DAY_MS : 0
  if (length < 0 || length >= DAYS_MAX) return []
  const { data } = await answered(merchant.payouts.getStatement(query))
  return data.map((sums) => ({ ...sums, id: sums.currency }))
}

/** Captures, refunds, disputes and fees of the shop, by currency and by day. */
export function StatementPage() {
  const { t } = useTranslation()
  const { values, set } = useFilters(NAMES)
  const { data, error, refetch } = useQuery({
    queryKey: ['statement', values],
    queryFn: () => readStatement(values),
  })
  const sums = useSumColumns()
  const currencies: Column<OfCurrency>[] = [
    { title: t('fields.currency'), cell: ({ currency }) => <Code>{currency}</Code> },
    ...sums,
    {
      title: t('payouts.due'),
      isFigure: true,
      cell: ({ payout_due, currency }) => <Money amount={Number(payout_due)} currency={currency} />,
    },
  ]
  return (
    <Page name="statement" lead={t('payouts.statement.lead')}>
      <PayoutsTabs present="statement" />
      <Panel title={t('payouts.statement.by_currency')} flush>
        <Filters>
          {NAMES.map((name) => (
            <FilterDay
              key={name}
              label={t(`orders.${name}`)}
              value={values[name]}
              onChange={(value) => set(name, value)}
            />
          ))}
        </Filters>
        <Listing
          label={t('payouts.statement.by_currency')}
          columns={currencies}
          rows={data}
          error={error}
          retry={refetch}
          explain={explainNoShop}
          expected={1}
          filters={values}
          empty={
            <Empty
              icon={IconCashBanknote}
              title={t('payouts.statement.none')}
              text={t('payouts.statement.none_text')}
            />
          }
        />
      </Panel>
      {data?.map((one) => (
        <Days key={one.currency} of={one} />
      ))}
    </Page>
  )
}

function Days({ of: { currency, days } }: { of: OfCurrency }) {
  const { t } = useTranslation()
  const sums = useSumColumns()
  const columns: Column<DayRow>[] = [
    { title: t('payouts.day'), cell: ({ day }) => <Day at={day} /> },
    ...sums,
  ]
  const title = t('payouts.statement.days', { currency })
  if (days.length === 0) return null
  return (
    <Panel title={title} flush>
      <Listing
        label={title}
        columns={columns}
        rows={days.map((day) => ({ ...day, id: day.day, currency })).reverse()}
        empty={null}
      />
    </Panel>
  )
}

function useSumColumns(): Column<Sums>[] {
  const { t } = useTranslation()
  return SUMS.map((name) => ({
    title: t(`payouts.${name}`),
    isFigure: true,
    cell: (row) => <Money amount={Number(row[name] ?? 0)} currency={row.currency} />,
  }))
}

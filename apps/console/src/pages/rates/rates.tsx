import { IconCoins } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { allTenants } from '../../api/tenants.ts'
import type { Rate } from '../../api/types.ts'
import { Ago } from '../../parts/ago.tsx'
import { Empty } from '../../parts/empty.tsx'
import { FilterSelect, Filters, FilterText, useFilters } from '../../parts/filters.tsx'
import type { Column } from '../../parts/listing.tsx'
import { Page } from '../../parts/page.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, When } from '../../parts/values.tsx'
import { SetRate } from './set_rate.tsx'

const NAMES = ['from', 'to', 'history'] as const

/** Rates at which payments in another currency are converted, with the age of each (D-51). */
export function Rates() {
  const { t } = useTranslation()
  const { values, set } = useFilters(NAMES)
  const read = (after: string | undefined) => {
    const { from, to, history } = values
    const query = {
      ...(from !== undefined && { from: from.toUpperCase() }),
      ...(to !== undefined && { to: to.toUpperCase() }),
      ...(history !== undefined && { history: true }),
      ...(after !== undefined && { after }),
    }
    return answered(issuing.operator.listRates(query))
  }
  const currency = (name: 'from' | 'to') => (
    <FilterText
      label={t(`operator.rates.${name}`)}
      value={values[name]}
      onChange={(value) => set(name, value)}
      maxLength={3}
    />
  )
  return (
    <Page name="rates" lead={t('operator.rates.lead')} actions={<SetRate />}>
      <Panel title={t('operator.rates.all')} flush>
        <Filters>
          {currency('from')}
          {currency('to')}
          <FilterSelect
            label={t('operator.rates.shown')}
            all={t('operator.rates.in_force')}
            data={[{ value: 'true', label: t('operator.rates.with_history') }]}
            value={values.history}
            onChange={(value) => set('history', value)}
          />
        </Filters>
        <Paged
          label={t('pages.rates')}
          queryKey={['rates', values]}
          read={read}
          columns={useRateColumns(values.history !== undefined)}
          filters={values}
          empty={
            <Empty
              icon={IconCoins}
              title={t('operator.rates.none')}
              text={t('operator.rates.none_text')}
            />
          }
        />
      </Panel>
    </Page>
  )
}

function useRateColumns(hasHistory: boolean): Column<Rate>[] {
  const { t } = useTranslation()
  const { data: tenants } = useQuery(allTenants)
  const nameOf = (id: string) => tenants?.find((one) => one.id === id)?.name ?? id.slice(-12)
  const columns: Column<Rate>[] = [
    {
      title: t('operator.rates.pair'),
      cell: ({ from, to }) => <Code>{`${from}/${to}`}</Code>,
    },
    { title: t('operator.rates.rate'), isFigure: true, cell: ({ rate }) => <Code>{rate}</Code> },
    {
      title: t('operator.tenant'),
      cell: ({ tenant_id }) =>
        tenant_id === undefined ? t('operator.rates.every') : <bdi>{nameOf(tenant_id)}</bdi>,
    },
    { title: t('operator.rates.since'), cell: ({ created }) => <When at={created} /> },
    { title: t('operator.rates.age'), cell: ({ created }) => <Ago at={created} /> },
  ]
  if (!hasHistory) return columns
  const replaced = ({ replaced: at }: Rate) =>
    at === undefined ? t('operator.rates.in_force') : <When at={at} />
  return [...columns, { title: t('operator.rates.replaced'), cell: replaced }]
}

import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { Ago } from '../../parts/ago.tsx'
import { Code } from '../../parts/values.tsx'
import { Attention } from './attention.tsx'

const STALE_MS = 24 * 60 * 60_000
/** In force are few: one of each pair of currencies. */
const MOST = 200

/** Rates that nobody has set for a day. */
export function StaleRates() {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery({
    queryKey: ['rates', 'in_force'],
    queryFn: () => answered(issuing.GET('/operator/rates', { params: { query: { limit: MOST } } })),
  })
  const items = data?.data
    .filter(({ created }) => Date.now() - Date.parse(created) > STALE_MS)
    .reverse()
    .map(({ id, from, to, created }) => ({
      id,
      what: <Code>{`${from}/${to}`}</Code>,
      how: <Ago at={created} />,
    }))
  return (
    <Attention
      title={t('operator.home.rates')}
      to="/rates"
      items={items}
      good={data?.data.length === 0 ? t('operator.home.no_rates') : t('operator.home.rates_good')}
      error={error}
      retry={refetch}
    />
  )
}

import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import type { Rate } from '../../api/types.ts'
import { Ago } from '../../parts/ago.tsx'
import { readAll } from '../../parts/csv_rows.ts'
import { Code } from '../../parts/values.tsx'
import { Attention } from './attention.tsx'

const STALE_MS = 24 * 60 * 60_000
const PAGE = 200

/** The list is newest first: those that are stale are at its end. */
async function readRates(): Promise<Rate[]> {
  const rates = await readAll((after) => {
    const query = { limit: PAGE, ...(after !== undefined && { after }) }
    return answered(issuing.operator.listRates(query))
  })
  if (rates) return rates
  throw new RangeError('more rates are in force than this page reads')
}

/** Rates that nobody has set for a day. */
export function StaleRates() {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery({
    queryKey: ['rates', 'in_force'],
    queryFn: readRates,
  })
  const items = data
    ?.filter(({ created }) => Date.now() - Date.parse(created) > STALE_MS)
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
      good={data?.length === 0 ? t('operator.home.no_rates') : t('operator.home.rates_good')}
      error={error}
      retry={refetch}
    />
  )
}

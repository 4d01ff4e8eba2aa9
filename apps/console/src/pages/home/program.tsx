import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useMay } from '../../api/session.ts'
import { FilterSelect } from '../../parts/filters.tsx'
import { HealthPanel } from '../../parts/health.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Tiles } from '../../parts/tile.tsx'
import { TransactionTable } from '../../parts/transaction_table.tsx'
import { Amounts } from './amounts.tsx'
import { Attention } from './attention.tsx'
import { AuthorizationTiles } from './authorization_tiles.tsx'
import { Day } from './day.tsx'
import { Fundings } from './fundings.tsx'
import styles from './home.module.css'
import { LONGER, type Period, useCounted, usePeriod } from './period.ts'
import { PeriodTiles } from './period_tiles.tsx'
import { recentQuery, SHOWN } from './queries.ts'
import { DeliveriesTile, FundingTile } from './service_tiles.tsx'

/** The figures of a program that has payments. */
export function Program() {
  const { t } = useTranslation()
  const may = useMay()
  const { data, error, refetch } = useQuery(recentQuery)
  const { period, choose } = usePeriod()
  const isCounted = may('getAuthorizationStatistics')
  return (
    <>
      {isCounted && (
        <div className={styles['period']}>
          <FilterSelect
            label={t('program.period')}
            value={period === 'today' ? '' : period}
            onChange={choose}
            all={t('program.periods.today')}
            data={LONGER.map((one) => ({ value: one, label: t(`program.periods.${one}`) }))}
          />
        </div>
      )}
      <Figures period={period} />
      {may('listFunding') && <Fundings />}
      <Panel title={t('home.recent')} actions={<All />} flush>
        <TransactionTable rows={data?.data} error={error} retry={refetch} expected={SHOWN} />
      </Panel>
      {may('getHealth') && <HealthPanel />}
    </>
  )
}

function Figures({ period }: { period: Period }) {
  const may = useMay()
  const isCounted = may('getAuthorizationStatistics')
  const { data, error } = useCounted(period, isCounted)
  return (
    <>
      <Tiles>
        {isCounted &&
          (period === 'today' ? (
            <AuthorizationTiles />
          ) : (
            <PeriodTiles period={period} counted={data} />
          ))}
        {may('listWebhooks') && <DeliveriesTile />}
        {may('listFunding') && <FundingTile />}
      </Tiles>
      <Attention />
      {isCounted && <Amounts period={period} counted={data} error={error} />}
      {isCounted && <Day period={period} counted={data} />}
    </>
  )
}

function All() {
  const { t } = useTranslation()
  return (
    <Anchor component={Link} to="/transactions" size="sm">
      {t('home.all')}
    </Anchor>
  )
}

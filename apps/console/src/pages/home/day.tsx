import { IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { AuthorizationStatistics } from '../../api/types.ts'
import { Bars } from '../../parts/chart/bars.tsx'
import { DeclineBars } from '../../parts/chart/decline_bars.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failing } from '../../parts/failing.tsx'
import { Panel } from '../../parts/panel.tsx'
import { hourText, moneyText } from '../../parts/values.tsx'
import { Waiting } from '../../parts/waiting.tsx'
import { amountsOf, dayOf, declinesOf, lastDayOf } from './figures.ts'
import styles from './home.module.css'
import { statisticsQuery } from './queries.ts'

/** Codes that are shown; the others are in the list of declined transactions. */
const CODES_SHOWN = 6
const HEIGHT = 288

/** The last 24 hours: how much was decided, and why it was declined. */
export function Day() {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(statisticsQuery)
  return (
    <div className={styles['day']}>
      <Panel title={t('home.by_hour')}>
        {data && <Hours statistics={data} />}
        {!data && error && <Failing error={error} retry={refetch} />}
        {!data && !error && <Waiting height={HEIGHT} />}
      </Panel>
      <Panel title={t('home.declines')} flush>
        {data && <Declines statistics={data} />}
        {!data && <div className={styles['waiting']}>{!error && <Waiting height={HEIGHT} />}</div>}
      </Panel>
    </div>
  )
}

type PartProps = { statistics: AuthorizationStatistics }

function Hours({ statistics }: PartProps) {
  const { t } = useTranslation()
  const hours = lastDayOf(statistics)
  const amounts = amountsOf(hours)
  return (
    <>
      <Bars
        label={t('home.by_hour')}
        points={hours.map(({ hour, approved, declined }) => ({
          at: hourText(hour),
          approved,
          declined,
        }))}
        series={[
          { name: 'approved', label: t('home.approved'), tone: 'good' },
          { name: 'declined', label: t('home.declined_series'), tone: 'bad' },
        ]}
      />
      {amounts.length > 0 && (
        <p className={styles['volume']}>
          {t('home.volume')}{' '}
          <bdi>{amounts.map(([currency, amount]) => moneyText(amount, currency)).join(' · ')}</bdi>
        </p>
      )}
      {statistics.state === 'PARTIAL' && (
        <p role="status" className={styles['volume']}>
          {t('home.counting')}
        </p>
      )}
    </>
  )
}

function Declines({ statistics }: PartProps) {
  const { t } = useTranslation()
  const hours = lastDayOf(statistics)
  const declines = declinesOf(hours)
  const first = dayOf(hours[0]?.hour ?? statistics.now)
  if (declines.length === 0) {
    return (
      <Empty
        icon={IconCircleCheck}
        title={t('home.no_declines')}
        text={t('home.no_declines_text')}
      />
    )
  }
  return (
    <DeclineBars
      declines={declines.slice(0, CODES_SHOWN).map((decline) => ({
        code: decline.status_code,
        description: decline.status_description,
        count: decline.number,
        search: { status: 'DECLINED', first },
      }))}
    />
  )
}

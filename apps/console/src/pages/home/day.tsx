import { IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { AuthorizationStatistics } from '../../api/types.ts'
import { Bars } from '../../parts/chart/bars.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failing } from '../../parts/failing.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, countText, hourText, moneyText } from '../../parts/values.tsx'
import { Waiting } from '../../parts/waiting.tsx'
import { amountsOf, type Decline, dayOf, declinesOf, lastDayOf } from './figures.ts'
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
          ...{ at: hourText(hour), approved, declined },
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
  const most = declines[0]?.number ?? 0
  const first = dayOf(hours[0]?.hour ?? statistics.now)
  if (most === 0) {
    return (
      <Empty
        icon={IconCircleCheck}
        title={t('home.no_declines')}
        text={t('home.no_declines_text')}
      />
    )
  }
  return (
    <ul className={styles['declines']}>
      {declines.slice(0, CODES_SHOWN).map((decline) => (
        <DeclineRow key={decline.status_code} {...{ decline, most, first }} />
      ))}
    </ul>
  )
}

type DeclineRowProps = { decline: Decline; most: number; first: string }

function DeclineRow({ decline, most, first }: DeclineRowProps) {
  const { status_code, status_description, number } = decline
  return (
    <li>
      <Link
        to="/transactions"
        search={{ status: 'DECLINED', first }}
        className={styles['decline'] ?? ''}
      >
        <span className={styles['code']}>
          <Code>{status_code}</Code>
          <bdi>{status_description}</bdi>
        </span>
        <span className={styles['number']}>{countText(number)}</span>
        <span
          className={styles['bar']}
          style={{ inlineSize: `${(100 * number) / most}%` }}
          aria-hidden
        />
      </Link>
    </li>
  )
}

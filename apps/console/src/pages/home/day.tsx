import { IconCircleCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Bars } from '../../parts/chart/bars.tsx'
import { DeclineBars } from '../../parts/chart/decline_bars.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Waiting } from '../../parts/waiting.tsx'
import { dayOf, declinesOf, type Hour } from './figures.ts'
import styles from './home.module.css'
import type { Counted, Period } from './period.ts'
import { countPoints } from './steps.ts'

/** Codes that are shown; the others are in the list of declined transactions. */
const CODES_SHOWN = 6
const HEIGHT = 288

type DayProps = { period: Period; counted: Counted | undefined }

/** How much was decided in the period, and why it was declined. */
export function Day({ period, counted }: DayProps) {
  const { t } = useTranslation()
  const isToday = period === 'today'
  const hours = isToday ? t('home.by_hour') : t('program.by_day')
  const declines = isToday ? t('home.declines') : t('program.declines')
  return (
    <div className={styles['day']}>
      <Panel title={hours}>
        {counted ? (
          <Bars
            label={hours}
            points={countPoints(counted.present, period)}
            series={[
              { name: 'approved', label: t('home.approved'), tone: 'good' },
              { name: 'declined', label: t('home.declined_series'), tone: 'bad' },
            ]}
          />
        ) : (
          <Waiting height={HEIGHT} />
        )}
      </Panel>
      <Panel title={declines} flush>
        {counted ? (
          <Declines hours={counted.present} />
        ) : (
          <div className={styles['waiting']}>
            <Waiting height={HEIGHT} />
          </div>
        )}
      </Panel>
    </div>
  )
}

function Declines({ hours }: { hours: readonly Hour[] }) {
  const { t } = useTranslation()
  const declines = declinesOf(hours)
  const first = dayOf(hours[0]?.hour ?? new Date().toISOString())
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

import { useInterval } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../parts/panel.tsx'
import { INSTANT, localeOf } from '../../parts/values.tsx'
import styles from './clock.module.css'

const SECOND_MS = 1_000
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** Less is the way of the answer. */
const SAME_MS = 60_000

type TimesProps = {
  /** The clock of the tenant, as it was answered. */
  now: string
  /** When that was, on the clock of the browser. */
  read_at: number
}

/** Both clocks as they go, and by how much they differ. */
export function Times({ now, read_at }: TimesProps) {
  const { t, i18n } = useTranslation()
  const [real, setReal] = useState(() => Date.now())
  const { start, stop } = useInterval(() => setReal(Date.now()), SECOND_MS)
  useEffect(() => {
    start()
    return stop
  }, [start, stop])
  const ahead = new Date(now).getTime() - read_at
  const shown = (instant: number) => clockText(instant, i18n.language)
  return (
    <Panel title={t('traffic.present')}>
      <dl className={styles['times']}>
        <div>
          <dt>{t('traffic.of_tenant')}</dt>
          <dd className={styles['main']}>{shown(Math.max(real, read_at) + ahead)}</dd>
        </div>
        <div>
          <dt>{t('traffic.real')}</dt>
          <dd>{shown(Math.max(real, read_at))}</dd>
        </div>
        <div>
          <dt>{t('traffic.ahead')}</dt>
          <dd>{ahead < SAME_MS ? t('traffic.not_ahead') : lengthText(ahead, i18n.language)}</dd>
        </div>
      </dl>
    </Panel>
  )
}

const clockText = (instant: number, language: string): string =>
  new Intl.DateTimeFormat(localeOf(language), { ...INSTANT, second: '2-digit' }).format(instant)

/** `3 days 2 hours`, with the two largest units that it has. */
function lengthText(ms: number, language: string): string {
  let left = ms + SECOND_MS
  const parts = UNITS.flatMap(([unit, of]) => {
    const count = Math.floor(left / of)
    left -= count * of
    const style = { style: 'unit', unit, unitDisplay: 'long' } as const
    return count === 0 ? [] : [new Intl.NumberFormat(localeOf(language), style).format(count)]
  })
  return new Intl.ListFormat(localeOf(language), { type: 'unit' }).format(parts.slice(0, 2))
}

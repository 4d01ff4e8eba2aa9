import { useTranslation } from 'react-i18next'
import styles from './parts.module.css'
import { dateText } from './values.tsx'

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

/** How long ago an instant is, in the largest unit that fits: `3 hours ago`. */
export function Ago({ at }: { at: string }) {
  const { i18n } = useTranslation()
  const passed = Math.max(Date.now() - Date.parse(at), 0)
  const [unit, ms] = UNITS.find(([, length]) => passed >= length) ?? (['second', 1_000] as const)
  const locale = i18n.language === 'ar' ? 'ar-u-nu-latn' : 'en-GB'
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  return (
    <time dateTime={at} title={dateText(at)} className={styles['figure']}>
      {format.format(-Math.floor(passed / ms), unit)}
    </time>
  )
}

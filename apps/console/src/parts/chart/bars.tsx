import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './chart.module.css'
import type { Point, Series } from './series.ts'

type BarsProps = {
  /** The name of the chart for screen readers. */
  label: string
  /** `at` names a point of the axis; the other members are values by the names of the series. */
  points: readonly Point[]
  series: readonly Series[]
  /** Whether bars of one point stand on each other. */
  isStacked?: boolean
}

/** The library draws well and is large: a page is usable before it has arrived. */
const Drawing = lazy(async () => ({ default: (await import('./drawing.tsx')).Drawing }))

/** Numbers by time. The same numbers stand in a table for those who do not see the bars. */
export function Bars({ label, points, series, isStacked = true }: BarsProps) {
  const { t } = useTranslation()
  return (
    <figure className={styles['figure']} aria-label={label}>
      <ul className={styles['legend']} aria-hidden>
        {series.map(({ name, label: text, tone }) => (
          <li key={name} data-tone={tone}>
            {text}
          </li>
        ))}
      </ul>
      <div aria-hidden dir="ltr" className={styles['drawing']}>
        <Suspense fallback={<Skeleton height="100%" />}>
          <Drawing points={points} series={series} isStacked={isStacked} />
        </Suspense>
      </div>
      <details className={styles['table']}>
        <summary>{t('chart.table')}</summary>
        <table aria-label={label}>
          <thead>
            <tr>
              <th scope="col">{t('chart.at')}</th>
              {series.map(({ name, label: text }) => (
                <th key={name} scope="col">
                  {text}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {points.map((point) => (
              <tr key={point.at}>
                <th scope="row">{point.at}</th>
                {series.map(({ name }) => (
                  <td key={name}>{point[name]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}

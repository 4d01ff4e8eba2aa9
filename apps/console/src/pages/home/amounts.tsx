import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Bars } from '../../parts/chart/bars.tsx'
import { Failing } from '../../parts/failing.tsx'
import { Panel } from '../../parts/panel.tsx'
import { moneyText } from '../../parts/values.tsx'
import { Waiting } from '../../parts/waiting.tsx'
import { amountsOf } from './figures.ts'
import styles from './home.module.css'
import type { Counted, Period } from './period.ts'
import { statisticsQuery } from './queries.ts'
import { amountPoints } from './steps.ts'

const HEIGHT = 288

type AmountsProps = { period: Period; counted: Counted | undefined; error: Error | null }

/** The amounts that were approved, beside those of the period before: the main chart. */
export function Amounts({ period, counted, error }: AmountsProps) {
  const { t } = useTranslation()
  const { refetch } = useQuery(statisticsQuery)
  const [chosen, setChosen] = useState<string>()
  const { present = [], before = [], isPartial = false } = counted ?? {}
  const sums = new Map(amountsOf(present))
  const earlier = new Map(amountsOf(before))
  const currencies = [...new Set([...sums.keys(), ...earlier.keys()])]
  const currency = currencies.find((one) => one === chosen) ?? currencies[0]
  const text = (of: ReadonlyMap<string, number>, one: string) => moneyText(of.get(one) ?? 0, one)
  const choice = currencies.length > 1 && (
    <NativeSelect
      size="xs"
      aria-label={t('program.currency')}
      data={currencies}
      value={currency ?? ''}
      onChange={({ currentTarget }) => setChosen(currentTarget.value)}
    />
  )
  return (
    <Panel title={t('program.amounts')} actions={choice}>
      {!counted && error && <Failing error={error} retry={refetch} />}
      {!counted && !error && <Waiting height={HEIGHT} />}
      {counted && currency === undefined && (
        <p className={styles['calm']}>{t('program.no_amounts')}</p>
      )}
      {counted && currency !== undefined && (
        <>
          <Bars
            label={t('program.amounts')}
            isStacked={false}
            points={amountPoints({ present, before, period, currency })}
            series={[
              { name: 'now', label: t('program.amounts_now'), tone: 'accent' },
              { name: 'before', label: t('program.amounts_before'), tone: 'calm' },
            ]}
          />
          <p className={styles['volume']}>
            {t('program.amounts_now')}: <bdi>{text(sums, currency)}</bdi>
            {' · '}
            {t('program.amounts_before')}: <bdi>{text(earlier, currency)}</bdi>
          </p>
        </>
      )}
      {isPartial && (
        <p role="status" className={styles['volume']}>
          {t('home.counting')}
        </p>
      )}
    </Panel>
  )
}

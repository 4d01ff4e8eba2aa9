import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Bars } from '../../parts/chart/bars.tsx'
import { DeclineBars } from '../../parts/chart/decline_bars.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Money, percentText } from '../../parts/values.tsx'
import type { RunState } from './run.ts'
import { declinesOf, pointsOf, sumsOf } from './sums.ts'
import styles from './traffic.module.css'

/** The figures and the hours, as they come. */
export function Figures({ state, first_hour }: { state: RunState; first_hour: number }) {
  const { t } = useTranslation()
  const { approved, declined, speed } = sumsOf(state)
  const decided = approved + declined
  const figures: [name: string, value: string][] = [
    [t('traffic.approved'), String(approved)],
    [t('traffic.declined'), String(declined)],
    [t('traffic.approval_rate'), decided === 0 ? '–' : percentText(approved / decided)],
    [t('traffic.speed'), t('traffic.per_second', { count: Number(speed.toFixed(1)) })],
  ]
  return (
    <>
      <dl className={styles['figures']}>
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      <Bars
        label={t('traffic.by_hour')}
        points={pointsOf(state.outcomes, first_hour)}
        series={[
          { name: 'approved', label: t('traffic.approved'), tone: 'good' },
          { name: 'declined', label: t('traffic.declined'), tone: 'bad' },
        ]}
      />
    </>
  )
}

/** Why payments are declined; each code leads to its transactions. */
export function Declines({ state }: { state: RunState }) {
  const { t } = useTranslation()
  const codes = declinesOf(state.outcomes)
  return (
    <Panel title={t('traffic.by_code')} flush>
      {codes.length === 0 && <p className={styles['none']}>{t('traffic.no_declines')}</p>}
      <DeclineBars
        declines={codes.map((decline) => ({
          ...decline,
          search: { status: 'DECLINED', status_code: decline.code },
        }))}
      />
    </Panel>
  )
}

/** Totals of the whole run, and links to its transactions. */
export function Sum({ state, currency }: { state: RunState; currency: string }) {
  const { t } = useTranslation()
  const { approved_amount, declined_amount } = sumsOf(state)
  const links = [
    ['/transactions', t('traffic.see_all')],
    ['/transactions?status=DECLINED', t('traffic.see_declined')],
    ['/transactions?status=PENDING', t('traffic.see_pending')],
  ] as const
  return (
    <Panel title={t('traffic.sum')}>
      <div className={styles['form']}>
        <Facts
          rows={[
            [
              t('traffic.sum_approved'),
              <Money key="approved" amount={approved_amount} currency={currency} />,
            ],
            [
              t('traffic.sum_declined'),
              <Money key="declined" amount={declined_amount} currency={currency} />,
            ],
            [t('traffic.followed'), String(state.followed)],
            [t('traffic.took'), t('traffic.seconds', { count: Math.round(state.ran_ms / 1000) })],
          ]}
        />
        <div className={styles['buttons']}>
          {links.map(([to, text]) => (
            <Button key={to} variant="default" size="xs" component={Link} to={to}>
              {text}
            </Button>
          ))}
        </div>
      </div>
    </Panel>
  )
}

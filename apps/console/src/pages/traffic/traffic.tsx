import { Skeleton } from '@mantine/core'
import { IconChartBar } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { activeCards } from '../../api/cards.ts'
import { readClock } from '../../api/clock.ts'
import { useCurrency } from '../../api/session.ts'
import type { Card } from '../../api/types.ts'
import { Empty } from '../../parts/empty.tsx'
import { Failing } from '../../parts/failing.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { useAction } from '../../parts/use_action.ts'
import { NoCards } from '../simulator/no_cards.tsx'
import { SimulatorTabs } from '../simulator/simulator_tabs.tsx'
import { Declines, Figures, Sum } from './outcome.tsx'
import { planDay } from './plan.ts'
import { PlanForm } from './plan_form.tsx'
import { RunProgress } from './progress.tsx'
import styles from './traffic.module.css'
import { type Plan, usePlan, wantedOf } from './use_plan.ts'
import { useRun } from './use_run.ts'

/** A day of payments of a chosen mix, each a call of its own. */
export function Traffic() {
  const { t } = useTranslation()
  const { data: cards, error, refetch, isPending } = useQuery(activeCards)
  return (
    <Page name="traffic" lead={t('traffic.lead')}>
      <SimulatorTabs present="traffic" />
      {error && <Failing error={error} retry={refetch} />}
      {isPending && <Skeleton height={620} role="status" aria-label={t('states.loading')} />}
      {cards?.data.length === 0 && <NoCards />}
      {cards && cards.data.length > 0 && <Day cards={cards.data} />}
    </Page>
  )
}

function Day({ cards }: { cards: readonly Card[] }) {
  const currency = useCurrency()
  const form = usePlan()
  const [first_hour, setFirstHour] = useState(0)
  const { state, start, pause, resume, stop } = useRun()
  const starting = useAction({
    async act(_key, plan: Plan) {
      const { movesClock, rate } = plan
      // A day that moves the clock begins at its present hour.
      const first = movesClock ? new Date((await readClock()).now).getHours() : 0
      const wanted = { ...wantedOf(plan, cards), currency, first_hour: first }
      setFirstHour(first)
      start({ plan: planDay(wanted, Math.random), currency, rate: Number(rate), movesClock })
    },
  })
  const isRunning = state?.phase === 'running' || state?.phase === 'paused'
  return (
    <div className={styles['desk']}>
      <PlanForm
        form={form}
        cards={cards}
        isRunning={isRunning}
        isStarting={starting.isPending}
        onStart={starting.press}
      />
      <div className={styles['column']}>
        <RunPanel {...{ state, first_hour, error: starting.error, pause, resume, stop }} />
        {state && <Declines state={state} />}
        {state && !isRunning && <Sum state={state} currency={currency} />}
      </div>
    </div>
  )
}

type RunPanelProps = Pick<ReturnType<typeof useRun>, 'state' | 'pause' | 'resume' | 'stop'> & {
  first_hour: number
  error: unknown
}

function RunPanel({ state, first_hour, error, pause, resume, stop }: RunPanelProps) {
  const { t } = useTranslation()
  return (
    <Panel title={t('traffic.run')}>
      {error !== null && <Failing error={error} />}
      {!state && error === null && (
        <Empty icon={IconChartBar} title={t('traffic.empty')} text={t('traffic.waiting')} />
      )}
      {state && (
        <div className={styles['form']}>
          <RunProgress state={state} onPause={pause} onResume={resume} onStop={stop} />
          <Figures state={state} first_hour={first_hour} />
        </div>
      )}
    </Panel>
  )
}

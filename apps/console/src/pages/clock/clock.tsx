import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readClock } from '../../api/clock.ts'
import { useMay } from '../../api/session.ts'
import { Failing } from '../../parts/failing.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { SimulatorTabs } from '../simulator/simulator_tabs.tsx'
import styles from './clock.module.css'
import { Due } from './due.tsx'
import { MoveClock } from './move_clock.tsx'
import type { Moved } from './moves.ts'
import { Times } from './times.tsx'

/** The time of the tenant: its present value, and how far it can be moved. */
export function Clock() {
  const { t } = useTranslation()
  const may = useMay()
  const [moved, setMoved] = useState<Moved>()
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    queryKey: ['clock'],
    queryFn: readClock,
  })
  return (
    <Page name="clock" lead={t('traffic.clock_lead')}>
      <SimulatorTabs present="clock" />
      {error && <Failing error={error} retry={refetch} />}
      {!data && !error && <Skeleton height={120} role="status" aria-label={t('states.loading')} />}
      {data && <Times now={data.now} read_at={dataUpdatedAt} />}
      {data && may('moveClock') && (
        <Panel title={t('traffic.move')}>
          <div className={styles['move']}>
            <Notice tone="warn" title={t('traffic.forward')}>
              {t('traffic.forward_text')}
            </Notice>
            <MoveClock now={data.now} onMoved={setMoved} />
          </div>
        </Panel>
      )}
      {data && <Due moved={moved} />}
    </Page>
  )
}

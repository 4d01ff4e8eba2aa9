import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../api/client.ts'
import { Ago } from './ago.tsx'
import { Failing } from './failing.tsx'
import styles from './health.module.css'
import { Panel } from './panel.tsx'
import { Status } from './values.tsx'
import { Waiting } from './waiting.tsx'

const POLL_MS = 5_000

/** Whether every part of the platform is at work. */
export function HealthPanel() {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery({
    queryKey: ['health'],
    queryFn: () => answered(issuing.health.get()),
    refetchInterval: POLL_MS,
  })
  return (
    <Panel title={t('health.title')} actions={data && <Status>{data.status}</Status>} flush>
      {error && !data && (
        <div className={styles['around']}>
          <Failing error={error} retry={refetch} />
        </div>
      )}
      {!data && !error && (
        <div className={styles['around']}>
          <Waiting height={44} />
        </div>
      )}
      {data && (
        <dl className={styles['parts']}>
          {data.parts.map(({ part, status, processes, seen }) => (
            <div key={part} className={styles['part']}>
              <dt>{t(`health.parts.${part}`)}</dt>
              <dd>
                <Status>{status}</Status>
                {part !== 'DATABASE' && (
                  <span className={styles['soft']}>{t('health.processes', { n: processes })}</span>
                )}
                {status !== 'UP' && seen && (
                  <span className={styles['soft']}>
                    <Ago at={seen} />
                  </span>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Panel>
  )
}

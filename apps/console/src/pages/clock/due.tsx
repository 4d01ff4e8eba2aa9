import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../parts/panel.tsx'
import { Code, dateText } from '../../parts/values.tsx'
import styles from './clock.module.css'
import { MOST_EVENTS, type Moved } from './moves.ts'

/** The effects of a move: jobs that still run, and events by their kinds. */
export function Due({ moved }: { moved: Moved | undefined }) {
  const { t } = useTranslation()
  return (
    <Panel
      title={t('traffic.due')}
      actions={
        moved && (
          <Anchor component={Link} to="/events" size="sm">
            {t('pages.events')}
          </Anchor>
        )
      }
    >
      {moved ? <Found moved={moved} /> : <p className={styles['hint']}>{t('traffic.due_none')}</p>}
    </Panel>
  )
}

function Found({ moved: { from, to, running, kinds, hasMore } }: { moved: Moved }) {
  const { t } = useTranslation()
  return (
    <div className={styles['move']}>
      <p role="status" className={styles['hint']}>
        {t('traffic.due_moved', { from: dateText(from), to: dateText(to) })}{' '}
        {kinds.length === 0 && t('traffic.due_nothing')}
      </p>
      {kinds.length > 0 && (
        <ul className={styles['kinds']} aria-label={t('traffic.due_events')}>
          {kinds.map(({ kind, count }) => (
            <li key={kind}>
              <Code>{kind}</Code>
              <strong>{count}</strong>
            </li>
          ))}
        </ul>
      )}
      {hasMore && <p className={styles['hint']}>{t('traffic.due_more', { count: MOST_EVENTS })}</p>}
      {running.length > 0 && (
        <p className={styles['hint']}>
          {t('traffic.due_running')}: <bdi dir="ltr">{running.join(', ')}</bdi>
        </p>
      )}
    </div>
  )
}

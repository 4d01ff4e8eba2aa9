import { Button, Progress } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Failing } from '../../parts/failing.tsx'
import type { RunState } from './run.ts'
import styles from './traffic.module.css'

type RunProgressProps = {
  state: RunState
  onPause: () => void
  onResume: () => void
  onStop: () => void
}

/** How far it is, and what stops it. */
export function RunProgress({ state, onPause, onResume, onStop }: RunProgressProps) {
  const { t } = useTranslation()
  const { phase, total, outcomes, limited_for, error } = state
  const text = t('traffic.progress', { done: outcomes.length, all: total })
  const isUnderWay = phase === 'running' || phase === 'paused'
  return (
    <div className={styles['progress']}>
      <div className={styles['line']}>
        <span role="status" className={styles['phase']}>
          {t(`traffic.phases.${phase}`)}
        </span>
        <span className={styles['hint']}>{text}</span>
        {isUnderWay && (
          <div className={styles['buttons']}>
            <Button
              variant="default"
              size="xs"
              leftSection={
                phase === 'paused' ? (
                  <IconPlayerPlay size={14} aria-hidden />
                ) : (
                  <IconPlayerPause size={14} aria-hidden />
                )
              }
              onClick={phase === 'paused' ? onResume : onPause}
            >
              {phase === 'paused' ? t('traffic.resume') : t('traffic.pause')}
            </Button>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconPlayerStop size={14} aria-hidden />}
              onClick={onStop}
            >
              {t('traffic.stop')}
            </Button>
          </div>
        )}
      </div>
      <Progress value={(outcomes.length / total) * 100} aria-label={text} />
      {limited_for > 0 && (
        <p className={styles['hint']}>{t('traffic.limited', { count: limited_for })}</p>
      )}
      {error !== null && <Failing error={error} title={t('traffic.phases.failed')} />}
    </div>
  )
}

import { lazy, Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { forgetSaid, useSaid } from '../parts/said.ts'
import styles from './said.module.css'

/** Loaded with the first change. */
const Line = lazy(async () => ({ default: (await import('./said_line.tsx')).SaidLine }))

/** Long enough to be read twice. A refusal stays until it is closed. */
const SHOWN_MS = 8000

/** Says what the last action has changed. The region is there before, so that it is heard. */
export function SaidRegion() {
  const { t } = useTranslation()
  const said = useSaid()
  useEffect(() => {
    if (!said || said.isFault) return
    const timer = setTimeout(forgetSaid, SHOWN_MS)
    return () => clearTimeout(timer)
  }, [said])
  return (
    <div className={styles['around']}>
      <div role="status" aria-label={t('shell.last_change')} className={styles['region']}>
        {said && (
          <Suspense>
            <Line key={said.at} said={said} />
          </Suspense>
        )}
      </div>
    </div>
  )
}

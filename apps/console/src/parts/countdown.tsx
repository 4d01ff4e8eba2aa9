import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './parts.module.css'
import { countText } from './values.tsx'

const SECOND_MS = 1000

type CountdownProps = {
  /** The answer that named the wait: another one begins it anew. */
  of: unknown
  seconds: number
  go: () => unknown
}

/** Counts down the wait that the server has named, and goes on by itself. */
export function Countdown({ of, seconds, go }: CountdownProps) {
  const { t } = useTranslation()
  const [left, setLeft] = useState(seconds)
  const present = useRef(go)
  useEffect(() => {
    present.current = go
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer begins a wait of its own.
  useEffect(() => {
    const end = Date.now() + seconds * SECOND_MS
    setLeft(seconds)
    const timer = setInterval(() => {
      const now = Math.ceil((end - Date.now()) / SECOND_MS)
      setLeft(Math.max(0, now))
      if (now > 0) return
      clearInterval(timer)
      void present.current()
    }, SECOND_MS / 4)
    return () => clearInterval(timer)
  }, [of, seconds])
  return (
    <p>
      {/* The seconds are seen; heard once is that it goes on. */}
      <span className={styles['hidden']}>{t('states.goes_on')}</span>
      <span aria-hidden>{t('states.goes_on_in', { seconds: countText(left) })}</span>
    </p>
  )
}

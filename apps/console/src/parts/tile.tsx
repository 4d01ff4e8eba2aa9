import { Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './tile.module.css'

/** Figures beside each other. */
export function Tiles({ children }: { children: ReactNode }) {
  return <div className={styles['tiles']}>{children}</div>
}

type TileProps = {
  label: string
  /** Undefined until it has arrived. */
  figure: ReactNode
  note?: ReactNode
  /** Whether something is to be done about it. */
  isBad?: boolean
  /** The list that the figure counts. */
  to: string
  search?: Record<string, string>
}

/** One figure, which leads to what it counts. */
export function Tile({ label, figure, note, isBad = false, to, search = {} }: TileProps) {
  const { t } = useTranslation()
  return (
    <Link to={to} search={search} className={styles['tile'] ?? ''} data-bad={isBad}>
      <span className={styles['label']}>{label}</span>
      {figure === undefined ? (
        <Skeleton height={56} role="status" aria-label={t('states.loading')} />
      ) : (
        <>
          <span className={styles['figure']}>{figure}</span>
          <span className={styles['note']}>{note ?? '\u00a0'}</span>
        </>
      )}
    </Link>
  )
}

import type { ReactNode } from 'react'
import styles from './columns.module.css'

type ColumnsProps = {
  /** The part that a reader looks for first: a picture, balances. */
  side?: ReactNode
  /** Other facts of the object; on a narrow screen they come last. */
  facts: ReactNode
  children: ReactNode
}

/** The regions of an object's page: its history, and its facts beside that. */
export function Columns({ side, facts, children }: ColumnsProps) {
  return (
    <div className={styles['columns']}>
      {side !== undefined && <div className={styles['side']}>{side}</div>}
      <div className={styles['main']}>{children}</div>
      <div className={styles['facts']}>{facts}</div>
    </div>
  )
}

import type { ReactNode } from 'react'
import styles from './columns.module.css'

type ColumnsProps = {
  /** What a reader looks for first: a picture, balances. */
  side?: ReactNode
  /** What is known of the object besides; on a narrow screen it comes last. */
  facts: ReactNode
  children: ReactNode
}

/** The regions of an object's page: what happens to it, and beside that what it is. */
export function Columns({ side, facts, children }: ColumnsProps) {
  return (
    <div className={styles['columns']}>
      {side !== undefined && <div className={styles['side']}>{side}</div>}
      <div className={styles['main']}>{children}</div>
      <div className={styles['facts']}>{facts}</div>
    </div>
  )
}

import type { ReactNode } from 'react'
import styles from './columns.module.css'

type ColumnsProps = {
  /** What is known of the object; on a narrow screen it comes first. */
  side: ReactNode
  children: ReactNode
}

/** The regions of an object's page: what happens to it, and beside that what it is. */
export function Columns({ side, children }: ColumnsProps) {
  return (
    <div className={styles['columns']}>
      <div className={styles['side']}>{side}</div>
      <div className={styles['main']}>{children}</div>
    </div>
  )
}

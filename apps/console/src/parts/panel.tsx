import { type ReactNode, useId } from 'react'
import styles from './parts.module.css'

type PanelProps = {
  title: string
  actions?: ReactNode
  /** Whether the content goes to the edges, as a table does. */
  flush?: boolean
  children: ReactNode
}

/** A region with a heading of its own. */
export function Panel({ title, actions, flush = false, children }: PanelProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={styles['panel']}>
      <div className={styles['panelHead']}>
        <h2 id={id} className={styles['panelTitle']}>
          {title}
        </h2>
        {actions}
      </div>
      <div className={flush ? undefined : styles['panelBody']}>{children}</div>
    </section>
  )
}

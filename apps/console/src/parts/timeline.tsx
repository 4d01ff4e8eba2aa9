import type { ReactNode } from 'react'
import styles from './timeline.module.css'
import { When } from './values.tsx'

export type Moment = {
  id: string
  at: string
  title: ReactNode
  /** The actor, the reason, or other details. */
  text?: ReactNode
  /** The moment is an event of the platform, not an action of someone. */
  isEvent?: true
}

/** The history of an object, newest first. */
export function Timeline({ label, moments }: { label: string; moments: readonly Moment[] }) {
  return (
    <ol className={styles['timeline']} aria-label={label}>
      {moments.map(({ id, at, title, text, isEvent }) => (
        <li key={id} data-event={isEvent}>
          <div className={styles['head']}>
            <span className={styles['title']}>{title}</span>
            <span className={styles['at']}>
              <When at={at} />
            </span>
          </div>
          {text !== undefined && <div className={styles['text']}>{text}</div>}
        </li>
      ))}
    </ol>
  )
}

import type { ReactNode } from 'react'
import styles from './parts.module.css'

/** Names and values of one object; a value that is absent leaves its name out. */
export function Facts({ rows }: { rows: readonly [name: string, value: ReactNode][] }) {
  return (
    <dl className={styles['facts']}>
      {rows
        .filter(([, value]) => value !== undefined && value !== null)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

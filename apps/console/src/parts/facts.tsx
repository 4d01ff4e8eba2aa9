import type { ReactNode } from 'react'
import styles from './parts.module.css'

type FactsProps = {
  rows: readonly [name: string, value: ReactNode][]
  /** Values are sentences. */
  isWide?: boolean
}

/** Names and values of one object; a value that is absent leaves its name out. */
export function Facts({ rows, isWide = false }: FactsProps) {
  return (
    <dl className={styles['facts']} data-wide={isWide}>
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

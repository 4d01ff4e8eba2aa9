import { Link } from '@tanstack/react-router'
import { Code, countText } from '../values.tsx'
import styles from './decline_bars.module.css'

type DeclineBarsProps = {
  declines: readonly {
    code: string
    description: string
    count: number
    /** Filters that find its transactions. */
    search: Readonly<Record<string, string>>
  }[]
}

/** Codes of declines, the most frequent first; each leads to its transactions. */
export function DeclineBars({ declines }: DeclineBarsProps) {
  const most = declines[0]?.count ?? 0
  return (
    <ol className={styles['declines']}>
      {declines.map(({ code, description, count, search }) => (
        <li key={code}>
          <Link to="/transactions" search={search} className={styles['decline'] ?? ''}>
            <span className={styles['code']}>
              <Code>{code}</Code>
              <bdi>{description}</bdi>
            </span>
            <span className={styles['count']}>{countText(count)}</span>
            <span
              className={styles['bar']}
              style={{ inlineSize: `${(100 * count) / most}%` }}
              aria-hidden
            />
          </Link>
        </li>
      ))}
    </ol>
  )
}

import type { SettlementSummary } from '../../api/types.ts'
import { countText } from '../../parts/values.tsx'
import { Amount } from './amount.tsx'
import styles from './reconciliation.module.css'

type Sums = SettlementSummary['sums']
type SumsOfProps = { sums: Sums; type: Sums[number]['type'] }

/** The records of a type of a file: a line for each currency. */
export function SumsOf({ sums, type }: SumsOfProps) {
  const own = sums.filter((sum) => sum.type === type)
  if (own.length === 0) return '–'
  return (
    <span className={styles['sums']}>
      {own.map(({ currency, count, amount }) => (
        <span key={currency} className={styles['sum']}>
          <span className={styles['count']}>{countText(count)}</span>
          <Amount amount={amount} currency={currency} />
        </span>
      ))}
    </span>
  )
}

import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Transaction } from '../../api/types.ts'
import { Checks } from '../../parts/checks.tsx'
import { Failing } from '../../parts/failing.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code } from '../../parts/values.tsx'
import { traceOf } from './data.ts'
import styles from './transactions.module.css'

/** Why it was approved or declined, check by check. */
export function DecisionPath({ transaction }: { transaction: Transaction }) {
  const { t } = useTranslation()
  const { id, status_code, status_description, billing_currency, currency } = transaction
  const { data, error, refetch } = useQuery(traceOf(id))
  return (
    <Panel title={t('transactions.path')}>
      <p className={styles['verdict']}>
        <Code>{status_code}</Code> <bdi>{status_description}</bdi>
      </p>
      {error && <Failing error={error} retry={refetch} />}
      {!data && !error && <Skeleton height={48} role="status" aria-label={t('states.loading')} />}
      {data && (
        <Checks checks={data.checks} currency={billing_currency ?? currency} requested={currency} />
      )}
    </Panel>
  )
}

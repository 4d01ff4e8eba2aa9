import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import type { Transaction } from '../../api/types.ts'
import { Failing } from '../../parts/failing.tsx'
import { More } from '../../parts/more.tsx'
import { ObjectLink } from '../../parts/object_link.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Timeline } from '../../parts/timeline.tsx'
import { Code, Money, Status } from '../../parts/values.tsx'
import styles from './transactions.module.css'

/** The refunds of a purchase, newest first, where something of it was refunded. */
export function Refunds({ transaction }: { transaction: Transaction }) {
  const { t } = useTranslation()
  const { id, created, modified, refunded_amount } = transaction
  const query = useInfiniteQuery({
    queryKey: ['transactions', id, 'refunds', modified],
    initialPageParam: '',
    queryFn: ({ pageParam: after }) => {
      const own = { reference_transaction_id: id, transaction_type: 'REFUND' as const }
      const page = { ...own, from: created, ...(after !== '' && { after }) }
      return answered(issuing.transactions.list(page))
    },
    getNextPageParam: ({ has_more, after }) => (has_more ? after : undefined),
    enabled: refunded_amount > 0,
  })
  const { data, error, refetch, fetchNextPage } = query
  const refunds = data?.pages.flatMap((page) => page.data) ?? []
  if (error && !data) return <Failing error={error} retry={refetch} />
  if (refunds.length === 0) return null
  const moments = refunds.map((refund) => ({
    id: refund.id,
    at: refund.created,
    title: (
      <span className={styles['moment']}>
        <ObjectLink to={`/transactions/${refund.id}`}>
          <Money amount={refund.amount} currency={refund.currency} />
        </ObjectLink>
        <Status>{refund.status}</Status>
      </span>
    ),
    text: <Code>{refund.id}</Code>,
  }))
  return (
    <Panel title={t('transactions.refunds')}>
      <Timeline label={t('transactions.refunds')} moments={moments} />
      {error && <Failing error={error} retry={fetchNextPage} />}
      <More {...query} isInset />
    </Panel>
  )
}

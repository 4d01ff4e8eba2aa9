import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import type { Transaction } from '../../api/types.ts'
import { Failing } from '../../parts/failing.tsx'
import { ObjectLink } from '../../parts/object_link.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Timeline } from '../../parts/timeline.tsx'
import { Code, Money, Status } from '../../parts/values.tsx'
import styles from './transactions.module.css'

/** Newest refunds of the card that are looked through for those of one purchase. */
const LOOKED_AT = 200

/** The refunds of a purchase, where something of it was refunded. */
export function Refunds({ transaction }: { transaction: Transaction }) {
  const { t } = useTranslation()
  const { id, card_id, created, modified, refunded_amount } = transaction
  const isRefunded = refunded_amount > 0 && card_id !== undefined
  const { data, error, refetch } = useQuery({
    queryKey: ['transactions', id, 'refunds', modified],
    queryFn: () => answered(issuing.GET('/transactions', { params: { query: refundsOf() } })),
    enabled: isRefunded,
  })
  const refundsOf = () => ({
    ...(card_id !== undefined && { card_id }),
    ...{ transaction_type: 'REFUND' as const, from: created, limit: LOOKED_AT },
  })
  const own = data?.data.filter((one) => one.reference_transaction_id === id) ?? []
  if (error) return <Failing error={error} retry={refetch} />
  if (!isRefunded || own.length === 0) return null
  const moments = own.map((refund) => ({
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
    </Panel>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Transaction } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { Failing } from '../../parts/failing.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Panel } from '../../parts/panel.tsx'
import { useDisputeColumns } from '../disputes/columns.tsx'
import { type Claim, ClaimFields, claimOf } from '../disputes/draft.tsx'

const NEW: Claim = { reason: 'FRAUD', amount: '', explanation: '' }

/** Whether something of the payment is settled and not refunded. */
const isSettled = ({ transaction_type, cleared_amount, refunded_amount }: Transaction): boolean =>
  transaction_type !== 'REFUND' && cleared_amount > refunded_amount

export function OpenDispute({ transaction }: { transaction: Transaction }) {
  const { t } = useTranslation()
  const may = useMay()
  const navigate = useNavigate()
  const [typed, setTyped] = useState(NEW)
  const { id: transaction_id, currency, billing_currency = currency } = transaction
  if (!may('openDispute') || !isSettled(transaction)) return null
  return (
    <Act
      label={t('disputes.open')}
      text={t('disputes.open_text')}
      act={(key) => {
        const body = { transaction_id, ...claimOf(typed, billing_currency) }
        return answered(issuing.disputes.open(body, { idempotencyKey: key }))
      }}
      onDone={({ id }) => void navigate({ to: `/disputes/${id}` })}
    >
      <ClaimFields currency={billing_currency} typed={typed} onChange={setTyped} />
    </Act>
  )
}

/** The disputes of the payment, where there are any. */
export function DisputesOf({ transaction: { id, cleared_amount } }: { transaction: Transaction }) {
  const { t } = useTranslation()
  const may = useMay()
  const columns = useDisputeColumns()
  const { data, error, refetch } = useQuery({
    queryKey: ['disputes', 'of', id],
    queryFn: () => answered(issuing.disputes.list({ transaction_id: id })),
    enabled: cleared_amount > 0 && may('listDisputes'),
  })
  if (error) return <Failing error={error} retry={refetch} />
  if (!data || data.data.length === 0) return null
  return (
    <Panel title={t('disputes.of_transaction')} flush>
      <Listing
        label={t('disputes.of_transaction')}
        columns={columns}
        rows={data.data}
        to={(dispute) => `/disputes/${dispute.id}`}
        empty={null}
      />
    </Panel>
  )
}
